import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Turn } from '../hearts.js'
import { gameStart, turnMessage } from './arena.js'

function turnOf (fields = {}, start = {}) {
  return new Turn(turnMessage(fields), gameStart(start))
}

test('cards are names, and each list belongs to the caller', () => {
  const turn = turnOf()
  turn.choices.pop()
  assert.deepEqual(turn.choices, ['2C', '3C'])
})

test('the open trick and the complete ones are cut from the plays', () => {
  // 2C KC 3C 4C, won by seat 1, who leads the 5D to which seat 2 plays the 6D.
  const turn = turnOf({ plays: [1, 12, 2, 3, 17, 18], leaders: [0, 1] }, { seat: 3 })
  assert.deepEqual(turn.tricks, [{ leader: 0, cards: ['2C', 'KC', '3C', '4C'], winner: 1 }])
  assert.deepEqual([turn.leader, turn.trick], [1, ['5D', '6D']])
})

test('the winner of the last trick of a deal is its highest card of the suit led', () => {
  const turn = turnOf({ plays: [1, 3, 39, 2], leaders: [2] })
  assert.equal(turn.tricks[0].winner, 3)
  assert.equal(turn.leader, null)
})

test('times are seconds, and infinite without a clock', () => {
  assert.deepEqual([turnOf().timeLeft, turnOf().bankLeft], [Infinity, Infinity])
  const turn = turnOf({ turnLeftMs: 5000, bankLeftMs: 0, lastChargedMs: 12 })
  assert.deepEqual([turn.timeLeft, turn.bankLeft, turn.lastCharged], [5, 0, 0.012])
})

test('unknown kinds and directions have a name that harms nobody', () => {
  const turn = turnOf({ kind: 77, passDirection: 77, moonChoices: [1, 77, 2] })
  assert.deepEqual([turn.kind, turn.passDirection, turn.moonChoices], ['', 'hold', ['add', 'subtract']])
})

test('the random numbers of a turn are its own and the same when it is asked again', () => {
  const numbers = (turn) => [turn.random(), turn.random(), turn.random()]
  const first = numbers(turnOf())
  assert.equal(new Set(first).size, 3)
  assert.ok(first.every((number) => number >= 0 && number < 1))
  assert.deepEqual(numbers(turnOf()), first)
  assert.notDeepEqual(numbers(turnOf({ dealNumber: 2 })), first)
  assert.notDeepEqual(numbers(turnOf({}, { seat: 1 })), first)
})

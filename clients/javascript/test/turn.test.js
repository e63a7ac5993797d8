import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Rules, Turn } from '../hearts.js'
import { cardNumber } from '../lib/cards.js'
import { dealEndedView } from '../lib/turn.js'
import { gameStart, rulesMessage, turnMessage } from './arena.js'

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

const CANCELLED = '5D 5D KD KD 2C 2S'

/** A turn of a game of six with two packs. */
function twoPackTurn (plays, leaders, cancelledTricks = [], cancellation = 'true') {
  const rules = rulesMessage({ options: { packs: '2', cancellation } })
  const fields = { plays: plays.split(' ').map(cardNumber), leaders, cancelledTricks }
  return turnOf(fields, { players: 6, rules })
}

test('a cancelled trick has no winner, and its cards lie on the table', () => {
  const turn = twoPackTurn(`2C 3C 4C 5C 6C 7C ${CANCELLED} ${CANCELLED} 4D`, [0, 5, 5, 5], [2, 3])
  assert.deepEqual(turn.tricks.map(({ winner }) => winner), [5, null, null])
  assert.deepEqual(turn.carried, `${CANCELLED} ${CANCELLED}`.split(' '))
  assert.deepEqual([turn.cancelledTricks, turn.leader, turn.trick], [[2, 3], 5, ['4D']])
  assert.deepEqual(twoPackTurn(`${CANCELLED} 2D 3D 4D 5C 6C 7C`, [0, 0, 2], [1]).carried, [])
})

test('in the last trick of two packs equal cards cancel, or the first of them wins', () => {
  for (const [plays, cancelled, cancellation, winner] of [
    ['5D KD KD 7D 7D AC', [], 'true', 3],
    ['5D KD KD 7D 7D AC', [], 'false', 4],
    [CANCELLED, [1], 'true', null]
  ]) {
    const turn = twoPackTurn(plays, [3], cancelled, cancellation)
    assert.deepEqual([turn.tricks[0].winner, turn.carried], [winner, []])
  }
})

test('the card that wins so far is the highest of the suit led that is not cancelled', () => {
  const winning = ({ winningCard, winningSeat }) => [winningCard, winningSeat]
  assert.deepEqual(winning(turnOf()), [null, null])
  assert.deepEqual(winning(turnOf({ plays: [17, 52, 21], leaders: [3] })), ['9D', 1])
  for (const [plays, cancellation, expected] of [
    ['5D 5D', 'true', [null, null]],
    ['5D KD 9D KD AS', 'true', ['9D', 5]],
    ['5D KD 9D KD AS', 'false', ['KD', 4]]
  ]) {
    assert.deepEqual(winning(twoPackTurn(plays, [3], [], cancellation)), expected)
  }
})

test('each seat has the cards of its tricks, the cancelled ones and the kitty with them', () => {
  const turn = twoPackTurn(`${CANCELLED} 2H 3H 4D 5C 6C 7C 4C`, [0, 0, 1], [1])
  assert.deepEqual(turn.taken, [[], `${CANCELLED} 2H 3H 4D 5C 6C 7C`.split(' '), [], [], [], []])
  const [clubs, hearts] = ['2C 3C 4C 5C', '6C 2H 3H 4H'].map((names) => names.split(' '))
  const plays = [...clubs, ...hearts].map(cardNumber)
  for (const [leftover, expected] of [
    ['kitty_first_trick', [[...hearts], [], [], [...clubs, '3D']]],
    ['kitty_first_heart', [[...hearts, '3D'], [], [], clubs]]
  ]) {
    const rules = rulesMessage({ options: { leftover } })
    assert.deepEqual(turnOf({ plays, leaders: [0, 3, 0], kitty: [15] }, { rules }).taken, expected)
  }
})

test('a cancelled last trick is taken by whom the rules say', () => {
  for (const [way, cards, seat] of [
    ['leader', '5D 5D KS QS 2C 2S', 3],
    ['second_highest', '5D 5D KS QS 2C 2S', 5],
    ['second_highest', '5D 5D KS KS 2C 2C', 3],
    ['nobody', '5D 5D KS QS 2C 2S', -1]
  ]) {
    const options = { cancellation: 'true', cancel_last_trick: way }
    const rules = rulesMessage({ options, handSize: 1 })
    const plays = cards.split(' ').map(cardNumber)
    const turn = turnOf({ plays, leaders: [3], cancelledTricks: [1] }, { players: 6, rules })
    assert.equal(turn.taken.findIndex((pile) => pile.length === 6), seat)
  }
})

test('a turn shows what variants add', () => {
  const turn = turnOf({ kind: 4, moonPoints: 52, forcedPlays: [2], kitty: [1, 15] })
  assert.deepEqual([turn.kind, turn.moonPoints, turn.forcedPlays, turn.kitty], ['sun', 52, [2], ['2C', '3D']])
})

test('rules tell the pack, what its cards cost, the bonus and every option', () => {
  const rules = new Rules(rulesMessage({
    pack: [23, 50, 50],
    cardPoints: [0, 13, 13],
    bonusCard: 23,
    bonusPoints: -10,
    options: { moon: 'off', packs: '2', target: '50' }
  }))
  assert.deepEqual([rules.pack, rules.points('QS'), rules.points('JD')], [['JD', 'QS', 'QS'], 13, 0])
  assert.deepEqual([rules.bonusCard, rules.bonusPoints, rules.totalPoints], ['JD', -10, 26])
  assert.deepEqual([rules.packs, rules.target], [2, 50])
  assert.deepEqual([rules.hasMoon, rules.hasSun, rules.hasCancellation], [false, false, false])
  assert.equal(turnOf().rules.bonusCard, null)
})

test('the end of a deal tells of a sun, cancelled tricks and the kitty', () => {
  const message = {
    hands: [],
    plays: [],
    leaders: [],
    points: [],
    totals: [],
    moonChoice: 1,
    isSun: true,
    cancelledTricks: [3],
    kitty: [1]
  }
  const { isSun, cancelledTricks, kitty } = dealEndedView(message)
  assert.deepEqual([isSun, cancelledTricks, kitty], [true, [3], ['2C']])
})

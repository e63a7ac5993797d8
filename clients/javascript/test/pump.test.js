import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Session } from '../hearts.js'
import { QUICK_TURNS } from '../lib/pace.js'
import { Pump } from '../lib/pump.js'
import { frame, gameStart, turnMessage } from './arena.js'

/** A pump whose bot takes `ms(turn)`, by a clock that stands still meanwhile. */
function pumping (ms) {
  let now = 1000
  const sent = []
  const seen = []
  const session = new Session(class {
    chooseCard (turn) {
      seen.push([turn.id, sent.flat()])
      now += ms(turn)
      return turn.choices[0]
    }
  })
  const pump = new Pump(session, async ({ answers }) => {
    sent.push(answers.map(({ turnId }) => turnId))
  }, { clock: () => now })
  session.receive(frame({ starts: [gameStart()] }))
  return {
    sent,
    seen,
    /** Plays turns that come in one frame until all are answered. */
    async play (first, count) {
      const turns = Array.from({ length: count }, (_, index) => turnMessage({ turnId: first + index }))
      session.receive(frame({ turns }))
      pump.start()
      while (sent.flat().at(-1) !== first + count - 1) await new Promise(setImmediate)
      return sent.splice(0).map((ids) => ids.length)
    }
  }
}

test('while nothing is known of a bot, each answer is out before the next turn', async () => {
  const { seen, play } = pumping((turn) => turn.id === 3 ? 1500 : 0)
  assert.deepEqual(await play(1, 3), [1, 1, 1])
  assert.deepEqual(seen, [[1, []], [2, [1]], [3, [1, 2]]])
})

test('the answers of a trusted bot are collected for a millisecond', async () => {
  const { play } = pumping((turn) => turn.id > 1000 ? 0.6 : 0)
  await play(1, QUICK_TURNS)
  assert.deepEqual(await play(500, 5), [5])
  assert.deepEqual(await play(1001, 5), [2, 2, 1])
})

test('trust is lost by one slow turn, for a thousand', async () => {
  const { play } = pumping((turn) => turn.id === 1000 ? 21 : 0)
  await play(1, QUICK_TURNS)
  const counts = await play(1000, 1400)
  assert.deepEqual(counts, [...Array(1000).fill(1), ...Array(6).fill(64), 16])
})

test('trust needs quick turns in a row', async () => {
  const { play } = pumping((turn) => turn.id === 150 || turn.id === 360 ? 5 : 0)
  assert.deepEqual(await play(1, 400), [...Array(349).fill(1), 11, 40])
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import grpc from '@grpc/grpc-js'
import { SECONDS_MAX, pauseSeconds, retrySeconds } from '../lib/retry.js'
import { openArena } from './arena.js'
import { run } from '../hearts.js'

/** A field of a message: a number, or something with a length. */
function field (number, value) {
  if (typeof value === 'number') return Buffer.from([number << 3, ...varint(value)])
  return Buffer.from([(number << 3) | 2, ...varint(value.length), ...value])
}

function varint (value) {
  const bytes = []
  for (; value >= 128; value = Math.floor(value / 128)) bytes.push(value % 128 | 128)
  return [...bytes, value]
}

function any (name, value) {
  const type = Buffer.from(`type.googleapis.com/google.rpc.${name}`)
  return field(3, Buffer.concat([field(1, type), field(2, value)]))
}

const retry = (...fields) => any('RetryInfo', field(1, Buffer.concat(fields)))
const INFO = any('ErrorInfo', field(1, Buffer.from('DRAINING')))

function metadata (...parts) {
  const found = new grpc.Metadata()
  const head = [field(1, 14), field(2, Buffer.from('gone'))]
  found.set('grpc-status-details-bin', Buffer.concat([...head, ...parts]))
  return found
}

test('the delay is found in the details of an error', () => {
  assert.equal(retrySeconds(metadata(INFO, retry(field(1, 2), field(2, 250_000_000)))), 2.25)
  assert.equal(retrySeconds(metadata(retry(field(1, 1_000_000)), INFO)), SECONDS_MAX)
  assert.equal(retrySeconds(metadata(INFO)), 0)
})

test('who says nothing, or something else, asks for no delay', () => {
  const cut = metadata(retry(field(1, 2)).subarray(0, -1))
  const odd = metadata(Buffer.from([5, 1]))
  assert.deepEqual([undefined, new grpc.Metadata(), cut, odd].map(retrySeconds), [0, 0, 0, 0])
})

test('no details break a bot', () => {
  for (let seed = 0; seed < 500; seed += 1) {
    const details = retry(field(1, 2), field(2, 7))
    details[seed % details.length] = seed * 31 % 256
    const found = retrySeconds(metadata(INFO, details))
    assert.ok(found >= 0 && found <= SECONDS_MAX, String(details))
  }
})

test('a bot does not come back before the arena wants it to', () => {
  assert.deepEqual([0, 1].map((chance) => pauseSeconds(0.2, 5, chance)), [5, 6])
  assert.deepEqual([0, 1].map((chance) => pauseSeconds(2, 0.5, chance)), [2, 2.4])
  assert.deepEqual([0, 1].map((chance) => pauseSeconds(2, 0, chance)), [1, 3])
})

test('what an arena wants reaches the bot', async (t) => {
  const arena = await openArena(t)
  const stop = new AbortController()
  const said = []
  const ended = run(class { chooseCard () {} }, {
    address: arena.address,
    token: 'secret',
    signal: stop.signal,
    backoff: [0.01, 0.02],
    report: (text) => said.push(text)
  })
  const first = await arena.accept()
  await first.expect()
  const details = metadata(INFO, retry(field(2, 1_000_000)))
  first.close(grpc.status.UNAVAILABLE, 'the arena is going away', details)
  const second = await arena.accept()
  stop.abort()
  second.close()
  await ended
  assert.match(said.join('\n'), /UNAVAILABLE: the arena is going away/)
})

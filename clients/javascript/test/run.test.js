import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { test } from 'node:test'
import grpc from '@grpc/grpc-js'
import { Bot, run } from '../hearts.js'
import { Line, gameStart, openArena, turnMessage } from './arena.js'

const { status } = grpc

class FirstCard {
  chooseCard (turn) { return turn.choices[0] }
}

/** Runs a bot against an arena until it ends, the test stops it, or the test ends. */
function start (t, arena, options = {}, makeBot = FirstCard) {
  const stop = new AbortController()
  const reports = []
  const ended = run(makeBot, {
    address: arena.address,
    token: 'secret',
    signal: stop.signal,
    report: (text) => reports.push(text),
    backoff: [0.01, 0.02],
    ...options
  })
  ended.catch(() => {})
  t.after(() => stop.abort())
  return { ended, reports, stop: () => stop.abort() }
}

/** The answers that come next, in however many frames. */
async function answersOn (stream, count) {
  const answers = []
  while (answers.length < count) answers.push(...(await stream.expect()).answers)
  return answers
}

test('a bot says hello, plays and leaves', async (t) => {
  const arena = await openArena(t)
  const bot = start(t, arena, { version: '2', instance: 'a', maxGames: 3 })
  const stream = await arena.accept()
  const { hello } = await stream.expect()
  assert.equal(stream.token, 'secret')
  assert.deepEqual([hello.botVersion, hello.instance, hello.maxGames, hello.workers], ['2', 'a', 3, 1])
  assert.deepEqual({ ...hello.capabilities }, {
    presets: ['*'], players: [3, 4, 5, 6, 7, 8, 9, 10, 11], twoPacks: true, moonChoice: true
  })
  stream.say({ welcome: { sessionId: 's-1', botName: 'me' } })
  stream.say({ starts: [gameStart()], turns: [turnMessage({ turnId: 5 }), turnMessage({ turnId: 6, choices: [2] })] })
  const answers = await answersOn(stream, 2)
  assert.deepEqual(answers.map(({ turnId, cards }) => [turnId, cards]), [[5, [1]], [6, [2]]])
  bot.stop()
  assert.equal((await stream.expect()).leave.message, 'the bot was stopped')
  assert.equal(await stream.expect(), null)
  stream.close()
  await bot.ended
})

test('a bot may say what it can play', async (t) => {
  const arena = await openArena(t)
  start(t, arena, { capabilities: { presets: ['party'], players: [7], twoPacks: false } })
  const { hello } = await (await arena.accept()).expect()
  assert.deepEqual({ ...hello.capabilities }, { presets: ['party'], players: [7], twoPacks: false, moonChoice: true })
})

test('heartbeats are returned while the bot thinks', async (t) => {
  const arena = await openArena(t)
  let decide
  const bot = start(t, arena, {}, class {
    chooseCard () { return new Promise((resolve) => { decide = resolve }) }
  })
  const stream = await arena.accept()
  await stream.expect()
  stream.say({ starts: [gameStart()], turns: [turnMessage()] })
  stream.say({ heartbeat: { id: 8 } })
  assert.equal((await stream.expect()).heartbeat.id, 8)
  decide('3C')
  assert.deepEqual((await stream.expect()).answers[0].cards, [2])
  bot.stop()
  stream.close()
  await bot.ended
})

test('a lost stream is dialled again with the token of the welcome', async (t) => {
  const arena = await openArena(t)
  const bot = start(t, arena)
  const first = await arena.accept()
  await first.expect()
  first.say({ welcome: { token: 'lasting', sessionId: 's-1', botName: 'me' } })
  first.say({ heartbeat: { id: 1 } })
  await first.expect()
  first.close(status.UNAVAILABLE, 'restart')
  const second = await arena.accept()
  assert.equal(second.token, 'lasting')
  assert.ok((await second.expect()).hello)
  assert.match(bot.reports.join('\n'), /waits for the arena at 127.0.0.1:\d+ \(UNAVAILABLE: restart\)/)
  bot.stop()
  second.close()
  await bot.ended
})

test('the arena may come up after the bot, and may close without a status', async (t) => {
  const gone = await openArena(t)
  const bot = start(t, { address: gone.address })
  const first = await gone.accept()
  first.close()
  const second = await gone.accept()
  bot.stop()
  second.close()
  await bot.ended
})

test('a status that asks for no retry ends the run with a clear message', async (t) => {
  for (const [code, words] of [
    [status.UNAUTHENTICATED, /the token is missing or unknown; is HEARTS_TOKEN set\? \(UNAUTHENTICATED: who\?\)/],
    [status.PERMISSION_DENIED, /the token does not allow this/],
    [status.ABORTED, /another process has taken this session over/]
  ]) {
    const arena = await openArena(t)
    const bot = start(t, arena)
    const stream = await arena.accept()
    await stream.expect()
    stream.close(code, 'who?')
    await assert.rejects(bot.ended, (error) => error.code === code && words.test(error.message))
  }
})

test('a bot without chooseCard is refused at once', async (t) => {
  class Misspelt extends Bot { choseCard (turn) { return turn.choices[0] } }
  const address = '127.0.0.1:9'
  const text = 'Misspelt has no method chooseCard(turn); it has choseCard'
  await assert.rejects(run(Misspelt, { address }), new TypeError(text))
  await assert.rejects(run(class Empty {}, { address }), /^TypeError: Empty has no method chooseCard\(turn\)$/)
  await assert.rejects(run({}, { address }), /is not a class with chooseCard/)
  await run(class { chooseCard = () => '2C' }, { address, signal: AbortSignal.abort() })
})

test('a bot that the arena sends home does not come back', async (t) => {
  const arena = await openArena(t)
  const bot = start(t, arena)
  const stream = await arena.accept()
  await stream.expect()
  stream.say({ notices: [{ draining: { reconnectAfterMs: 0, message: 'the end' } }] })
  stream.say({ heartbeat: { id: 1 } })
  await stream.expect()
  stream.close(status.UNAVAILABLE, 'gone')
  await bot.ended
})

test('several workers compute several turns at the same time', async (t) => {
  const arena = await openArena(t)
  const asked = new Line()
  const bot = start(t, arena, { workers: 2 }, class {
    chooseCard (turn) { return new Promise((resolve) => asked.put({ id: turn.id, resolve })) }
  })
  const stream = await arena.accept()
  await stream.expect()
  stream.say({ starts: [gameStart()], turns: [1, 2, 3].map((turnId) => turnMessage({ turnId })) })
  const first = await asked.take()
  const second = await asked.take()
  assert.deepEqual([first.id, second.id], [1, 2])
  second.resolve('2C')
  const third = await asked.take()
  first.resolve('2C')
  third.resolve('2C')
  const answers = await answersOn(stream, 3)
  assert.deepEqual(answers.map(({ turnId }) => turnId).sort(), [1, 2, 3])
  bot.stop()
  stream.close()
  await bot.ended
})

test('the example bots play by the environment and leave on SIGTERM', async (t) => {
  for (const name of ['random_bot.js', 'careful_bot.js']) {
    const arena = await openArena(t)
    const path = fileURLToPath(new URL(`../examples/${name}`, import.meta.url))
    const env = { ...process.env, HEARTS_ARENA: arena.address, HEARTS_TOKEN: 'by-environment', HEARTS_PRACTICE: '1' }
    const child = spawn(process.execPath, [path], { env, stdio: 'ignore' })
    t.after(() => child.kill('SIGKILL'))
    const exited = new Promise((resolve) => child.on('exit', resolve))
    const stream = await arena.accept()
    const { hello } = await stream.expect()
    assert.deepEqual([stream.token, hello.practice], ['by-environment', true])
    stream.say({ starts: [gameStart()], turns: [turnMessage({ kind: 1, choices: [1, 2, 3, 4, 5], answerCount: 3 })] })
    assert.equal((await stream.expect()).answers[0].cards.length, 3)
    child.kill('SIGTERM')
    assert.ok((await stream.expect()).leave)
    stream.close()
    assert.equal(await exited, 0)
  }
})

test('ctrl-c lets the open games end, and takes no others', async (t) => {
  const arena = await openArena(t)
  const bot = start(t, arena)
  const first = await arena.accept()
  await first.expect()
  const welcome = { sessionId: 's-1', botName: 'me', protocolMinor: 1 }
  first.say({ welcome, starts: [gameStart()], turns: [turnMessage({ turnId: 1 })] })
  await first.expect()
  process.emit('SIGINT')
  assert.equal((await first.expect()).leave.finishGames, true)
  first.close(status.UNAVAILABLE, 'restart')
  const second = await arena.accept()
  const { hello, leave } = await second.expect()
  assert.deepEqual([hello.protocolMinor, leave.finishGames], [1, true])
  const again = { ...welcome, gamesResumed: 1 }
  second.say({ welcome: again, starts: [gameStart()], turns: [turnMessage({ turnId: 2 })] })
  assert.equal((await second.expect()).answers[0].turnId, 2)
  second.close()
  await bot.ended
  assert.match(bot.reports.join('\n'), /finishing 1 open game; ctrl-c again leaves at once and gives them up/)
  assert.equal(bot.reports.at(-1), 'no game is open any more; leaving')
})

test('a second ctrl-c gives the open games up, and an older arena leaves no choice', async (t) => {
  for (const protocolMinor of [1, 0]) {
    const arena = await openArena(t)
    const bot = start(t, arena)
    const stream = await arena.accept()
    await stream.expect()
    const welcome = { sessionId: 's-1', botName: 'me', protocolMinor }
    stream.say({ welcome, starts: [gameStart()], turns: [turnMessage({ turnId: 1 })] })
    await stream.expect()
    process.emit('SIGINT')
    if (protocolMinor) {
      assert.equal((await stream.expect()).leave.finishGames, true)
      process.emit('SIGINT')
    }
    assert.equal((await stream.expect()).leave.finishGames, false)
    stream.close()
    await bot.ended
    assert.equal(bot.reports.at(-1), 'leaving at once: 1 open game given up')
    assert.equal(bot.reports.includes('this arena is too old to let games end first'), !protocolMinor)
  }
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Session } from '../hearts.js'
import { answerFrames } from '../lib/session.js'
import { frame, gameStart, turnMessage } from './arena.js'

class FirstCard {
  chooseCard (turn) { return turn.choices[0] }
}

/** A session that is in the game g-1, and what it reported. */
function playing (makeBot = FirstCard) {
  const reports = []
  const session = new Session(makeBot, { botVersion: '7' }, (text) => reports.push(text))
  session.connect()
  session.receive(frame({ starts: [gameStart()] }))
  return { session, reports }
}

/** The answer to one turn, without the time it took. */
async function answerTo (session, fields) {
  session.receive(frame({ turns: [turnMessage(fields)] }))
  const { thinkMs, ...answer } = await session.answer(session.next())
  assert.ok(thinkMs >= 0)
  return answer
}

test('a session begins with its hello', () => {
  assert.deepEqual(new Session(FirstCard, { botVersion: '7' }).connect(), { hello: { botVersion: '7' } })
})

test('turns wait in line, the oldest first, and are answered by number', async () => {
  const { session } = playing()
  session.receive(frame({ turns: [turnMessage({ turnId: 4 }), turnMessage({ turnId: 5, choices: [50] })] }))
  const answers = [await session.answer(session.next()), await session.answer(session.next())]
  assert.deepEqual(answers.map(({ turnId, cards }) => [turnId, cards]), [[4, [1]], [5, [50]]])
  assert.equal(session.next(), null)
})

test('a pass and a moon choice have defaults: the highest cards, and add', async () => {
  const { session } = playing()
  const pass = await answerTo(session, { kind: 1, choices: [1, 13, 26, 40, 52], answerCount: 3 })
  assert.deepEqual(pass.cards, [52, 26, 13])
  const moon = await answerTo(session, { turnId: 2, kind: 3, choices: [], moonChoices: [1, 2] })
  assert.equal(moon.moonChoice, 1)
})

test('a card held twice may be passed twice, and a sun has the default of a moon', async () => {
  const { session } = playing()
  const pass = await answerTo(session, { kind: 1, choices: [1, 26, 26, 40], answerCount: 3 })
  assert.deepEqual(pass.cards, [26, 26, 40])
  const sun = await answerTo(session, { turnId: 2, kind: 4, choices: [], moonChoices: [2] })
  assert.equal(sun.moonChoice, 2)
})

test('a turn of an unknown kind is answered with the first of its choices', async () => {
  const { session } = playing()
  const answer = await answerTo(session, { kind: 9, choices: [7, 8, 9], answerCount: 2 })
  assert.deepEqual(answer.cards, [7, 8])
})

test('a bot may answer with a promise and leave a remark', async () => {
  const { session } = playing(class {
    async chooseCard (turn) {
      turn.remark = 'x'.repeat(300)
      return '3C'
    }
  })
  const answer = await answerTo(session, {})
  assert.deepEqual(answer, { turnId: 1, note: 'x'.repeat(200), cards: [2] })
})

test('a remark outlives what the bot throws', async () => {
  const { session } = playing(class {
    chooseCard (turn) {
      turn.remark = 'searched 3 plies'
      throw new Error('oops')
    }
  })
  assert.deepEqual(await answerTo(session, {}), { turnId: 1, note: 'searched 3 plies' })
})

test('a bot that throws or names no card answers with no cards, and says so', async () => {
  for (const chooseCard of [() => { throw new Error('oops') }, () => 'ZZ', () => undefined]) {
    const { session, reports } = playing(class { chooseCard () { return chooseCard() } })
    const answer = await answerTo(session, {})
    assert.deepEqual(answer, { turnId: 1, note: undefined })
    assert.match(reports.at(-1), /the bot failed on turn 1 of g-1: /)
  }
})

test('a bot that cannot be made fails its turns, not its process', async () => {
  const { session, reports } = playing(class { constructor () { throw new Error('no model') } })
  assert.deepEqual((await answerTo(session, {})).cards, undefined)
  assert.match(reports[0], /could not be made for g-1: Error: no model/)
})

test('a closed turn is skipped, and one that is sent again is answered once', () => {
  const { session } = playing()
  session.receive(frame({ turns: [turnMessage({ turnId: 1 }), turnMessage({ turnId: 2 })] }))
  session.receive(frame({ closed: [{ turnId: 1, gameId: 'g-1', reason: 1 }] }))
  session.receive(frame({ turns: [turnMessage({ turnId: 2 })] }))
  assert.equal(session.next().turn.id, 2)
  assert.equal(session.next(), null)
})

test('a new connection forgets the turns that waited, and keeps the bots', () => {
  const { session } = playing()
  session.receive(frame({ turns: [turnMessage()] }))
  const { bot } = session.next()
  session.receive(frame({ turns: [turnMessage({ turnId: 2 })] }))
  session.connect()
  assert.equal(session.next(), null)
  session.receive(frame({ starts: [gameStart()], turns: [turnMessage({ turnId: 2 })] }))
  assert.equal(session.next().bot, bot)
})

test('a turn that was answered gets the same answer when it comes again', async () => {
  let count = 0
  const { session } = playing(class { chooseCard (turn) { return turn.choices[count++] } })
  const first = await answerTo(session, { turnId: 3 })
  session.connect()
  session.receive(frame({ starts: [gameStart()] }))
  assert.deepEqual(await answerTo(session, { turnId: 3 }), first)
  assert.deepEqual((await answerTo(session, { turnId: 4 })).cards, [2])
})

test('a heartbeat goes back as it came', () => {
  const { session } = playing()
  assert.deepEqual(session.receive(frame({ heartbeat: { id: 9 } })), [{ heartbeat: { id: 9 } }])
})

test('the heartbeat of a closed turn goes back unless the turn is being computed', async () => {
  let decide
  const { session } = playing(class {
    chooseCard () { return new Promise((resolve) => { decide = resolve }) }
  })
  session.receive(frame({ turns: [turnMessage({ turnId: 3 }), turnMessage({ turnId: 4 })] }))
  const answer = session.answer(session.next())
  await new Promise(setImmediate)
  const closing = (turnId) => frame({ closed: [{ turnId, gameId: 'g-1' }], heartbeat: { id: 9 } })
  assert.deepEqual(session.receive(closing(3)), [])
  assert.deepEqual(session.receive(closing(4)), [{ heartbeat: { id: 9 } }])
  decide('3C')
  await answer
  assert.deepEqual(session.receive(closing(3)), [{ heartbeat: { id: 9 } }])
})

test('the welcome may replace the token', () => {
  const { session, reports } = playing()
  session.token = 'old'
  session.receive(frame({ welcome: { token: '', botName: 'me', sessionId: 's' } }))
  assert.deepEqual([session.welcomed, session.token], [true, 'old'])
  session.receive(frame({ welcome: { token: 'new', botName: 'me', sessionId: 's', gamesResumed: 2 } }))
  assert.equal(session.token, 'new')
  assert.deepEqual(reports, ['connected as me', 'connected as me; 2 open games go on'])
})

test('a bot is told of its game and of the ends of deal and game', () => {
  const news = []
  const { session } = playing(class {
    gameStarted (start) { news.push(['start', start.seat, start.timeControl.bank]) }
    dealEnded (end) { news.push(['deal', end.points, end.moonSeat, end.moonChoice]) }
    gameEnded (end) { news.push(['game', end.ending, end.places, end.faults[0].kind]) }
  })
  const dealEnded = {
    gameId: 'g-1',
    dealNumber: 1,
    hands: [],
    plays: [],
    leaders: [],
    points: [0, 26, 26, 26],
    totals: [0, 26, 26, 26],
    moonSeat: 0,
    _moonSeat: 'moonSeat',
    moonChoice: 1,
    isSun: false,
    cancelledTricks: [],
    kitty: []
  }
  const fault = { seat: 0, dealNumber: 1, trickNumber: 3, kind: 1, cause: 'late' }
  const gameEnded = {
    gameId: 'g-1', ending: 1, totals: [0, 1, 2, 3], places: [1, 2, 3, 4], faults: [fault], message: ''
  }
  session.receive(frame({
    notices: [{ kind: 'dealEnded', dealEnded }, { kind: 'gameEnded', gameEnded }, {}, { kind: 'novel', novel: {} }]
  }))
  assert.deepEqual(news, [
    ['start', 0, 30], ['deal', [0, 26, 26, 26], 0, 'add'], ['game', 'finished', [1, 2, 3, 4], 'late']
  ])
  assert.equal(session.gameCount, 0)
})

test('in practice each game ends with a line for people', () => {
  const fault = { dealNumber: 1, trickNumber: 3, kind: 1, cause: 'late' }
  const ended = {
    gameId: 'g-1', ending: 1, totals: [81, 1, 2, 3], places: [4, 1, 2, 3], faults: [fault], message: ''
  }
  const voided = { ...ended, gameId: 'g-2', ending: 2, places: [], message: 'stopped' }
  const notices = [ended, voided].map((gameEnded) => ({ kind: 'gameEnded', gameEnded }))
  for (const [practice, expected] of [
    [true, ['game g-1: place 4 of 4, points 81, 1 fault', 'game g-2: void, stopped']],
    [false, []]
  ]) {
    const reports = []
    const session = new Session(FirstCard, { practice }, (text) => reports.push(text))
    session.connect()
    session.receive(frame({ starts: [gameStart(), gameStart({ gameId: 'g-2' })], notices }))
    assert.deepEqual(reports, expected)
  }
})

test('rejections and news are for people', () => {
  const { session, reports } = playing()
  const message = 'AH is not legal; 2C was taken instead'
  session.receive(frame({
    rejections: [{ turnId: 3, gameId: 'g-1', reason: 1, message, substituted: [1] }],
    notices: [
      { kind: 'status', status: { message: 'waiting for 2 more bots', waitingFor: [] } },
      { kind: 'draining', draining: { reconnectAfterMs: 1500, message: 'restart' } }
    ]
  }))
  assert.deepEqual(reports, [
    `turn 3 of g-1: ${message}`,
    'waiting for 2 more bots',
    'the arena is going away: restart'
  ])
  assert.equal(session.drainedFor, 1.5)
})

test('no frame holds more answers than the arena takes', () => {
  const frames = answerFrames(Array.from({ length: 130 }, (_, turnId) => ({ turnId })))
  assert.deepEqual(frames.map(({ answers }) => answers.length), [64, 64, 2])
})

/**
 * A scripted arena: a real gRPC server on 127.0.0.1 that says what a test tells it to.
 *
 * `accept` gives the next stream, `expect` the next frame on it; `say` answers, and
 * `close` ends the stream with a status.
 */

import { fileURLToPath } from 'node:url'
import grpc from '@grpc/grpc-js'
import protoLoader from '@grpc/proto-loader'

const PROTO_FOLDER = fileURLToPath(new URL('../../../proto', import.meta.url))

/** A line in which whatever comes first waits for the other. */
export class Line {
  #items = []
  #takers = []

  put (item) {
    if (this.#takers.length) this.#takers.shift()(item)
    else this.#items.push(item)
  }

  take () {
    if (this.#items.length) return Promise.resolve(this.#items.shift())
    return new Promise((resolve) => this.#takers.push(resolve))
  }
}

class Stream {
  #call
  #frames = new Line()

  constructor (call) {
    this.#call = call
    call.on('data', (frame) => this.#frames.put(frame))
    call.on('end', () => this.#frames.put(null))
    call.on('error', () => this.#frames.put(null))
  }

  /** The token that the client sent. */
  get token () { return this.#call.metadata.get('authorization')[0]?.replace('Bearer ', '') }

  /** The next frame; null when the client has closed its side. */
  expect () { return this.#frames.take() }

  say (frame) { this.#call.write(frame) }

  close (code = grpc.status.OK, details = '', metadata = undefined) {
    if (code === grpc.status.OK) this.#call.end()
    else this.#call.emit('error', { code, details, metadata })
  }
}

/** Opens an arena for the length of a test: `{ address, accept }`. */
export async function openArena (test) {
  const loaded = protoLoader.loadSync('hearts/arena/v1/play.proto', {
    includeDirs: [PROTO_FOLDER], defaults: true, oneofs: true, enums: Number
  })
  const { BotService } = grpc.loadPackageDefinition(loaded).hearts.arena.v1
  const streams = new Line()
  const server = new grpc.Server()
  server.addService(BotService.service, { Play: (call) => streams.put(new Stream(call)) })
  const port = await new Promise((resolve, reject) => {
    const credentials = grpc.ServerCredentials.createInsecure()
    server.bindAsync('127.0.0.1:0', credentials, (error, bound) => error ? reject(error) : resolve(bound))
  })
  test.after(() => server.forceShutdown())
  return { address: `127.0.0.1:${port}`, accept: () => streams.take() }
}

/** A `Rules` message of two cards. */
export function rulesMessage (fields = {}) {
  return {
    preset: 'arena',
    players: 4,
    overrides: {},
    hash: '',
    options: { moon: 'add', sun: 'off', packs: '1', target: '100', cancellation: 'false' },
    pack: [1, 50],
    cardPoints: [0, 13],
    handSize: 13,
    bonusCard: 0,
    bonusPoints: 0,
    moonPoints: 26,
    sunPoints: 52,
    ...fields
  }
}

/** A `GameStart` message of a game at which the bot has seat 0. */
export function gameStart (fields = {}) {
  return {
    gameId: 'g-1',
    seat: 0,
    players: 4,
    rules: rulesMessage(),
    seatNames: ['me', 'left', 'across', 'right'],
    timeControl: { bankMs: 30000, incrementMs: 100, turnLimitMs: 5000 },
    tableKey: Buffer.from('0123456789abcdef', 'hex'),
    league: 'test',
    faultsMax: 3,
    ...fields
  }
}

/** A `Turn` message of kind play with the choices 2C and 3C. */
export function turnMessage (fields = {}) {
  return {
    turnId: 1,
    gameId: 'g-1',
    kind: 2,
    dealNumber: 1,
    dealer: 3,
    hand: [1, 2],
    choices: [1, 2],
    moonChoices: [],
    answerCount: 1,
    plays: [],
    leaders: [0],
    passDirection: 1,
    passed: [],
    received: [],
    points: [0, 0, 0, 0],
    totals: [0, 0, 0, 0],
    heartsBroken: false,
    turnLeftMs: 0,
    bankLeftMs: 0,
    lastChargedMs: 0,
    cancelledTricks: [],
    forcedPlays: [],
    kitty: [],
    moonPoints: 0,
    ...fields
  }
}

/** A `PlayResponse` as the loader gives it, empty but for these fields. */
export function frame (fields) {
  return {
    welcome: null, starts: [], rejections: [], closed: [], turns: [], notices: [], heartbeat: null, ...fields
  }
}

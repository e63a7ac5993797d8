/**
 * The network: keeps a bot connected until it leaves.
 */

import { isIP } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import grpc from '@grpc/grpc-js'
import protoLoader from '@grpc/proto-loader'
import { Bot } from './bot.js'
import { Pace } from './pace.js'
import { Pump } from './pump.js'
import { pauseSeconds, retrySeconds } from './retry.js'
import { Session } from './session.js'
import { credentials, distrust, readTls } from './tls.js'

const PROTO_FOLDER = fileURLToPath(new URL('../../../proto', import.meta.url))

const { status } = grpc

/** What a status that ends a session for good means; with any other the SDK dials again. */
const FINAL = new Map([
  [status.INVALID_ARGUMENT, 'the arena could not read what was sent'],
  [status.FAILED_PRECONDITION, 'the arena refused the session'],
  [status.UNAUTHENTICATED, 'the token is missing or unknown; is HEARTS_TOKEN set?'],
  [status.PERMISSION_DENIED, 'the token does not allow this'],
  [status.ABORTED, 'another process has taken this session over; give each its own instance'],
  [status.UNIMPLEMENTED, 'this is no Hearts arena, or one of another version']
])

/** Every number of seats that there are rules for. */
const PLAYERS_ANY = [3, 4, 5, 6, 7, 8, 9, 10, 11]

/** How long the arena is waited for after a `Leave`, in milliseconds. */
const LEAVE_MS = 2000

/** The protocol's minor version from which on an arena lets games be finished. */
const FINISH_MINOR = 1

/** Says why a session cannot go on; `code` is the gRPC status. */
export class ArenaError extends Error {
  name = 'ArenaError'

  constructor (message, code) {
    super(message)
    this.code = code
  }
}

/**
 * Connects a bot and plays until the arena sends it away or a signal says stop.
 *
 * After SIGINT (ctrl-c) it takes no new games, and ends when those that are open are
 * over; a second one gives them up, as SIGTERM does at once.
 *
 * Waits while the arena is not up yet, and dials again when it is lost. Throws
 * `ArenaError` when going on makes no sense, such as with an unknown token, and
 * `TypeError` when the bot has no `chooseCard` of its own.
 *
 * @param {new () => object} makeBot The class of the bot; one object a game.
 * @param {object} [options]
 * @param {string} [options.address] HOST:PORT; else HEARTS_ARENA, else 127.0.0.1:50051.
 * @param {string} [options.token] The bot's token; else HEARTS_TOKEN.
 * @param {string} [options.version] The version of the bot; '' means '1'.
 * @param {string} [options.instance] Names the process; a restarted process of the
 *   same name goes on with its games.
 * @param {number} [options.maxGames] The most games at once, 1 to 1024.
 * @param {number} [options.workers] How many turns are computed at the same time.
 * @param {boolean} [options.practice] Asks for unrated games against house bots, as
 *   HEARTS_PRACTICE=1 does.
 * @param {object} [options.capabilities] What the bot can play, if not everything:
 *   `presets`, `players` and `twoPacks`.
 * @param {string} [options.tlsCa] The file with the authority of an arena that speaks
 *   TLS, or `public`; else HEARTS_TLS_CA. Without one nothing is encrypted.
 * @param {string} [options.tlsCert] The file with the bot's certificate, for an arena
 *   that asks for one; else HEARTS_TLS_CERT.
 * @param {string} [options.tlsKey] The file with its key; else HEARTS_TLS_KEY.
 * @param {AbortSignal} [options.signal] Leaves when it is aborted.
 * @param {(text: string) => void} [options.report] Where news for people go.
 * @param {[number, number]} [options.backoff] The first and the longest wait before
 *   dialling again, in seconds.
 */
export async function run (makeBot, options = {}) {
  const {
    address = addressOf(process.env),
    token = process.env.HEARTS_TOKEN || '',
    report = (text) => console.error(`${process.env.HEARTS_BOT || 'hearts'}: ${text}`),
    backoff = [0.2, 2]
  } = options
  checkMethods(makeBot)
  const tls = readTls(options)
  const session = new Session(makeBot, hello(options), report)
  session.token = token
  const stop = new AbortController()
  const finish = new AbortController()
  const release = stopOnSignals({ stop, finish }, options.signal, session, report)
  const pumping = { workers: options.workers ?? 1, pace: new Pace() }
  try {
    let wait = 0
    while (!stop.signal.aborted) {
      const end = await connection(session, { address, tls }, pumping, { stop: stop.signal, finish: finish.signal })
      if (stop.signal.aborted || session.drainedFor === 0) return
      if (finish.signal.aborted && isFinished(session, end)) return report('no game is open any more; leaving')
      const reason = FINAL.get(end.code)
      if (reason) throw new ArenaError(`${address}: ${reason} (${end.message})`, end.code)
      const problem = session.welcomed ? '' : await distrust(address, tls, end)
      if (problem) throw new ArenaError(problem, end.code)
      // A session that was accepted starts over with short waits.
      wait = session.welcomed ? backoff[0] : Math.min(Math.max(2 * wait, backoff[0]), backoff[1])
      if (wait === backoff[0]) report(`waits for the arena at ${address} (${end.message})`)
      const seconds = pauseSeconds(wait, session.drainedFor ?? end.retry)
      await delay(1000 * seconds, null, { signal: stop.signal }).catch(() => {})
    }
  } finally {
    release()
  }
}

/** Where the arena is; in a sandbox it is a socket in the file system. */
function addressOf ({ HEARTS_SOCKET, HEARTS_ARENA }) {
  return HEARTS_SOCKET ? `unix:${HEARTS_SOCKET}` : HEARTS_ARENA || '127.0.0.1:50051'
}

/** Throws if the bot would fail on every card, most likely for a typo. */
function checkMethods (makeBot) {
  if (typeof makeBot?.prototype !== 'object') throw new TypeError(`${makeBot} is not a class with chooseCard`)
  if (hasChoice(makeBot.prototype)) return
  try {
    // It may be a field, which only an object has.
    if (hasChoice(new makeBot())) return
  } catch {
    // Then each of its games will say why it cannot be made.
    return
  }
  const own = Object.getOwnPropertyNames(makeBot.prototype).filter((name) => name !== 'constructor')
  const found = own.length > 0 ? `; it has ${own.join(', ')}` : ''
  throw new TypeError(`${makeBot.name || 'the bot'} has no method chooseCard(turn)${found}`)
}

/** Whether there is a `chooseCard` other than that of `Bot`, which only says that it is missing. */
function hasChoice (bot) {
  return typeof bot.chooseCard === 'function' && bot.chooseCard !== Bot.prototype.chooseCard
}

/** The fields of the `Hello` message. */
function hello (options) {
  const { version = '1', instance = '', maxGames = 8, workers = 1 } = options
  const practice = Boolean(options.practice) || process.env.HEARTS_PRACTICE === '1'
  // Who chooses among `choices` can't go wrong, so a bot plays anything unless it says
  // otherwise.
  const { presets = ['*'], players = PLAYERS_ANY, twoPacks = true } = options.capabilities ?? {}
  return {
    botVersion: version,
    instance,
    sdk: `hearts-arena javascript, node ${process.versions.node}`,
    protocolMinor: FINISH_MINOR,
    maxGames,
    workers,
    practice,
    // There is an answer to a moon even where the bot has none of its own.
    capabilities: { presets, players, twoPacks, moonChoice: true }
  }
}

/**
 * Aborts `finish` on the first SIGINT while there are games that may be finished, and
 * `stop` on one more, on SIGTERM or `signal`; returns what undoes that. What comes after
 * that ends the process.
 */
function stopOnSignals ({ stop, finish }, signal, session, report) {
  const games = () => `${session.gameCount} open game${session.gameCount === 1 ? '' : 's'}`
  const abort = () => {
    release()
    if (session.gameCount > 0) report(`leaving at once: ${games()} given up`)
    stop.abort()
  }
  const interrupt = () => {
    const isFirst = !finish.signal.aborted && session.gameCount > 0
    if (isFirst && session.protocolMinor >= FINISH_MINOR) {
      report(`finishing ${games()}; ctrl-c again leaves at once and gives them up`)
      return finish.abort()
    }
    if (isFirst) report('this arena is too old to let games end first')
    abort()
  }
  const release = () => {
    process.off('SIGINT', interrupt)
    process.off('SIGTERM', abort)
    signal?.removeEventListener('abort', abort)
  }
  process.on('SIGINT', interrupt)
  process.on('SIGTERM', abort)
  if (signal?.aborted) abort()
  signal?.addEventListener('abort', abort)
  return release
}

/** Whether no game is left to come back for, now that a connection is over. */
function isFinished (session, { code }) {
  return code === status.OK || session.gameCount === 0 || session.drainedFor !== null
}

/**
 * Plays over one connection and returns how it ended: `{ code, message, retry }`, the last
 * of them the seconds to wait at least before the next.
 */
async function connection (session, { address, tls }, pumping, { stop, finish }) {
  const client = new (service())(address, credentials(tls), channelOptions(address))
  const metadata = new grpc.Metadata()
  metadata.set('authorization', `Bearer ${session.token}`)
  const call = client.play(metadata)
  const write = (frame) => new Promise((resolve) => call.write(frame, resolve))
  const pump = new Pump(session, write, pumping)
  let patience
  const leave = () => {
    pump.stop()
    call.write(session.leave('the bot was stopped'))
    call.end()
    patience = setTimeout(() => call.cancel(), LEAVE_MS)
  }
  const wind = () => call.write(session.finish('the bot was stopped'))
  stop.addEventListener('abort', leave)
  finish.addEventListener('abort', wind)
  try {
    return await new Promise((resolve) => {
      call.on('data', (frame) => {
        for (const reply of session.receive(frame)) call.write(reply)
        pump.start()
      })
      // An `error` comes before `status`, which says the same.
      call.on('error', () => {})
      call.on('status', ({ code, details, metadata }) => {
        const message = details ? `${status[code]}: ${details}` : status[code]
        resolve({ code, message, retry: retrySeconds(metadata) })
      })
      const first = session.connect()
      call.write(finish.aborted ? { ...first, ...session.finish('the bot was stopped') } : first)
    })
  } finally {
    pump.stop()
    clearTimeout(patience)
    stop.removeEventListener('abort', leave)
    finish.removeEventListener('abort', wind)
    client.close()
  }
}

let loaded

/** The client class of `BotService`, made from the .proto files. */
function service () {
  loaded ??= protoLoader.loadSync('hearts/arena/v1/play.proto', {
    includeDirs: [PROTO_FOLDER],
    defaults: true,
    arrays: true,
    objects: true,
    oneofs: true,
    enums: Number,
    longs: Number,
    bytes: Buffer
  })
  return grpc.loadPackageDefinition(loaded).hearts.arena.v1.BotService
}

/** Channel settings for an address. */
function channelOptions (address) {
  return {
    // The arena answers pings that come faster than every 20 s with too_many_pings.
    'grpc.keepalive_time_ms': 30000,
    'grpc.keepalive_timeout_ms': 10000,
    'grpc.keepalive_permit_without_calls': 0,
    // Lost calls are this module's own business; and without a buffer for retries
    // a write is done when it is out, not when it is kept.
    'grpc.enable_retries': 0,
    // So are the waits between attempts.
    'grpc.use_local_subchannel_pool': 1,
    'grpc.initial_reconnect_backoff_ms': 100,
    'grpc.max_reconnect_backoff_ms': 1000,
    ...(isNear(address) ? { 'grpc.enable_http_proxy': 0 } : {})
  }
}

/** Whether an address is loopback or private, where no proxy belongs in between. */
function isNear (address) {
  if (address.startsWith('unix:')) return true
  const host = address.replace(/^(dns|ipv4|ipv6):\/*/, '').replace(/:\d+$/, '').replace(/^\[|\]$/g, '')
  if (host === 'localhost' || host.endsWith('.local')) return true
  if (isIP(host) === 6) return host === '::1' || /^f[cd]|^fe[89ab]/i.test(host)
  return isIP(host) === 4 && /^(127|10)\.|^192\.168\.|^169\.254\.|^172\.(1[6-9]|2\d|3[01])\./.test(host)
}

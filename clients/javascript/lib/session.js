/**
 * A session: frames from the arena in, frames to the arena out.
 *
 * It knows nothing of the network. `run` hands it what arrived and sends what it
 * returns; so tests can play the arena with plain objects. One bot object is kept
 * for each open game, and nothing else of a game: each turn tells all.
 */

import { cardNumber } from './cards.js'
import { anyMoon, highestCards } from './bot.js'
import { MOON_CHOICES, Turn, dealEndedView, gameEndedView, gameStartView } from './turn.js'

/**
 * The most answers in one frame: with the longest remarks they stay below the 64 KiB that
 * a message may have. The protocol's own limit is 256.
 */
const ANSWERS_MAX = 64

/** The most characters of a remark. */
const REMARK_LENGTH_MAX = 200

/** One bot's session, over any number of connections. */
export class Session {
  #makeBot
  #hello
  #report
  #games = new Map()
  #turns = new Map()
  #begun = new Set()

  /**
   * @param {new () => object} makeBot The class of the bot.
   * @param {object} hello The fields of the `Hello` message.
   * @param {(text: string) => void} report Where news for people go.
   */
  constructor (makeBot, hello = {}, report = () => {}) {
    this.#makeBot = makeBot
    this.#hello = hello
    this.#report = report
  }

  /** The token to use from now on; null to go on with the one at hand. */
  token = null

  /** Whether the arena has accepted the session on this connection. */
  welcomed = false

  /** The protocol's minor version of the arena that was connected last. */
  protocolMinor = 0

  /** After how many seconds to connect again once the arena has left; else null. */
  drainedFor = null

  /** How many games are open. */
  get gameCount () { return this.#games.size }

  /** How many turns wait for an answer. */
  get turnCount () { return this.#turns.size }

  /**
   * Begins a connection and returns its first frame. The arena sends all open
   * turns again, so those that were waiting are forgotten.
   */
  connect () {
    this.welcomed = false
    this.drainedFor = null
    this.#turns.clear()
    return { hello: this.#hello }
  }

  /** The last frame of a session that ends for good. */
  leave (message = '') {
    return { leave: { message } }
  }

  /** Asks for no new games, and for the end of the call after the last of the open ones. */
  finish (message = '') {
    return { leave: { message, finishGames: true } }
  }

  /**
   * Takes a frame from the arena in and returns the frames to send back at once.
   * Its turns then wait in line for `next`.
   */
  receive (frame) {
    if (frame.welcome) this.#welcome(frame.welcome)
    for (const start of frame.starts) this.#start(start)
    for (const rejection of frame.rejections) this.#reject(rejection)
    for (const closed of frame.closed) this.#turns.delete(closed.turnId)
    // A turn that is sent again keeps its number and so its place in line.
    for (const turn of frame.turns) this.#turns.set(turn.turnId, turn)
    for (const notice of frame.notices) this.#note(notice)
    // While a closed turn is computed its late answer says more than a heartbeat,
    // which would have the arena hand over the next turn meanwhile.
    const isBusy = frame.closed.some((closed) => this.#begun.has(closed.turnId))
    return frame.heartbeat && !isBusy ? [{ heartbeat: frame.heartbeat }] : []
  }

  /** Takes the turn that has waited longest out of the line; null when none does. */
  next () {
    for (const [id, message] of this.#turns) {
      this.#turns.delete(id)
      const game = this.#games.get(message.gameId)
      if (game) return { turn: new Turn(message, game.start), bot: game.bot, game }
    }
    return null
  }

  /**
   * Asks the bot and returns its `Answer`. A bot that throws answers with no
   * cards: the arena then plays for it at once, and counts a fault. A turn that
   * comes again after a reconnect gets the answer that it got before.
   */
  async answer ({ turn, bot, game }) {
    if (game.answered?.turnId !== turn.id) {
      this.#begun.add(turn.id)
      game.answered = await this.#ask(turn, bot)
      this.#begun.delete(turn.id)
    }
    return game.answered
  }

  async #ask (turn, bot) {
    const before = performance.now()
    let answer
    try {
      answer = await chosen(bot, turn)
    } catch (error) {
      this.#report(`the bot failed on turn ${turn.id} of ${turn.gameId}: ${error.stack ?? error}`)
      answer = {}
    }
    const note = turn.remark ? String(turn.remark).slice(0, REMARK_LENGTH_MAX) : undefined
    return { turnId: turn.id, thinkMs: Math.floor(performance.now() - before), note, ...answer }
  }

  #welcome (welcome) {
    this.welcomed = true
    this.protocolMinor = welcome.protocolMinor
    if (welcome.token) this.token = welcome.token
    const resumed = welcome.gamesResumed ? `; ${welcome.gamesResumed} open games go on` : ''
    this.#report(`connected as ${welcome.botName}${resumed}`)
  }

  #start (message) {
    const known = this.#games.get(message.gameId)
    const bot = known ? known.bot : this.#newBot(message.gameId)
    this.#games.set(message.gameId, { start: message, bot, answered: known?.answered ?? null })
    this.#tell(bot, 'gameStarted', gameStartView(message))
  }

  #newBot (gameId) {
    const BotClass = this.#makeBot
    try {
      return new BotClass()
    } catch (error) {
      // Each turn of the game then says so, and the arena plays at once.
      this.#report(`the bot could not be made for ${gameId}: ${error.stack ?? error}`)
      return { chooseCard () { throw error } }
    }
  }

  #reject (rejection) {
    // The message says too what was expected and what was taken instead.
    this.#report(`turn ${rejection.turnId} of ${rejection.gameId || 'no game'}: ${rejection.message}`)
  }

  #note (notice) {
    // Clients MUST ignore kinds that they do not know.
    if (notice.kind === 'dealEnded') {
      const end = dealEndedView(notice.dealEnded)
      this.#tell(this.#games.get(end.gameId)?.bot, 'dealEnded', end)
    } else if (notice.kind === 'gameEnded') {
      const end = gameEndedView(notice.gameEnded)
      const game = this.#games.get(end.gameId)
      // Nobody else tells of it: practice has neither standings nor records.
      if (game && this.#hello.practice) this.#report(endedText(end, game.start.seat))
      this.#tell(game?.bot, 'gameEnded', end)
      this.#games.delete(end.gameId)
    } else if (notice.kind === 'status') {
      this.#report(notice.status.message)
    } else if (notice.kind === 'draining') {
      this.drainedFor = notice.draining.reconnectAfterMs / 1000
      this.#report(`the arena is going away: ${notice.draining.message}`)
    }
  }

  /** Tells the bot news; whatever goes wrong in it stays its own matter. */
  async #tell (bot, method, news) {
    try {
      await bot?.[method]?.(news)
    } catch (error) {
      this.#report(`the bot failed in ${method}: ${error.stack ?? error}`)
    }
  }
}

/** What a game came to for the bot's own seat, for people. */
function endedText ({ gameId, ending, message, places, totals, faults }, seat) {
  if (places.length === 0) return `game ${gameId}: ${ending}, ${message}`
  const count = `${faults.length} fault${faults.length === 1 ? '' : 's'}`
  return `game ${gameId}: place ${places[seat]} of ${places.length}, points ${totals[seat]}, ${count}`
}

/** Cuts a list of answers into frames that the arena takes. */
export function answerFrames (answers) {
  const frames = []
  for (let index = 0; index < answers.length; index += ANSWERS_MAX) {
    frames.push({ answers: answers.slice(index, index + ANSWERS_MAX) })
  }
  return frames
}

/** What a bot chooses on a turn, in the fields of an `Answer`. */
async function chosen (bot, turn) {
  if (turn.kind === 'play') return { cards: [cardNumber(await bot.chooseCard(turn))] }
  if (turn.kind === 'moon' || turn.kind === 'sun') {
    const choice = bot.chooseMoon ? await bot.chooseMoon(turn) : anyMoon(turn)
    const moonChoice = MOON_CHOICES.indexOf(choice)
    if (moonChoice < 1) throw new Error(`chooseMoon answered '${choice}'; expected add or subtract`)
    return { moonChoice }
  }
  if (turn.kind === 'pass') {
    const cards = bot.choosePass ? await bot.choosePass(turn) : highestCards(turn.choices, turn.answerCount)
    return { cards: [...cards].map(cardNumber) }
  }
  // The arena may grow new kinds; any `answerCount` of the choices will do.
  return { cards: turn.choices.slice(0, turn.answerCount).map(cardNumber) }
}

/**
 * A turn: one question to one seat, with all of the deal that the seat may know.
 *
 * It is a read-only view on the message that came from the arena: a bot that
 * reads only `choices` pays only for that. Each list is a fresh one. Cards are
 * names such as `QS` and stand in notation order unless it says otherwise; seats
 * are numbered from 0 clockwise, deals from 1; times are in seconds.
 */

import { createHash } from 'node:crypto'
import { cardNames } from './cards.js'
import { Rules } from './rules.js'
import { takenCards, winningPlace } from './tricks.js'

/** What bots call the kinds of turns, by their number on the wire. */
const KINDS = ['', 'pass', 'play', 'moon', 'sun']

/** What bots call the directions of the pass, by their number on the wire. */
const DIRECTIONS = ['hold', 'left', 'right', 'across', 'hold']

/** What bots call the ways to score moon and sun, by their number on the wire. */
export const MOON_CHOICES = ['', 'add', 'subtract']

/** One question to the bot's seat. */
export class Turn {
  #message
  #start
  #random
  #rules

  /** Takes a `Turn` message and the `GameStart` message of its game. */
  constructor (message, start) {
    this.#message = message
    this.#start = start
  }

  /** A remark to keep with the game beside the answer, at most 200 characters. */
  remark = ''

  /** The number of the turn among all turns of the bot. */
  get id () { return this.#message.turnId }

  /** The name of the game, the same as in the logs. */
  get gameId () { return this.#message.gameId }

  /** `pass`, `play`, `moon` or `sun`; empty for a kind not known here. */
  get kind () { return KINDS[this.#message.kind] ?? '' }

  /** The number of the deal in the game. */
  get dealNumber () { return this.#message.dealNumber }

  /** The seat that dealt. */
  get dealer () { return this.#message.dealer }

  /** The bot's own seat. */
  get seat () { return this.#start.seat }

  /** How many seats the table has. */
  get players () { return this.#start.players }

  /** The rules in force, a `Rules`, read once a turn. */
  get rules () {
    this.#rules ??= new Rules(this.#start.rules)
    return this.#rules
  }

  /** The names of the bots by seat. */
  get names () { return [...this.#start.seatNames] }

  /** The cards that the seat holds; one that it holds twice stands twice. */
  get hand () { return cardNames(this.#message.hand) }

  /**
   * The cards to choose from; empty for a choice of moon or sun. To be played, a card
   * that is held twice stands here once. To be passed, it stands twice, and both may
   * be chosen.
   */
  get choices () { return cardNames(this.#message.choices) }

  /** The same as `choices`. */
  get legal () { return this.choices }

  /** The ways to score the moon or sun to choose from: `add`, `subtract`. */
  get moonChoices () {
    return this.#message.moonChoices.map((choice) => MOON_CHOICES[choice]).filter(Boolean)
  }

  /** What the moon or the sun to choose for is worth; 0 in other turns. */
  get moonPoints () { return this.#message.moonPoints }

  /** How many of the choices the answer must name. */
  get answerCount () { return this.#message.answerCount }

  /** All cards played in this deal so far, in the order of play. */
  get plays () { return cardNames(this.#message.plays) }

  /** The seat that led each trick so far, the open one included. */
  get leaders () { return [...this.#message.leaders] }

  /** The seat that leads the open trick; null when no trick is open. */
  get leader () {
    const complete = Math.floor(this.#message.plays.length / this.players)
    return this.#message.leaders[complete] ?? null
  }

  /** The cards of the open trick, clockwise from `leader`. */
  get trick () {
    const { plays } = this.#message
    return cardNames(plays.slice(plays.length - (plays.length % this.players)))
  }

  /**
   * The card that wins the open trick so far; null on lead. It is the highest of the
   * suit led. Where equal cards cancel each other those do not count, so it may be
   * null after a lead too: then any card of the suit led wins that is not cancelled
   * itself. An equal card never beats it.
   */
  get winningCard () {
    const { trick } = this
    const place = winningPlace(trick, this.rules)
    return place < 0 ? null : trick[place]
  }

  /** The seat that played the `winningCard`; null without one. */
  get winningSeat () {
    const place = winningPlace(this.trick, this.rules)
    return place < 0 ? null : (this.leader + place) % this.players
  }

  /**
   * The complete tricks of this deal: `{ leader, cards, winner }` each. The winner is
   * null when all cards of the suit led cancelled each other: then the cards lie on
   * the table until a trick has a winner. Whose they are after the last trick of a
   * deal the rules say, `options.cancel_last_trick`.
   */
  get tricks () {
    const { plays, leaders, cancelledTricks } = this.#message
    const tricks = []
    for (let index = 0; (index + 1) * this.players <= plays.length; index++) {
      const cards = cardNames(plays.slice(index * this.players, (index + 1) * this.players))
      const leader = leaders[index]
      // Whoever wins a trick leads the next one; only the last trick of a deal
      // has no next one to read it from.
      const winner = cancelledTricks.includes(index + 1)
        ? null
        : leaders[index + 1] ?? (leader + winningPlace(cards, this.rules)) % this.players
      tricks.push({ leader, cards, winner })
    }
    return tricks
  }

  /** The numbers, from 1, of the tricks that nobody won. */
  get cancelledTricks () { return [...this.#message.cancelledTricks] }

  /**
   * The cards of cancelled tricks that lie on the table for the open trick's winner,
   * in the order of play.
   */
  get carried () {
    const { plays, leaders, cancelledTricks } = this.#message
    const end = Math.floor(plays.length / this.players)
    // Once all tricks are played nothing lies on the table any more.
    if (end >= leaders.length) return []
    let begin = end
    while (cancelledTricks.includes(begin)) begin--
    return cardNames(plays.slice(begin * this.players, end * this.players))
  }

  /**
   * The places in `plays` of cards whose seats announced that they hold nothing but
   * cards that the first trick bans.
   */
  get forcedPlays () { return [...this.#message.forcedPlays] }

  /** The cards left over from the deal, once a trick has taken them. */
  get kitty () { return cardNames(this.#message.kitty) }

  /** The cards that the seat passed on; empty before the pass is complete. */
  get passed () { return cardNames(this.#message.passed) }

  /** The cards that the seat received; empty before the pass is complete. */
  get received () { return cardNames(this.#message.received) }

  /** Where this deal's passed cards go: `left`, `right`, `across` or `hold`. */
  get passDirection () { return DIRECTIONS[this.#message.passDirection] ?? 'hold' }

  /**
   * The penalty points that each seat has taken in this deal so far. The bonus card is
   * not in them: who took it, `taken` tells.
   */
  get points () { return [...this.#message.points] }

  /**
   * The cards that each seat has taken in this deal so far, by seat, in the order of
   * play; the kitty stands after the trick that took it along.
   */
  get taken () { return takenCards(this.tricks, this.kitty, this.rules, this.players) }

  /** The totals before this deal, by seat. */
  get totals () { return [...this.#message.totals] }

  /** Whether hearts may be led. */
  get heartsBroken () { return this.#message.heartsBroken }

  /** The time for this turn as it was handed over; infinite without a clock. */
  get timeLeft () { return this.#message.turnLeftMs / 1000 || Infinity }

  /** What the bank held before this turn; infinite without a clock. */
  get bankLeft () {
    return this.#message.turnLeftMs ? this.#message.bankLeftMs / 1000 : Infinity
  }

  /** What the seat's last turn in this game was charged. */
  get lastCharged () { return this.#message.lastChargedMs / 1000 }

  /** Eight bytes to seed randomness with; the same when the game is rerun. */
  get tableKey () { return this.#start.tableKey }

  /**
   * A number from 0 up to, but not including, 1, the next of this turn's own
   * sequence. The sequence follows from the table key, the seat, the deal and the
   * place in it, so a bot that uses no other plays a rerun of a game the same way.
   */
  random () {
    if (!this.#random) {
      const { dealNumber, kind, plays } = this.#message
      const place = `${this.seat} ${dealNumber} ${kind} ${plays.length}`
      const seed = createHash('sha256').update(this.tableKey).update(place).digest()
      this.#random = { seed, count: 0 }
    }
    const { seed, count } = this.#random
    this.#random.count += 1
    const digest = createHash('sha256').update(seed).update(String(count)).digest()
    return digest.readUInt32BE(0) / 2 ** 32
  }
}

/** What bots are told about a deal that ended. */
export function dealEndedView (message) {
  return {
    gameId: message.gameId,
    dealNumber: message.dealNumber,
    hands: message.hands.map((hand) => cardNames(hand.cards)),
    plays: cardNames(message.plays),
    leaders: [...message.leaders],
    points: [...message.points],
    totals: [...message.totals],
    moonSeat: message._moonSeat === undefined ? null : message.moonSeat,
    moonChoice: MOON_CHOICES[message.moonChoice] ?? '',
    isSun: message.isSun,
    cancelledTricks: [...message.cancelledTricks],
    kitty: cardNames(message.kitty)
  }
}

/** What bots are told about a game that ended. */
export function gameEndedView (message) {
  const endings = ['', 'finished', 'void']
  const kinds = ['', 'late', 'illegal', 'away', 'start']
  return {
    gameId: message.gameId,
    ending: endings[message.ending] ?? '',
    totals: [...message.totals],
    places: [...message.places],
    faults: message.faults.map((fault) => ({
      dealNumber: fault.dealNumber,
      trickNumber: fault.trickNumber,
      kind: kinds[fault.kind] ?? '',
      cause: fault.cause
    })),
    message: message.message
  }
}

/** What bots are told about a game that begins, once and for all its turns. */
export function gameStartView (message) {
  const { bankMs = 0, incrementMs = 0, turnLimitMs = 0 } = message.timeControl ?? {}
  return {
    gameId: message.gameId,
    seat: message.seat,
    players: message.players,
    rules: new Rules(message.rules),
    names: [...message.seatNames],
    timeControl: { bank: bankMs / 1000, increment: incrementMs / 1000, turnLimit: turnLimitMs / 1000 },
    tableKey: message.tableKey,
    league: message.league,
    faultsMax: message.faultsMax
  }
}

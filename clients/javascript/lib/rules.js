/**
 * The rules in force, as a bot is told them: the pack, what costs, every option.
 *
 * A bot that asks these instead of knowing one game by heart plays all of them.
 */

import { cardName, cardNames } from './cards.js'

/** A preset with what differs from it, and what follows from it. */
export class Rules {
  #points

  /** Takes a `Rules` message. */
  constructor (message) {
    /** The name the rules came under; what they are stands in `options`. */
    this.preset = message.preset
    /** How many seats they are for. */
    this.players = message.players
    /** The options that differ from the preset, by name. */
    this.overrides = { ...message.overrides }
    /** The same for equal rules, whatever their names. */
    this.hash = message.hash
    /** Every option by name, as in a league file: `options.moon`. */
    this.options = { ...message.options }
    /** All cards in play, in notation order; one that is there twice stands twice. */
    this.pack = cardNames(message.pack)
    this.#points = new Map(this.pack.map((card, index) => [card, message.cardPoints[index]]))
    /** How many cards each seat is dealt, and so how many tricks a deal has. */
    this.handSize = message.handSize
    /** The card that is worth `bonusPoints` to whoever takes it; null without one. */
    this.bonusCard = message.bonusCard ? cardName(message.bonusCard) : null
    /** What the bonus card scores, below 0; 0 in rules without one. */
    this.bonusPoints = message.bonusPoints
    /**
     * What the moon is worth; 0 in rules without one. A bonus card that the rules fold
     * in is left out: what is really at stake is `turn.moonPoints`, when it is chosen.
     */
    this.moonPoints = message.moonPoints
    /** What the sun is worth, likewise; 0 in rules without one. */
    this.sunPoints = message.sunPoints
  }

  /** The penalty points of a card, without the bonus. */
  points (card) { return this.#points.get(card) ?? 0 }

  /** The penalty points of one deal. */
  get totalPoints () { return this.pack.reduce((sum, card) => sum + this.points(card), 0) }

  /** The total at which the game ends. */
  get target () { return Number(this.options.target ?? 100) }

  /** How many packs are in play, 1 or 2. */
  get packs () { return Number(this.options.packs ?? 1) }

  /** Whether it is worth something to take all penalty cards. */
  get hasMoon () { return (this.options.moon ?? 'off') !== 'off' }

  /** Whether it is worth something to take all tricks. */
  get hasSun () { return (this.options.sun ?? 'off') !== 'off' }

  /** Whether equal cards in one trick cancel each other. */
  get hasCancellation () { return this.options.cancellation === 'true' }
}

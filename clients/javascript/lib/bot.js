/**
 * What a bot is: a class with `chooseCard`.
 *
 * One object is made for each game, without arguments, so whatever it keeps in
 * itself is that game's. Extending `Bot` is a convenience: every method but
 * `chooseCard` has a default. Each method may return a promise.
 */

import { rank } from './cards.js'

/** A bot to extend. */
export class Bot {
  /** Chooses one of `turn.choices` to play. */
  chooseCard (turn) {
    throw new Error(`${this.constructor.name} lacks chooseCard`)
  }

  /**
   * Chooses `turn.answerCount` of `turn.choices` to pass on: here, the highest. A card
   * that stands twice in the choices may be passed twice.
   */
  choosePass (turn) {
    return highestCards(turn.choices, turn.answerCount)
  }

  /**
   * Chooses one of `turn.moonChoices` after shooting the moon or the sun: here, `add`.
   * `turn.kind` says which it is, `turn.moonPoints` what it is worth.
   */
  chooseMoon (turn) {
    return anyMoon(turn)
  }

  /** Takes note that the game begins, or goes on after a reconnect. */
  gameStarted (start) {}

  /** Takes note of how a deal ended. */
  dealEnded (end) {}

  /** Takes note of how the game ended; the object is not used again. */
  gameEnded (end) {}
}

/** `add`, or the first way to score a moon or sun where nobody may add. */
export function anyMoon ({ moonChoices }) {
  return moonChoices.includes('add') ? 'add' : moonChoices[0]
}

/** The `count` highest cards by rank, equal ranks in the order S H D C. */
export function highestCards (cards, count) {
  // Cards come in notation order, so the later of two equal ranks goes first.
  return cards
    .map((card, index) => ({ card, index }))
    .sort((a, b) => rank(b.card) - rank(a.card) || b.index - a.index)
    .slice(0, count)
    .map(({ card }) => card)
}

/**
 * How far a bot is trusted to be quick, judged by its turns so far.
 *
 * A finished answer may wait while the next turn is computed, which saves a
 * message; but when that turn turns out slow, the answer that waited is late with
 * it, and the fault is another game's. So answers wait only for a bot that has
 * proved quick.
 */

/** A turn that takes less, in milliseconds, counts towards trust. */
const QUICK_MS = 5

/** A turn that takes more, in milliseconds, ends the trust. */
const SLOW_MS = 20

/** How many quick turns in a row earn trust. */
export const QUICK_TURNS = 200

/** For how many turns, at least, a slow one is remembered. */
const CAUTIOUS_TURNS = 1000

/** Counts the turns of a bot until it is trusted. */
export class Pace {
  #turnsLeft = QUICK_TURNS

  /** Whether the next turn may well be slow. */
  get isCautious () { return this.#turnsLeft > 0 }

  /** Takes note of how many milliseconds a turn took. */
  note (ms) {
    if (ms > SLOW_MS) this.#turnsLeft = CAUTIOUS_TURNS
    else if (this.#turnsLeft > 0) {
      this.#turnsLeft = ms < QUICK_MS ? this.#turnsLeft - 1 : Math.max(this.#turnsLeft, QUICK_TURNS)
    }
  }
}

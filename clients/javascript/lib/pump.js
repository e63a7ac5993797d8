/**
 * What runs between a session and a connection: turns to the bot, answers back.
 */

import { Pace } from './pace.js'
import { answerFrames } from './session.js'

/** How long answers of a trusted bot are collected, in milliseconds. */
const COLLECT_MS = 1

/**
 * Carries turns from the session to the bot, `workers` at a time, and the answers
 * to the arena: each before the next turn begins, or, once the bot has proved
 * quick, all of a frame together, or what there is after a millisecond.
 */
export class Pump {
  #session
  #write
  #pace
  #clock
  #idle
  #answers = []
  #since = 0
  #isOpen = true

  /**
   * @param {Session} session Has the turns, and asks the bot.
   * @param {(frame: object) => Promise<void>} write Sends a frame; done when it is out.
   * @param {object} [options]
   * @param {number} [options.workers] How many turns are computed at the same time.
   * @param {Pace} [options.pace] What is known of the bot from earlier connections.
   * @param {() => number} [options.clock] Gives the time in milliseconds.
   */
  constructor (session, write, { workers = 1, pace = new Pace(), clock = () => performance.now() } = {}) {
    this.#session = session
    this.#write = write
    this.#pace = pace
    this.#clock = clock
    this.#idle = workers
  }

  /** Wakes as many workers as there are turns for. */
  start () {
    while (this.#idle > 0 && this.#session.turnCount > 0) {
      this.#idle -= 1
      this.#work()
    }
  }

  /** Sends nothing more; what the bot still computes is dropped. */
  stop () {
    this.#isOpen = false
  }

  async #work () {
    this.#since ||= this.#clock()
    for (let asked = this.#session.next(); asked && this.#isOpen; asked = this.#session.next()) {
      const began = this.#clock()
      const answer = await this.#session.answer(asked)
      this.#answers.push(answer)
      const now = this.#clock()
      this.#pace.note(now - began)
      if (!this.#pace.isCautious && now - this.#since < COLLECT_MS) continue
      await this.#flush()
      // A bot that never waits would otherwise keep news from coming in.
      await new Promise(setImmediate)
    }
    this.#idle += 1
    this.#flush()
    this.#since = 0
  }

  async #flush () {
    const frames = this.#isOpen ? answerFrames(this.#answers) : []
    this.#answers = []
    this.#since = this.#clock()
    await Promise.all(frames.map((frame) => this.#write(frame)))
  }
}

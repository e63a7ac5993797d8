/**
 * The JavaScript SDK of Hearts Arena.
 *
 * A bot is a class with `chooseCard(turn)`; `run` connects it:
 *
 *     import { run } from 'hearts-arena'
 *     await run(class { chooseCard(turn) { return turn.choices[0] } })
 */

export { Bot, highestCards } from './lib/bot.js'
export { CARDS, RANKS, SUITS, CardError, parseCard, points, rank, suit } from './lib/cards.js'
export { Rules } from './lib/rules.js'
export { ArenaError, run } from './lib/run.js'
export { Session } from './lib/session.js'
export { Turn } from './lib/turn.js'

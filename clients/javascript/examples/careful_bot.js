/**
 * A bot that gets rid of danger: it ducks when it can, keeps the queen of spades
 * covered, throws her on others, and takes a heart to stop a moon. It asks the rules
 * what a card costs, so it makes its way in every variant; what is special about one it
 * does not know.
 *
 *     HEARTS_TOKEN=… node examples/careful_bot.js
 */

import { fileURLToPath } from 'node:url'
import { Bot, rank, run, suit } from '../hearts.js'

/** Others should beware of a seat that alone has taken points, a third of them all. */
const MOON_PART = 3

/** To stop it a trick may cost less than a sixth of them. */
const STOP_PART = 6

export class CarefulBot extends Bot {
  choosePass (turn) {
    const hand = turn.choices
    const danger = (card) => passDanger(card, hand, turn.rules.points(card))
    return hand.sort((a, b) => danger(b) - danger(a)).slice(0, turn.answerCount)
  }

  chooseCard (turn) {
    const { choices, trick } = turn
    if (choices.length === 1) return choices[0]
    if (trick.length === 0) return lead(turn)
    if (suit(choices[0]) === suit(trick[0])) return follow(turn)
    return discard(choices, turn)
  }
}

/** How much a card is worth passing on. */
function passDanger (card, hand, points) {
  const fellows = hand.filter((other) => suit(other) === suit(card))
  if (suit(card) === 'S') {
    // Four low spades are cover enough for the high ones.
    const cover = fellows.filter((other) => rank(other) < 12).length
    return rank(card) < 12 ? 0 : 40 - 10 * cover + points
  }
  // High cards, and more so in suits that are nearly empty.
  return rank(card) + 2 * (4 - Math.min(4, fellows.length)) + points
}

/** The lead that the fewest cards in other hands are below. */
function lead (turn) {
  const out = cardsOut(turn)
  const queenOut = out.has('QS')
  const risk = (card) => {
    const others = [...out].filter((other) => suit(other) === suit(card))
    if (others.length === 0) return 20
    if (card === 'QS' || (queenOut && suit(card) === 'S' && rank(card) > 12)) return 30
    const below = others.filter((other) => rank(other) < rank(card)).length
    return (10 * below) / others.length + (suit(card) === 'H' ? 2 : 0)
  }
  return least(turn.choices, risk)
}

/** The highest card that loses; else, when last, the highest; else the lowest. */
function follow (turn) {
  const { choices, trick, carried, players, rules, winningCard } = turn
  // An equal card that comes later never wins.
  const below = choices.filter((card) => winningCard && rank(card) <= rank(winningCard))
  const taken = [...trick, ...carried].reduce((sum, card) => sum + rules.points(card), 0)
  const isLast = trick.length === players - 1
  const isCheap = taken > 0 && taken * STOP_PART < rules.totalPoints
  if (isLast && isCheap && shooter(turn) !== null) return choices.at(-1)
  if (below.includes('QS')) return 'QS'
  if (below.length > 0) return below.at(-1)
  const harmless = choices.filter((card) => card !== 'QS')
  return (isLast ? harmless.at(-1) : harmless[0]) ?? choices[0]
}

/** The queen, then high spades while she is about, then hearts, then high cards. */
function discard (choices, turn) {
  const queenOut = cardsOut(turn).has('QS')
  const threatens = shooter(turn) !== null && turn.trick.length > 0
  return least(choices, (card) => {
    if (card === 'QS') return threatens ? 0 : -100
    if (suit(card) === 'S' && rank(card) > 12 && queenOut) return -50 - rank(card)
    if (suit(card) === 'H') return threatens ? rank(card) : -20 - rank(card)
    return -rank(card)
  })
}

/** The cards that other hands may hold. */
function cardsOut (turn) {
  const gone = new Set([...turn.hand, ...turn.plays])
  return new Set(turn.rules.pack.filter((card) => !gone.has(card)))
}

/** The other seat that has taken all points so far, many of them; null if none. */
function shooter (turn) {
  const { points, rules } = turn
  const sum = points.reduce((total, taken) => total + taken, 0)
  if (!rules.hasMoon || sum * MOON_PART < rules.totalPoints) return null
  const seat = points.indexOf(sum)
  return seat === -1 || seat === turn.seat ? null : seat
}

/** The card of the least cost; of equal ones the first. */
function least (cards, cost) {
  return cards.reduce((best, card) => (cost(card) < cost(best) ? card : best))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await run(CarefulBot, { practice: process.argv.includes('--practice') })
}

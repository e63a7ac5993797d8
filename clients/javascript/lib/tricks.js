/**
 * Tricks: who wins one, and whose cards those of all tricks of a deal are.
 */

import { rank, suit } from './cards.js'

/**
 * The place in a trick, complete or not, of the card that wins it: the first of the
 * highest ones. It is -1 without cards, and when all cards of the suit led cancel each
 * other.
 */
export function winningPlace (cards, rules) {
  let best = -1
  cards.forEach((card, place) => {
    if (suit(card) !== suit(cards[0])) return
    if (rules.hasCancellation && !isSingle(card, cards)) return
    if (best < 0 || rank(card) > rank(cards[best])) best = place
  })
  return best
}

/** The cards of the tricks that each seat has taken, and of the kitty if it is told. */
export function takenCards (tricks, kitty, rules, players) {
  const taken = Array.from({ length: players }, () => [])
  const goesWithHearts = rules.options.leftover === 'kitty_first_heart'
  let pile = []
  tricks.forEach((trick, index) => {
    pile.push(...trick.cards)
    const isLast = index + 1 === rules.handSize
    const taker = trick.winner ?? (isLast ? lastTaker(trick, rules) : null)
    if (taker === null) return
    if (!goesWithHearts || pile.some((card) => suit(card) === 'H')) {
      pile.push(...kitty)
      kitty = []
    }
    taken[taker].push(...pile)
    pile = []
  })
  return taken
}

/** Who takes the last trick of a deal though nobody wins it; null for nobody. */
function lastTaker ({ cards, leader }, rules) {
  const rule = rules.options.cancel_last_trick
  if (rule === 'nobody') return null
  const alive = cards.filter((card) => isSingle(card, cards))
  if (rule !== 'second_highest' || alive.length === 0) return leader
  const best = alive.reduce((high, card) => (rank(card) > rank(high) ? card : high))
  return (leader + cards.indexOf(best)) % cards.length
}

function isSingle (card, cards) {
  return cards.indexOf(card) === cards.lastIndexOf(card)
}

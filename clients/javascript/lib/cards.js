/**
 * The vocabulary of cards: a card is its name, rank then suit, such as `QS`.
 *
 * On the wire a card is a number from 1 to 52. `CARDS` is in notation order,
 * 2C to AS, which is the order of the numbers.
 */

/** The suits in notation order: clubs, diamonds, hearts, spades. */
export const SUITS = 'CDHS'

/** The ranks from the lowest to the highest. */
export const RANKS = '23456789TJQKA'

/** The names of the 52 cards in notation order. */
export const CARDS = Object.freeze(
  [...SUITS].flatMap((suit) => [...RANKS].map((rank) => rank + suit))
)

const NUMBERS = new Map(CARDS.map((name, index) => [name, index + 1]))

/** Says that something is not a card. */
export class CardError extends Error {
  name = 'CardError'
}

/** The suit of a card: `C`, `D`, `H` or `S`. */
export function suit (card) {
  return card[1]
}

/** The rank of a card, 2 to 14; the ace is 14. */
export function rank (card) {
  return RANKS.indexOf(card[0]) + 2
}

/**
 * The penalty points of a card under the standard rules: 0, 1 or 13. What it costs in
 * the game at hand is `turn.rules.points(card)`.
 */
export function points (card) {
  if (card === 'QS') return 13
  return card[1] === 'H' ? 1 : 0
}

/**
 * Reads the name of a card, in either case; `10D` is accepted for `TD`.
 * Throws `CardError` when it names none.
 */
export function parseCard (text) {
  const name = String(text).trim().toUpperCase().replace(/^10/, 'T')
  if (NUMBERS.has(name)) return name
  throw new CardError(
    `'${text}' is not a card; expected a rank of ${RANKS} and a suit of ${SUITS}, for example QS`
  )
}

/** The number of a card on the wire. Throws `CardError`. */
export function cardNumber (card) {
  return NUMBERS.get(card) ?? NUMBERS.get(parseCard(card))
}

/** The name of the card with a number on the wire. Throws `CardError`. */
export function cardName (number) {
  const name = CARDS[number - 1]
  if (name === undefined) throw new CardError(`${number} is not the number of a card; expected 1 to 52`)
  return name
}

/** The names of the cards with these numbers. */
export function cardNames (numbers) {
  return numbers.map(cardName)
}

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CARDS, CardError, highestCards, parseCard, points, rank, suit } from '../hearts.js'
import { cardName, cardNumber } from '../lib/cards.js'

test('the number of a card is 13 * suit + rank + 1 in the order C D H S', () => {
  assert.deepEqual(['2C', 'AC', '2D', 'QS', 'AS'].map(cardNumber), [1, 13, 14, 50, 52])
  assert.deepEqual(CARDS.map(cardNumber).map(cardName), [...CARDS])
})

test('a card has a suit, a rank from 2 to 14, and points', () => {
  assert.deepEqual(['2C', 'TD', 'AH', 'QS'].map((card) => [suit(card), rank(card), points(card)]),
    [['C', 2, 0], ['D', 10, 0], ['H', 14, 1], ['S', 12, 13]])
})

test('names are read in either case, and 10 stands for T', () => {
  assert.deepEqual(['qs', ' 10d ', 'AH'].map(parseCard), ['QS', 'TD', 'AH'])
})

test('what names no card is refused with what was expected', () => {
  for (const wrong of ['', 'XS', 'Q', '1S', 0, 53]) {
    assert.throws(() => cardNumber(wrong), CardError)
  }
  assert.throws(() => cardName(53), /53 is not the number of a card; expected 1 to 52/)
})

test('the highest cards go by rank, equal ranks in the order S H D C', () => {
  assert.deepEqual(highestCards(['QC', 'AC', 'QD', 'KD', 'QH', 'QS'], 4), ['AC', 'KD', 'QS', 'QH'])
})

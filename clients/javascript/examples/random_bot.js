/**
 * A bot that passes and plays at random.
 *
 *     HEARTS_TOKEN=… node examples/random_bot.js
 */

import { run } from '../hearts.js'

class RandomBot {
  chooseCard (turn) {
    // The turn's own numbers: a rerun of the game plays the same way.
    return turn.choices[Math.floor(turn.random() * turn.choices.length)]
  }

  choosePass (turn) {
    const cards = turn.choices
    while (cards.length > turn.answerCount) {
      cards.splice(Math.floor(turn.random() * cards.length), 1)
    }
    return cards
  }
}

await run(RandomBot, { practice: process.argv.includes('--practice') })

"""A bot that notes every hand it is dealt, before anything else happens."""

import os

import hearts


class Watchful(hearts.Bot):
    """Plays its first legal card."""

    def choose_pass(self, turn: hearts.Turn) -> list[hearts.Card]:
        """Note the hand on the disk, since the process may be killed."""
        line = f"{turn.game_id} {turn.deal_number} {hearts.card_names(turn.hand)}\n"
        with open(f"{os.environ['HEARTS_BOT']}.hands", "a") as file:
            file.write(line)
        return turn.choices[:3]

    def choose_card(self, turn: hearts.Turn) -> hearts.Card:
        """Play the first legal card."""
        return turn.choices[0]


hearts.run(Watchful)

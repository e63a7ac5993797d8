"""Games as tables for analysis: a row a game, a deal, a turn."""

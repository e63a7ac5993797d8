"""Leagues: schedules of games between entrants, with ratings and logs."""

import logging

# Where nobody has asked for a log there is none; Python would write to the terminal.
logging.getLogger(__name__).addHandler(logging.NullHandler())

"""Leagues: schedules of games between entrants, with ratings and logs."""

"""Playing a league: who may sit down, which game is next, and when it is over."""

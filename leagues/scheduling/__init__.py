"""Schedules: who plays whom, in which seats and in which order."""

"""Fuzzing of all that reads what strangers wrote; `make fuzz` runs it for long."""

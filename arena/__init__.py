"""The arena: deals, judges and times games of Hearts between programs."""

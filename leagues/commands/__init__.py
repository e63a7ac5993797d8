"""The commands of `arena` that know leagues: thin, without logic of their own."""

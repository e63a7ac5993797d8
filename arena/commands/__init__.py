"""The commands of `arena`: thin, without logic that the library lacks."""

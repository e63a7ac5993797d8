"""A second engine of Hearts, written from the rule book alone.

It is slow and plain on purpose: cards are text such as "QS", hands are lists, and
every rule is a loop that can be read aloud. It shares no code with the arena's own
engine, so that what both say alike is very likely what the rules say.
"""

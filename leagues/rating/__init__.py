"""Ratings: what all results together say about each entrant, and how surely.

`leagues.rating.ratings` has `rate` and `Ratings`, which is all that others need.
"""

"""Reports: what a league's games say beyond its standings, a module for each kind.

`leagues.reports.kinds` has them by name; `leagues.reports.formats` writes them.
"""

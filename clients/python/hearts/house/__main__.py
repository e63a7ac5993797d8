"""`python -m hearts.house NAME` connects a house bot."""

import argparse

import hearts
from hearts.house import BOTS

parser = argparse.ArgumentParser(prog="python -m hearts.house")
parser.add_argument("name", choices=sorted(BOTS))
parser.add_argument("--max-games", type=int, default=64)
arguments = parser.parse_args()
hearts.run(BOTS[arguments.name], max_games=arguments.max_games)

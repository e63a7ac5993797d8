"""
A house bot as a program: `python -m hearts.house NAME`.

It finds the arena by the environment, like any other bot.
"""

import argparse

import hearts
from hearts.house import BOTS, describe


def main() -> None:
    """
    Play as the house bot that the command line names.
    """
    width = max(map(len, BOTS))
    parser = argparse.ArgumentParser(
        prog="python -m hearts.house",
        description="Connects a house bot to the arena at HEARTS_ARENA.",
        epilog="\n".join(
            ["house bots:", *(f"  {name:{width}}  {describe(name)}" for name in BOTS)]
        ),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("name", metavar="NAME", choices=BOTS, help="one of the below")
    parser.add_argument(
        "--max-games",
        metavar="N",
        type=int,
        default=64,
        help="the most games at once (default 64)",
    )
    arguments = parser.parse_args()
    if not 1 <= arguments.max_games <= 1024:
        parser.error(f"--max-games {arguments.max_games}: expected 1 to 1024")
    hearts.run(BOTS[arguments.name], max_games=arguments.max_games)


if __name__ == "__main__":
    main()

"""`arena bridge`: puts a bot that reads and writes JSON lines on the wire."""

from typing import Annotated

import typer

from arena.terminal import epilog


def add_to(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command(
        "bridge",
        epilog=epilog(
            "arena bridge -- awk -W interactive -f mybot.awk",
            "HEARTS_TOKEN=… arena bridge -- ./mybot",
        ),
        context_settings={"allow_interspersed_args": False},
    )(_bridge)


def _bridge(
    command: Annotated[
        list[str],
        typer.Argument(metavar="COMMAND…", help="The bot, after `--`."),
    ],
) -> None:
    """
    Connect a bot that reads a JSON line and answers one.

    The arena's address and the bot's token come from HEARTS_ARENA and
    HEARTS_TOKEN, as for every bot. The protocol is described in
    clients/stdio/README.md.
    """
    import hearts.bridge

    raise SystemExit(hearts.bridge.main(["--", *command]))

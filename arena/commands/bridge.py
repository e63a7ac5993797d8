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
        typer.Argument(metavar="COMMAND", help="The bot, after `--`."),
    ],
    *,
    practice: Annotated[
        bool, typer.Option("--practice", help="Play unrated games, at once.")
    ] = False,
    max_games: Annotated[
        int, typer.Option(metavar="N", min=1, max=1024, help="The most games at once.")
    ] = 8,
    bot_version: Annotated[
        str, typer.Option(metavar="TEXT", help="The version of the bot.")
    ] = "1",
) -> None:
    """
    Connect a bot that reads a JSON line and answers one.

    The arena's address and the bot's token come from HEARTS_ARENA and
    HEARTS_TOKEN, as for every bot. The protocol is described in
    clients/stdio/README.md. When the command ends by itself, its exit code is
    passed on, 127 when it can't be started.
    """
    import hearts.bridge

    options = ["--max-games", str(max_games), "--bot-version", bot_version]
    if practice:
        options.append("--practice")
    raise typer.Exit(hearts.bridge.main([*options, "--", *command]))

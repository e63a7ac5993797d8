"""`arena bot`: the bots that dial in, and their tokens."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

import typer

from arena.terminal import (
    DATA_DEFAULT,
    CommandError,
    DataOption,
    JsonOption,
    data_option,
    epilog,
    print_columns,
    print_json,
    print_note,
)
from leagues.commands.data import reading, writing_beside
from leagues.commands.league import PORT_DEFAULT, house_names
from leagues.storage.bots import BotError, add_bot, list_bots, revoke_bot
from leagues.storage.database import FILE_NAME
from leagues.storage.lock import served

app = typer.Typer(help="Add, list and revoke bots that dial in.", no_args_is_help=True)

NameArgument = Annotated[
    str, typer.Argument(metavar="NAME", help="The name of the bot.")
]


@app.command(
    "add",
    epilog=epilog("arena bot add fox --owner ann", "TOKEN=$(arena bot add fox)"),
)
def add(
    name: NameArgument,
    *,
    owner: Annotated[
        str,
        typer.Option(
            metavar="TEXT",
            help="Who wrote it; counts in leagues whose file names nobody.",
        ),
    ] = "",
    as_json: JsonOption = False,
    data: DataOption = DATA_DEFAULT,
) -> None:
    """
    Add a bot and print its token.

    The token is shown this once; only a digest of it is stored. A running arena
    knows the bot within a few seconds.
    """
    if name.lower() in house_names():
        raise CommandError(
            f"{name!r} is a house bot, which the arena starts itself under this name; "
            "expected another name"
        )
    with writing_beside(data) as store, _explained():
        token = add_bot(store, name, owner=owner)
    if as_json:
        print_json({"name": name, "owner": owner, "token": token})
        return
    typer.echo(token)
    found = served(data)
    address = found.address if found else f"127.0.0.1:{PORT_DEFAULT}"
    tls = " HEARTS_TLS_CA=ca.pem" if found and found.has_tls else ""
    making = ""
    if found and found.wants_certificate:
        tls += (
            f" HEARTS_TLS_CERT=client-{name}.pem HEARTS_TLS_KEY=client-{name}-key.pem"
        )
        making = f"\n`arena cert --client {name}` makes its certificate and key."
    print_note(
        f"This token of {name} is shown only once. The bot plays with it like this:\n"
        f"  HEARTS_ARENA={address}{tls} HEARTS_TOKEN={token} python mybot.py{making}"
    )


@app.command("list", epilog=epilog("arena bot list", "arena bot list --json"))
def list_(
    *,
    as_json: JsonOption = False,
    data: DataOption = DATA_DEFAULT,
) -> None:
    """List the bots, those with a revoked token too."""
    bots = []
    if (data / FILE_NAME).exists():
        with reading(data) as store:
            bots = list_bots(store)
    if as_json:
        keys = ("name", "owner", "created", "revoked")
        print_json([{key: getattr(bot, key) for key in keys} for bot in bots])
        return
    if not bots:
        print_note(f"no bots yet; `arena bot add NAME{data_option(data)}` adds one")
        return
    print_columns(
        ("Bot", "Owner", "Added", "Token"),
        [
            (
                bot.name,
                bot.owner or "-",
                bot.created,
                f"revoked {bot.revoked}" if bot.revoked else "in force",
            )
            for bot in bots
        ],
    )


@app.command("revoke", epilog=epilog("arena bot revoke fox"))
def revoke(name: NameArgument, *, data: DataOption = DATA_DEFAULT) -> None:
    """
    Make a bot's token worthless.

    The bot keeps its games and its place in standings; it can be added again
    with a new token.
    """
    with writing_beside(data) as store, _explained():
        revoke_bot(store, name)
    print_note(f"The token of {name} is revoked.")


@contextmanager
def _explained() -> Iterator[None]:
    try:
        yield
    except BotError as error:
        raise CommandError(str(error)) from None

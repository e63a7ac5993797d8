"""`arena cert`: certificates for an arena that other machines reach."""

from collections.abc import Collection
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.terminal import CommandError, epilog, print_columns, print_note

if TYPE_CHECKING:
    from arena.certificates import Paths

_FOLDER = Path("arena-tls")
_DAYS_MAX = 3650


def add_to(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command(
        "cert",
        epilog=epilog(
            "arena cert --host arena.example --host 192.168.1.20",
            "arena cert --client ann --client bob",
            "arena cert --host arena.example --days 90 --out /srv/tls",
        ),
    )(_cert)


def _cert(
    *,
    host: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="A name or IP address under which bots reach the arena; repeat for "
            "more. This machine's own (localhost, 127.0.0.1, ::1) are always there.",
        ),
    ] = None,
    client: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="Make a pair for a bot too, for an arena with --tls-client-ca; "
            "repeat for more.",
        ),
    ] = None,
    out: Annotated[
        Path, typer.Option(metavar="DIR", help="Where the files are written.")
    ] = _FOLDER,
    days: Annotated[
        int,
        typer.Option(
            metavar="N", min=1, max=_DAYS_MAX, help="How long the pairs are valid."
        ),
    ] = 365,
) -> None:
    """
    Make certificates for a class: an authority, a server pair, pairs for bots.

    The authority is made once in a folder and stays: later runs renew the server
    pair (with --host) or add pairs for bots (with --client) under the same ca.pem,
    so that nobody needs a new one. Keys are readable by you only.
    """
    # A package that no other command needs, and that takes a while to load.
    from arena.certificates import (
        Pair,
        Paths,
        check_client_name,
        issue_client,
        issue_server,
    )
    from arena.tls_files import TlsError

    server, _ = Paths(out).pair("server")
    if server.exists() and not host and not client:
        raise CommandError(
            f"{server} is there already; --host NAME renews it for the hosts that you "
            "name, --client NAME adds a pair for a bot"
        )
    made: list[Pair] = []
    now = datetime.now(UTC)
    try:
        for name in client or ():
            check_client_name(name)
        if host or not server.exists():
            made.append(issue_server(out, hosts=host or (), days=days, now=now))
        made += [issue_client(out, name, days=days, now=now) for name in client or ()]
    except TlsError as error:
        raise CommandError(str(error)) from None
    print_columns(
        ("Certificate", "Key", "Valid until"),
        [
            (str(pair.certificate), str(pair.key), pair.valid_until.date().isoformat())
            for pair in made
        ],
    )
    for pair in made:
        if pair.hosts:
            print_note(f"{pair.certificate} is valid for {', '.join(pair.hosts)}")
    _tell_uses(Paths(out), client or ())


def _tell_uses(paths: "Paths", clients: Collection[str]) -> None:
    """Say what becomes of the files, and whose they are."""
    certificate, key = paths.pair("server")
    asking = f" --tls-client-ca {paths.ca}" if clients else ""
    print_note(
        f"Start the arena with --tls-cert {certificate} --tls-key {key}{asking}\n"
        f"Hand {paths.ca} to everybody: bots name it in HEARTS_TLS_CA."
    )
    for name in clients:
        certificate, key = paths.pair(f"client-{name}")
        print_note(
            f"Hand {certificate} and {key} to {name} alone: the bot names them in "
            "HEARTS_TLS_CERT and HEARTS_TLS_KEY."
        )

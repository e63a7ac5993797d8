"""Where a command's arena listens: its options, and what they allow."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from arena.listen import Listen, Tls
from arena.terminal import CommandError, print_note

__all__ = [
    "HostOption",
    "InsecureOption",
    "TlsCertOption",
    "TlsClientCaOption",
    "TlsKeyOption",
    "chosen_listen",
]

HostOption = Annotated[
    str,
    typer.Option(
        "--host",
        metavar="ADDRESS",
        help="The address to listen on; 0.0.0.0 or :: is every one of this machine.",
    ),
]
TlsCertOption = Annotated[
    Path | None,
    typer.Option(
        "--tls-cert",
        metavar="FILE",
        help="The arena's certificate, as `arena cert` makes it; turns TLS on.",
    ),
]
TlsKeyOption = Annotated[
    Path | None,
    typer.Option("--tls-key", metavar="FILE", help="The key of that certificate."),
]
TlsClientCaOption = Annotated[
    Path | None,
    typer.Option(
        "--tls-client-ca",
        metavar="FILE",
        help="Admit only bots with a certificate that this authority has issued.",
    ),
]
InsecureOption = Annotated[
    bool,
    typer.Option(
        "--insecure",
        help="Let other machines in without TLS: tokens, cards and metrics travel "
        "unencrypted.",
    ),
]


def chosen_listen(
    host: str,
    port: int,
    *,
    certificate: Path | None,
    key: Path | None,
    client_ca: Path | None,
    allows_insecure: bool,
) -> Listen:
    """
    Return where to listen.

    Raises:
        CommandError: A file can't be used, or other machines would be let in
            without TLS and nobody has said that this is meant.
    """
    tls = _chosen_tls(certificate, key, client_ca)
    listen = Listen(host, port, tls)
    if tls is None and not listen.is_loopback and not allows_insecure:
        raise CommandError(
            f"--host {host} lets other machines in, and without TLS tokens and cards "
            "travel unencrypted; give --tls-cert and --tls-key (`arena cert` makes "
            "them), or add --insecure if the network is to be trusted"
        )
    return listen


def _chosen_tls(
    certificate: Path | None, key: Path | None, client_ca: Path | None
) -> Tls | None:
    if certificate is None or key is None:
        given = {
            "--tls-cert": certificate,
            "--tls-key": key,
            "--tls-client-ca": client_ca,
        }
        for option, value in given.items():
            if value is not None:
                missing = [o for o in ("--tls-cert", "--tls-key") if given[o] is None]
                raise CommandError(
                    f"{option} {value} is of no use without {' and '.join(missing)}"
                )
        return None
    # A package that takes a while to load, and that no arena without TLS needs.
    from arena.tls_files import TlsError, TlsFiles

    files = TlsFiles(certificate, key, client_ca, clock=lambda: datetime.now(UTC))
    try:
        tls = files.read()
        for text in files.warnings():
            print_note(f"warning: {text}")
    except TlsError as error:
        raise CommandError(str(error)) from None
    return tls

"""
A bot as a program: `run` plays until the process is told to stop.
"""

import asyncio
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Coroutine, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from importlib import metadata
from typing import Any, Final, TypeAlias

from hearts.arena.v1 import play_pb2
from hearts.bot import Bot, ChoosesCards
from hearts.channel import AddressError, ArenaRefusedError, parse_address
from hearts.client import Client
from hearts.loop import run as run_loop
from hearts.profile import ANY_PRESET, PLAYERS_ANY, Profile
from hearts.pulse import PulseThread
from hearts.session import Asked, Session
from hearts.tls import File, TlsError, read_tls

DEFAULT_ADDRESS: Final = "127.0.0.1:50051"
"""Where an arena is looked for when nothing else is said."""

REFUSED: Final = 2
"""The exit code of a program that no arena will let play."""

INTERRUPTED: Final = 130
"""The exit code after one signal too many, which ends a bot in mid-thought."""

_TlsFiles: TypeAlias = tuple[File | None, File | None, File | None]
"""The authority, the certificate and its key; None means that of the environment."""


def run(
    bot_class: Callable[[], ChoosesCards],
    *,
    address: str | None = None,
    token: str | None = None,
    version: str = "1",
    max_games: int = 8,
    workers: int = 1,
    practice: bool = False,
    instance: str | None = None,
    presets: Iterable[str] = (ANY_PRESET,),
    players: Iterable[int] = PLAYERS_ANY,
    two_packs: bool = True,
    tls_ca: File | None = None,
    tls_cert: File | None = None,
    tls_key: File | None = None,
) -> None:
    """
    Play games with a bot until the process gets SIGINT or SIGTERM.

    After SIGINT (ctrl-c) it takes no new games and ends when those that are open are
    over; a second one gives them up, as SIGTERM does at once.

    One object of `bot_class` is made for each game. Waits for an arena that is
    not up yet, and connects again when it is lost. What the bot raises costs it
    the answer in question; the traceback goes to standard error.

    Whoever chooses among `turn.choices` plays legally under all rules, so a bot is
    seated in every game unless `presets`, `players` and `two_packs` say what it
    leaves out.

    Args:
        address: HOST:PORT of the arena; default `HEARTS_ARENA`, else this machine.
        token: The bot's token; default `HEARTS_TOKEN`.
        version: The version of the bot, at most 40 printable characters of ASCII,
            with no space at either end nor two in a row; empty means "1".
        max_games: The most games at once, 1 to 1024.
        workers: How many turns to compute at the same time, 1 to 64. With more
            than one, the methods of a bot are called in threads, though those of
            one object never at the same time.
        practice: Play unrated games with house bots, at once; also without this
            argument when `HEARTS_PRACTICE` is 1.
        instance: The name of this process, at most 40 characters. A second
            process with the same one takes the games of the first one over.
        presets: The presets that the bot can play; `*` means any.
        players: The numbers of seats that it can play with, 3 to 11.
        two_packs: Whether it can play with two packs.
        tls_ca: The file with the authority of an arena that speaks TLS, or `public`
            for those that browsers trust; default `HEARTS_TLS_CA`. Without one the
            connection is not encrypted.
        tls_cert: The file with the bot's certificate, for an arena that asks for
            one; default `HEARTS_TLS_CERT`.
        tls_key: The file with the key of that certificate; default `HEARTS_TLS_KEY`.

    Raises:
        SystemExit: With code 2 when `bot_class` has no `choose_card` of its own or
            the arena refuses the bot; a line on standard error says why.
        TypeError: `bot_class` is not a class.
        ValueError: A number is out of its range.
    """
    if not callable(bot_class):
        raise TypeError(f"{bot_class!r} is not a class with a method choose_card")
    _check_methods(bot_class)
    if not 1 <= max_games <= 1024:
        raise ValueError(f"max_games is {max_games}; expected 1 to 1024")
    if not 1 <= workers <= 64:
        raise ValueError(f"workers is {workers}; expected 1 to 64")
    seats = tuple(players)
    if not seats or not {*seats} <= {*PLAYERS_ANY}:
        raise ValueError(f"players is {seats}; expected numbers from 3 to 11")
    session = Session(
        bot_class,
        Profile(
            version=version,
            instance=instance or "",
            sdk=sdk_name(),
            max_games=max_games,
            workers=workers,
            practice=practice or wants_practice(),
            presets=tuple(presets),
            players=seats,
            two_packs=two_packs,
        ),
        clock=time.monotonic,
        report=report,
        pulse=PulseThread(time.monotonic),
    )
    files = (tls_ca, tls_cert, tls_key)
    run_until_done(lambda: _play(session, address=address, token=token, tls=files))


def _check_methods(bot_class: Callable[[], ChoosesCards]) -> None:
    """
    End the program if its bot would fail on every card, most likely for a typo.
    """
    # `Bot` itself has the method only to say that it is missing.
    if getattr(bot_class, "choose_card", Bot.choose_card) is Bot.choose_card:
        name = getattr(bot_class, "__name__", repr(bot_class))
        own = [name for name in getattr(bot_class, "__dict__", ()) if name[0] != "_"]
        found = f"; it has {', '.join(own)}" if own else ""
        report(f"{name} has no method choose_card(self, turn){found}")
        raise SystemExit(REFUSED)


async def _play(
    session: Session, *, address: str | None, token: str | None, tls: _TlsFiles
) -> None:
    workers = session.profile.workers
    pool = ThreadPoolExecutor(workers, "hearts-worker") if workers > 1 else None
    loop = asyncio.get_running_loop()

    async def choose(asked: Asked) -> play_pb2.Answer:
        return await loop.run_in_executor(pool, session.choose, asked)

    client = open_client(
        session,
        address=address,
        token=token,
        tls=tls,
        chooser=choose if pool else None,
    )
    try:
        with stop_signals(client):
            await client.run()
    finally:
        if pool is not None:
            pool.shutdown(wait=False, cancel_futures=True)


def open_client(
    session: Session,
    *,
    address: str | None,
    token: str | None,
    tls: _TlsFiles = (None, None, None),
    chooser: Callable[[Asked], Coroutine[Any, Any, play_pb2.Answer]] | None = None,
) -> Client:
    """
    Make a client from arguments, or from the environment where they are None.

    Raises:
        AddressError: The address cannot be read.
        TlsError: A file for TLS cannot be used.
    """
    if not address and (path := os.environ.get("HEARTS_SOCKET")):
        address = f"unix:{path}"
    address = address or os.environ.get("HEARTS_ARENA") or DEFAULT_ADDRESS
    token = os.environ.get("HEARTS_TOKEN", "") if token is None else token
    return Client(
        session,
        address=parse_address(address),
        token=token,
        report=report,
        chooser=chooser,
        tls=read_tls(*tls),
    )


def wants_practice() -> bool:
    """
    Whether the environment asks for unrated games.
    """
    return os.environ.get("HEARTS_PRACTICE") == "1"


def run_until_done(
    play: Callable[[], Coroutine[Any, Any, None]], *, with_children: bool = False
) -> None:
    """
    Run a program's coroutine; turn a refusal into an exit code and a line.

    Raises:
        SystemExit: The arena refused, or there was a signal too many.
    """
    try:
        run_loop(play(), with_children=with_children)
    except (ArenaRefusedError, AddressError, TlsError) as error:
        report(str(error))
        raise SystemExit(REFUSED) from None
    except KeyboardInterrupt:
        raise SystemExit(INTERRUPTED) from None


@contextmanager
def stop_signals(client: Client) -> Iterator[None]:
    """
    Let SIGINT finish the open games of a client, and SIGTERM or one more stop it.

    What comes after that ends the process, even in the middle of a bot's thought.
    Must be entered in the loop of the client.
    """
    if threading.current_thread() is not threading.main_thread():
        # Only the main thread may take signals; whoever runs a bot in another
        # one has them already.
        yield
        return
    loop = asyncio.get_running_loop()
    is_finishing = is_stopping = False

    # Not `loop.add_signal_handler`: a bot that computes for ever would keep the
    # loop from ever noticing the second signal.
    def stop(signal_number: int, frame: object) -> None:
        nonlocal is_finishing, is_stopping
        if is_stopping:
            raise KeyboardInterrupt
        may_finish = signal_number == signal.SIGINT and not is_finishing
        if may_finish and client.can_finish:
            is_finishing = True
            _report_at_once(
                f"finishing {_games(client)}; ctrl-c again leaves at once and gives"
                " them up"
            )
            loop.call_soon_threadsafe(client.finish)
            return
        is_stopping = True
        if client.open_games:
            why = "this arena is too old to let them end; " if may_finish else ""
            _report_at_once(f"{why}leaving at once: {_games(client)} given up")
        loop.call_soon_threadsafe(client.stop)

    numbers = (signal.SIGINT, signal.SIGTERM)
    previous = [signal.signal(number, stop) for number in numbers]
    try:
        yield
    finally:
        for number, before in zip(numbers, previous, strict=True):
            signal.signal(number, before)


def _games(client: Client) -> str:
    count = client.open_games
    return f"{count} open game{'' if count == 1 else 's'}"


def _report_at_once(text: str) -> None:
    """
    Report from within a signal's handler, unless that came in the middle of a report.
    """
    with suppress(RuntimeError):
        report(text)


def report(text: str) -> None:
    """
    Write a text for people to standard error, under the name of the bot.
    """
    sys.stderr.write(f"{os.environ.get('HEARTS_BOT') or 'hearts'}: {text}\n")
    sys.stderr.flush()


def sdk_name() -> str:
    """
    The name and version of this SDK.
    """
    try:
        version = metadata.version("hearts-arena")
    except metadata.PackageNotFoundError:
        version = "unknown"
    return f"hearts-python {version}"

"""Leagues say which bots have no token to dial in with, and how they get one."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import trio
import trio.testing

from leagues.commands.live import WaitingNote, running_words
from leagues.commands.running import bot_tokens, keep_fresh, with_tokens
from leagues.config import parse_league
from leagues.running.hosting import Hosted
from leagues.running.runner import Progress
from leagues.storage.bots import BotTokens, add_bot, revoke_bot
from leagues.storage.store import Store, StoreError

LEAGUE = "name = 'demo'\n[[entrant]]\nhouse = 'careful'\n" + "".join(
    f"[[entrant]]\nbot = '{bot}'\n" for bot in ("ada", "grace", "mary")
)
WAITING = Progress(
    league="demo",
    finished=0,
    planned=9,
    running=0,
    waiting_for=("careful", "ada", "grace", "mary"),
    voids=0,
    refused={"ada": "plays at 3 seats only, not at 4"},
)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """A store in which ada has a token, and mary's is revoked."""
    with Store.open(tmp_path / "my data", command="a test") as opened:
        add_bot(opened, "ada")
        add_bot(opened, "mary")
        revoke_bot(opened, "mary")
        yield opened


def opened(store: Store) -> BotTokens:
    """The tokens for a league of a house bot and three that dial in."""
    hosted = Hosted(parse_league(LEAGUE, file="demo.toml"), Path())
    return bot_tokens(store, [hosted])


def test_who_has_no_token_is_told_at_the_start(
    store: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    """A league that would wait for ever says for what."""
    opened(store)

    assert (
        f"grace has no token: `arena bot add grace --data '{store.directory}'`\n"
        "mary has only a revoked token: `arena bot add mary --data "
        f"'{store.directory}'`\n"
    ) == capsys.readouterr().err


def test_who_has_no_token_is_told_in_the_waiting_line(store: Store) -> None:
    """Whoever gets a token meanwhile is waited for like all others."""
    bots = opened(store)
    before = with_tokens(WAITING, bots, Path("data"))
    add_bot(store, "grace")
    revoke_bot(store, "ada")
    bots.refresh()
    after = with_tokens(WAITING, bots, Path("data"))

    assert (
        "careful, ada (it plays at 3 seats only, not at 4), "
        "grace (it has no token: `arena bot add grace --data data`), "
        "mary (it has only a revoked token: `arena bot add mary --data data`)"
    ) == before.waiting_text()
    assert ("ada", "mary") == tuple(sorted(after.refused))
    assert ("grace" in before.refused, "grace" in after.refused) == (True, False)


def test_an_arena_that_only_reads_misses_its_store(store: Store) -> None:
    """Without a league nothing is written, and yet a store that is gone ends it."""
    bots = opened(store)

    (store.directory / "arena.sqlite").unlink()

    async def main() -> None:
        with trio.move_on_after(60):
            await keep_fresh(bots, store)

    clock = trio.testing.MockClock(autojump_threshold=0.01)
    with pytest.raises(StoreError, match="removed or replaced while the arena had it"):
        trio.run(main, clock=clock)


def test_nobody_is_waited_for_while_nothing_starts() -> None:
    """A pause is told, and no names beside it; what is lacking is told instead."""
    paused = replace(WAITING, paused="lunch")
    few = replace(WAITING, waiting_for=(), lack="1 more bot: 3 here, 4 needed")

    assert "0 running, paused: lunch" == running_words(paused)
    assert "" == WaitingNote(["ada"]).text(paused)
    assert "0 running, waiting for 1 more bot: 3 here, 4 needed" == running_words(few)
    assert "demo: 0 of 9 games; waiting for 1 more bot: 3 here, 4 needed" == (
        WaitingNote([]).text(few)
    )

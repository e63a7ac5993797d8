"""The tokens of bots that dial in, on disk."""

from pathlib import Path

import pytest

from arena.server import token_digest
from leagues.storage.bots import BotError, BotTokens, add_bot, list_bots, revoke_bot
from leagues.storage.store import Store


def test_tokens_are_found_by_their_digests(store: Store) -> None:
    """A token is shown once, and only its digest is kept."""
    token = add_bot(store, "ann", owner="Ann")
    tokens = BotTokens(store)
    identity = tokens.find(token_digest(token))

    assert token.startswith("hb_")
    assert 35 == len(token)
    assert identity is not None
    assert ("ann", "Ann", False) == (identity.name, identity.owner, identity.one_use)
    assert tokens.find(token_digest("hb_wrong")) is None
    assert token.encode() not in (store.directory / "arena.sqlite-wal").read_bytes()
    with pytest.raises(KeyError):
        tokens.exchange(token_digest(token))


def test_a_revoked_token_is_worthless(store: Store) -> None:
    """After a refresh nobody finds it, and the bot may have a new one."""
    token = add_bot(store, "ann")
    tokens = BotTokens(store)
    with pytest.raises(BotError, match="'Ann' exists; revoke its token first"):
        add_bot(store, "Ann")
    revoke_bot(store, "ann")

    assert tokens.find(token_digest(token)) is not None
    tokens.refresh()
    assert tokens.find(token_digest(token)) is None
    assert token != add_bot(store, "ann")
    assert [False, True] == [bot.revoked is None for bot in list_bots(store)]


def test_names_of_started_programs_are_reserved(store: Store) -> None:
    """Nobody can dial in under the name of a program that the arena starts."""
    token = add_bot(store, "careful")

    assert BotTokens(store).find(token_digest(token)) is not None
    assert BotTokens(store, reserved=["careful"]).find(token_digest(token)) is None


def test_bots_can_be_added_beside_the_owner(store: Store, tmp_path: Path) -> None:
    """The arena need not stop for a new bot."""
    tokens = BotTokens(store)
    with Store.open_beside(store.directory) as beside:
        token = add_bot(beside, "ann")
    tokens.refresh()
    with Store.open_beside(tmp_path / "fresh") as fresh:
        add_bot(fresh, "bob")

        assert ["bob"] == [bot.name for bot in list_bots(fresh)]

    assert tokens.find(token_digest(token)) is not None


def test_bad_bots_are_refused(store: Store) -> None:
    """Names that are none, and bots that do not exist, are errors."""
    with pytest.raises(BotError, match="'a/b' is no name"):
        add_bot(store, "a/b")
    with pytest.raises(BotError, match="no bot 'ann' with a token in force"):
        revoke_bot(store, "ann")

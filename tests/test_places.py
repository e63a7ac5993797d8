"""Places: slow bots hold up nobody, and programs that think share the cores."""

from hypothesis import given
from hypothesis import strategies as st

from arena.introduction import Introduction
from arena.presence import Presence
from leagues.running.places import Places, slow_bots

BOTS = ("a", "b", "c", "d", "e", "f")
Games = list[tuple[str, ...]]


def present(
    means: dict[str, float], *, max_games: int = 8, workers: int = 1
) -> dict[str, Presence]:
    """All bots, connected, with the mean times that are known."""
    return {
        bot: Presence(
            1,
            max_games,
            0,
            (Introduction(bot, workers=workers),),
            means.get(bot, 0.0),
        )
        for bot in BOTS
    }


def places(
    *,
    programs: str = "",
    cores: int = 2,
    said: list[str] | None = None,
) -> Places:
    """Places at tables of four, plenty of them."""
    notes = [] if said is None else said
    return Places(
        seats=4,
        tables_max=96,
        programs=programs,
        cores=cores,
        say=notes.append,
    )


def test_quick_bots_have_all_their_places() -> None:
    """Whoever is about as quick as the others plays as many games as it can."""
    here = present({"a": 0.2, "b": 0.1, "c": 0.03, "d": 0.02})
    running: Games = [("a", "b", "c", "d"), ("a", "b", "e", "f")]
    free = places().free(here, running)

    assert {"a": 6, "b": 6, "c": 7, "d": 7, "e": 7, "f": 7} == free


def test_a_slow_bot_gets_a_quarter_of_the_tables() -> None:
    """Of six bots with eight places each twelve tables can run: three with the slow."""
    said: list[str] = []
    here = present(dict.fromkeys(BOTS, 0.001) | {"a": 0.2})
    running: Games = [("a", "b", "c", "d")] * 2
    given = places(said=said)
    free = [given.free(here, running[:count]) for count in (0, 1, 2)]

    assert [3, 2, 1] == [one["a"] for one in free]
    assert 6 == free[2]["b"]
    assert 1 == len(said)
    assert said[0].startswith("a takes 200 ms a turn, far more than the others: it is ")


def test_a_slow_bot_has_two_tables_for_each_worker() -> None:
    """Fewer would leave some of its workers idle."""
    here = present(dict.fromkeys(BOTS, 0.001) | {"a": 0.2}, workers=3)

    assert 6 == places().free(here, [])["a"]


@given(st.dictionaries(st.sampled_from(BOTS), st.floats(0, 10)))
def test_not_all_can_be_slow(means: dict[str, float]) -> None:
    """At most half of the measured bots are slow, and the quickest never is."""
    slow = slow_bots(present(means))
    known = {bot: mean for bot, mean in means.items() if mean}

    assert 2 * len(slow) <= len(known)
    assert not known or min(known, key=lambda bot: known[bot]) not in slow


def test_programs_that_think_take_turns() -> None:
    """With two cores one game with them runs at a time, and light ones beside it."""
    said: list[str] = []
    given = places(programs="abc", said=said)
    here = present({"a": 0.006, "b": 0.001, "c": 0.001})
    before = given.free(here, [("b", "c", "d", "e")] * 3)
    after = given.free(here, [("a", "b", "c", "d")])

    assert (8, 5) == (before["a"], before["b"])
    assert (0, 7, 8) == (after["a"], after["b"], after["e"])
    assert 1 == len(said)
    assert "a thinks for 6 ms a turn on this machine: at most 1 of the games" in said[0]


def test_who_dials_in_thinks_on_another_machine() -> None:
    """Their time is no reason to hold anybody back."""
    free = places().free(present({"a": 0.04}), [("a", "b", "c", "d")])

    assert 7 == free["a"]


def test_a_program_is_taken_for_heavy_until_it_is_measured() -> None:
    """Else all its games would have begun before anybody knew."""
    given = places(programs="a", cores=3)
    running: Games = [("a", "b", "c", "d"), ("a", "d", "e", "f")]

    assert 0 == given.free(present({}), running)["a"]
    assert 6 == given.free(present({"a": 0.001}), running)["a"]


def test_a_program_is_light_again_well_below_the_mark() -> None:
    """Between the marks it stays what it was."""
    given = places(programs="a")
    running: Games = [("a", "b", "c", "d")]
    means = (0.004, 0.006, 0.004, 0.002, 0.004)

    assert [7, 0, 0, 7, 7] == [
        given.free(present({"a": mean}), running)["a"] for mean in means
    ]

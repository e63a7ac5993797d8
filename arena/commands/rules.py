"""`arena rules`: which rules there are, what one says, how two differ."""

from collections.abc import Iterable
from typing import Annotated

import typer

from arena.options import RulesError
from arena.presets import PRESETS
from arena.rules import RuleSet, parse_rules
from arena.rules_text import (
    difference_text,
    difference_value,
    rules_text,
    rules_value,
    seats_words,
)
from arena.terminal import CommandError, JsonOption, epilog, print_columns, print_json

app = typer.Typer(help="Rules: every preset, in words.", no_args_is_help=True)

PlayersOption = Annotated[
    int | None,
    typer.Option(metavar="N", help="How many seats.", show_default="4, or the fewest"),
]


@app.command(
    "list",
    epilog=epilog("arena rules list", "arena rules list --json | jq '.[].preset'"),
)
def list_rules(*, as_json: JsonOption = False) -> None:
    """List the presets: name, numbers of seats, what each is."""
    if as_json:
        print_json(
            [
                {"preset": name, "seats": list(made.seats), "title": made.title}
                for name, made in PRESETS.items()
            ]
        )
        return
    rows = [
        (name, seats_words(made.seats), made.title) for name, made in PRESETS.items()
    ]
    print_columns(("preset", "seats", "is"), rows)


@app.command(
    "show",
    epilog=epilog(
        "arena rules show standard --players 5",
        "arena rules show party --rule moon=add --rule target=50",
        "arena rules show spot --json",
    ),
)
def show_rules(
    preset: Annotated[str, typer.Argument(metavar="PRESET", help="Which rules.")],
    *,
    players: PlayersOption = None,
    rule: Annotated[
        list[str] | None,
        typer.Option(metavar="OPTION=VALUE", help="Change an option; repeatable."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """
    Tell the rules of a preset in words, then every option and what it means.

    Options that differ from the preset arena are marked with a star.
    """
    rules = chosen_rules(preset, players, rule or ())
    if as_json:
        print_json(rules_value(rules))
        return
    typer.echo(rules_text(rules), nl=False)


@app.command(
    "diff",
    epilog=epilog(
        "arena rules diff arena standard",
        "arena rules diff standard/5 party/5",
        "arena rules diff standard party --players 6 --json",
    ),
)
def diff_rules(
    one: Annotated[
        str, typer.Argument(metavar="A", help="A preset, or preset/players.")
    ],
    other: Annotated[str, typer.Argument(metavar="B", help="The other.")],
    *,
    players: PlayersOption = None,
    as_json: JsonOption = False,
) -> None:
    """Tell in which options two presets differ."""
    first, second = (_named_rules(name, players) for name in (one, other))
    if as_json:
        print_json(difference_value(first, second))
        return
    typer.echo(difference_text(first, second), nl=False)


def _named_rules(name: str, players: int | None) -> RuleSet:
    """Return the rules of `preset` or `preset/players`."""
    preset, slash, seats = name.partition("/")
    return chosen_rules(preset, seats if slash else players, ())


def chosen_rules(
    preset: str, players: int | str | None, changes: Iterable[str]
) -> RuleSet:
    """
    Return the rules that a command's options name.

    Args:
        preset: Which rules.
        players: How many seats, None for the preset's own number.
        changes: What `--rule` says, each `OPTION=VALUE`.

    Raises:
        CommandError: There are no such rules.
    """
    options: dict[str, object] = {"preset": preset, "players": players}
    for change in changes:
        option, sign, value = (part.strip() for part in change.partition("="))
        if not sign:
            raise CommandError(
                f"--rule {change}: expected OPTION=VALUE, like target=50"
            )
        if option in ("preset", "players"):
            how = "PRESET" if option == "preset" else "--players N"
            raise CommandError(f"--rule {change}: this is set by {how}")
        if option in options:
            raise CommandError(f"--rule {change}: {option} is set twice")
        options[option] = value
    try:
        return parse_rules(options)
    except RulesError as error:
        raise CommandError(str(error)) from None

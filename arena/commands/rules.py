"""`arena rules`: which rules there are, what one says, how two differ."""

from collections.abc import Iterable
from typing import Annotated

import typer

from arena.excerpt import cut
from arena.options import RulesError
from arena.presets import PRESETS
from arena.rules import RuleSet, parse_rules
from arena.rules_text import (
    difference_text,
    difference_value,
    options_text,
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
        "arena rules show standard/5",
        "arena rules show party --rule moon=add --rule target=50",
        "arena rules show spot --options",
        "arena rules show spot --json",
    ),
)
def show_rules(
    preset: Annotated[
        str,
        typer.Argument(metavar="PRESET", help="A preset, or preset/players."),
    ],
    *,
    players: PlayersOption = None,
    rule: Annotated[
        list[str] | None,
        typer.Option(metavar="OPTION=VALUE", help="Change an option; repeatable."),
    ] = None,
    all_options: Annotated[
        bool,
        typer.Option("--options", help="Tell every option and what its value means."),
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """
    Tell the rules of a preset in words, and what it has otherwise than arena.

    With --options, tell each option instead. A star marks what is not as in the
    preset arena, a plus what is not as in the preset itself.
    """
    rules = chosen_rules(preset, players, rule or ())
    if as_json:
        print_json(rules_value(rules))
        return
    typer.echo(options_text(rules) if all_options else rules_text(rules), nl=False)


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
    first, second = (
        chosen_rules(name, None if "/" in name else players, ())
        for name in (one, other)
    )
    if as_json:
        print_json(difference_value(first, second))
        return
    typer.echo(difference_text(first, second), nl=False)


def chosen_rules(name: str, players: int | None, changes: Iterable[str]) -> RuleSet:
    """
    Return the rules that a command's options name.

    Args:
        name: Which rules: a preset, or preset/players.
        players: How many seats, None for what the name says, or else for the
            preset's own number.
        changes: What `--rule` says, each `OPTION=VALUE`.

    Raises:
        CommandError: There are no such rules.
    """
    preset, slash, seats = name.partition("/")
    if slash and players is not None:
        raise CommandError(
            f"{cut(name)} --players {players}: the number of seats is set twice"
        )
    options: dict[str, object] = {
        "preset": preset,
        "players": seats if slash else players,
    }
    for change in changes:
        option, sign, value = (part.strip() for part in change.partition("="))
        if not sign:
            raise CommandError(
                f"--rule {cut(change)}: expected OPTION=VALUE, like target=50"
            )
        if option in ("preset", "players"):
            how = "PRESET" if option == "preset" else "--players N"
            raise CommandError(f"--rule {cut(change)}: this is set by {how}")
        if option in options:
            raise CommandError(f"--rule {cut(change)}: {cut(option)} is set twice")
        options[option] = value
    try:
        return parse_rules(options)
    except RulesError as error:
        raise CommandError(str(error)) from None

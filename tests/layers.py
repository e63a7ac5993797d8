"""The picture in ARCHITECTURE.md as a table, which tests/test_layers.py enforces.

A module may import from its own layer and from those above it in `LAYERS`, never from
those below. A new module has to be entered here first, so that someone decides where
it belongs.
"""

from __future__ import annotations

LAYERS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("cards", ("arena.arrangements", "arena.cards", "arena.excerpt")),
    (
        "rules",
        (
            "arena.meaning",
            "arena.nearest",
            "arena.options",
            "arena.play_meanings",
            "arena.presets",
            "arena.rules",
            "arena.rules_effect",
            "arena.rules_text",
            "arena.rules_words",
            "arena.scoring_meanings",
        ),
    ),
    (
        "deal",
        (
            "arena.deal",
            "arena.double_deal",
            "arena.history",
            "arena.illegal",
            "arena.seeds",
        ),
    ),
    ("game", ("arena.game", "arena.scoring")),
    ("view", ("arena.view",)),
    (
        "record",
        ("arena.document", "arena.missed", "arena.record", "arena.substitution"),
    ),
    (
        "verify",
        (
            "arena.causes",
            "arena.claims",
            "arena.commitment",
            "arena.mismatch",
            "arena.notation*",
            "arena.perft",
            "arena.position",
            "arena.replay",
            "arena.rotations",
            "arena.transcript",
            "arena.verdict",
            "arena.verify",
        ),
    ),
    (
        "table",
        (
            "arena.spec",
            "arena.spread",
            "arena.evidence",
            "arena.table",
            "arena.chronicle",
        ),
    ),
    (
        "host",
        (
            "arena.bucket",
            "arena.clock",
            "arena.counters",
            "arena.desk",
            "arena.disturbance",
            "arena.floor",
            "arena.host",
            "arena.introduction",
            "arena.lateness",
            "arena.news",
            "arena.observation",
            "arena.outage",
            "arena.presence",
            "arena.reports",
            "arena.roster",
            "arena.running",
            "arena.session",
            "arena.strays",
            "arena.timekeeper",
            "arena.timers",
        ),
    ),
    ("wire", ("arena.turn_bytes", "arena.wire")),
    (
        "edge",
        (
            "arena.bindings",
            "arena.edge*",
            "arena.listen",
            "arena.logs",
            "arena.status",
        ),
    ),
    (
        "server",
        (
            "arena.certificates",
            "arena.local",
            "arena.metrics",
            "arena.server",
            "arena.stand_in",
            "arena.tls_files",
        ),
    ),
    ("schedule", ("leagues.scheduling.*",)),
    (
        "rating",
        (
            "leagues.rating.bootstrap",
            "leagues.rating.errors",
            "leagues.rating.fit",
            "leagues.rating.live",
            "leagues.rating.marks",
            "leagues.rating.pairs",
            "leagues.rating.points",
            "leagues.rating.sequential",
            "leagues.rating.tiers",
        ),
    ),
    (
        "leagues",
        (
            "leagues.analysis.rows",
            "leagues.analysis.tables",
            "leagues.analysis.turns",
            "leagues.admission",
            "leagues.appeals",
            "leagues.audit",
            "leagues.blocks",
            "leagues.claimed",
            "leagues.conduct",
            "leagues.config",
            "leagues.entrants",
            "leagues.evidence",
            "leagues.excuses",
            "leagues.export",
            "leagues.families",
            "leagues.incidents",
            "leagues.kept_apart",
            "leagues.ladder_rules",
            "leagues.limits",
            "leagues.luck",
            "leagues.match",
            "leagues.match_config",
            "leagues.match_score",
            "leagues.normal_form",
            "leagues.rating.design",
            "leagues.plan_text",
            "leagues.rating.ratings",
            "leagues.replanning",
            "leagues.reports.*",
            "leagues.results",
            "leagues.results_file",
            "leagues.rules_line",
            "leagues.running_elo",
            "leagues.seeds",
            "leagues.standings",
            "leagues.throttle",
            "leagues.toml_source",
            "leagues.versions",
            "leagues.until",
        ),
    ),
    (
        "store",
        (
            "leagues.analysis.parquet",
            "leagues.closing",
            "leagues.storage.*",
        ),
    ),
    (
        "runner",
        (
            "leagues.programs.*",
            "leagues.running.*",
        ),
    ),
    (
        "commands",
        (
            "arena.command_group",
            "arena.streams",
            "arena.terminal",
            "arena.commands.*",
            "leagues.board",
            "leagues.commands.*",
        ),
    ),
    ("entry", ("arena.__main__",)),
)

TRIO_LAYERS = frozenset({"server", "runner", "commands", "entry"})
"""Layers that may wait, and so may know trio."""

SANS_IO_LAYERS = LAYERS[: [name for name, _ in LAYERS].index("host") + 1]
"""Layers with calls in and values out: no IO, no clock, no chance, no log."""

PURE_LEAGUE_MODULES = tuple(
    module
    for name in ("schedule", "rating", "leagues")
    for module in dict(LAYERS)[name]
)

IMPURE_MODULES = (
    {"asyncio", "concurrent", "multiprocessing", "queue", "threading", "trio"}
    | {"datetime", "locale", "logging", "random", "rich", "secrets", "time", "uuid"}
    | {"grpc", "http", "select", "selectors", "socket", "ssl", "urllib"}
    | {"os", "pathlib", "shutil", "sqlalchemy", "sqlite3", "tempfile"}
    | {"getpass", "platform", "signal", "subprocess", "sys", "typer", "warnings"}
)

IMPURE_CALLS = frozenset({"open", "print", "input", "breakpoint"})

SDK_LIBRARIES = frozenset({"google", "grpc"})
"""What the base install brings: all that `hearts` may import beside the standard
library."""

SDK_OPTIONS = frozenset({("clients/python/hearts/loop.py", "uvloop")})
"""What a module of the SDK uses where it is installed; the base install lacks it."""

HEARTS_USERS: dict[str, tuple[str, ...]] = {
    "arena.turn_bytes": ("hearts.arena.v1",),
    "arena.wire": ("hearts.arena.v1",),
    "arena.bindings": ("hearts.arena.v1",),
    "arena.edge*": ("hearts.arena.v1", "hearts.grpc_core"),
    "arena.stand_in": ("hearts",),
    "arena.local": ("hearts",),
    "arena.commands.*": ("hearts",),
    "arena.__main__": ("hearts",),
    "leagues.*": ("hearts.house", "hearts.arena.v1", "hearts.grpc_core"),
    "leagues.commands.*": ("hearts",),
}
"""Which modules may know the SDK, and how much of it."""

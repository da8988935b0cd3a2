"""Judges a migration: every rule over its context, then what was accepted for a reason is set aside."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Protocol

from keywright.engines.hazards.context import Context, Hazard
from keywright.engines.hazards.effect import effects
from keywright.engines.hazards.version import Facts, Hints, Landing, Snapshot, Stage
from keywright.errors import Place

from .catalogue import HAZARDS
from .facts import facts_of
from .places import Lines
from .rule import Finding, Report, Rule
from .suppress import set_aside

BLOCKING = frozenset(("RN101", "RN102", "RB101", "RB102", "BC101", "DS106"))
"""Errors that say what a migration would do without anybody having meant it: such a version is not even written."""


class Migration(Protocol):
    """A version, as `history` keeps it."""

    @property
    def folder(self) -> str:
        """The name of its folder."""

    @property
    def landings(self) -> Sequence[Landing]:
        """Its changes."""

    @property
    def stages(self) -> Sequence[Stage]:
        """What it does."""

    @property
    def snapshot(self) -> Snapshot:
        """Where it leads."""

    @property
    def ignore(self) -> Sequence[Mapping[str, Any]]:
        """What is accepted in it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """What may be known of a migration beside what its folder says."""

    hints: Hints | None = None
    """Former names that the models say; by default those that the version itself spends."""
    sizes: Mapping[tuple[str, str], int] = field(default_factory=dict)
    """Bytes of tables by store and key, from a server."""
    owners: Mapping[tuple[str, str], str] = field(default_factory=dict)
    """Teams by store and object, from the models."""
    file: str = ""
    """The file that findings are placed in; empty for a version that is not written yet."""
    lines: Lines = field(default_factory=dict)
    """Line of each change, stage and suppression in it."""
    facts: Callable[[str], Facts] = facts_of
    """What the engine of a store says of changes."""


NOTHING_MORE = Known()
"""Nothing beside the folder."""


def judge(before: Snapshot, migration: Migration, today: date, known: Known = NOTHING_MORE) -> Report:
    """Everything that is to be said of a version.

    before: the snapshot that it begins with. today: the day by which suppressions expire.
    """
    context = context_of(before, migration, known)
    found = [_finding(rule, one, migration.folder, known) for rule, one in _hazards(context)]
    rank = {"error": 0, "warning": 1}
    found.sort(key=lambda one: (rank[one.severity], one.at.line, one.store, one.object, one.code))
    return set_aside(found, migration, today, known.file, known.lines)


def blocking(report: Report) -> tuple[Finding, ...]:
    """The findings for which a version must not be written."""
    return tuple(one for one in report.findings if one.code in BLOCKING and one.severity == "error")


def context_of(before: Snapshot, migration: Migration, known: Known = NOTHING_MORE) -> Context:
    """What hazards are told of a version."""
    renames = {
        (one.change.store, one.change.path): str(one.change.before)
        for one in migration.landings
        if one.change.kind.startswith("Rename")
    }
    hints = dict(known.hints) if known.hints is not None else spent(before, migration.snapshot)
    return Context(
        before=before,
        after=migration.snapshot,
        effects=effects(before, migration.snapshot, known.facts, {**hints, **renames}),
        landings=tuple(migration.landings),
        stages=tuple(migration.stages),
        hints=hints,
        sizes=known.sizes,
        owners=known.owners,
    )


def spent(before: Snapshot, after: Snapshot) -> dict[tuple[str, tuple[str, ...]], str]:
    """The hints that a version spends: those that its snapshot notes and the one before does not."""
    made: dict[tuple[str, tuple[str, ...]], str] = {}
    for key, old in after.renamed.items():
        if before.renamed.get(key) != old:
            store, _, path = key.partition(" ")
            made[store, tuple(path.split("/"))] = old
    return made


def _hazards(context: Context) -> Iterator[tuple[Rule, Hazard]]:
    for rule in HAZARDS:
        assert rule.check is not None, rule.code
        yield from ((rule, one) for one in rule.check(context))


def _finding(rule: Rule, one: Hazard, folder: str, known: Known) -> Finding:
    return Finding(
        rule=rule,
        severity="warning" if one.is_mild else rule.severity,
        message=one.problem,
        help=one.help,
        store=one.store,
        object=one.object,
        version=folder,
        at=Place(known.file, known.lines.get(one.anchor, 1 if known.file else 0)),
    )

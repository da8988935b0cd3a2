"""Versions: one reviewed step of a project's history, as its folder tells it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from keywright.engines.change import KINDS, AddTable, Change, Path, path_of
from keywright.ir.json import Json

from .snapshot import Snapshot

FORMAT = 1
"""Number of the form of `migration.yaml`; older ones are read for ever."""

PHASES = ("expand", "sync", "backfill", "verify", "cutover", "drain", "contract")
"""The phases of a version, in their order."""

GATES = ("deploy_ack", "check", "copy", "repair_done", "quiet", "wait")
"""What a stage does that only waits: for a person, until nothing uses an index, or for time to pass."""

OPS = ("alter", "backfill", "check_index_values", "assert_snapshot", *GATES)
"""What a stage does."""

HOURS = {"hours": 1, "days": 24}
"""The words by which `quiet` and `wait` say how long, and the hours in each."""

FOLDER = re.compile(r"(\d{4})_([a-z0-9][a-z0-9_]*)\Z")
"""The name of a version's folder: its number, its slug."""


@dataclass(frozen=True, slots=True)
class Landing:
    """A change with its place in a version."""

    id: str
    """`c1`, `c2` and so on, by which stages name it."""
    change: Change
    """The change."""
    classes: str
    """What it does to a running system: letters of `engines.classes.Class`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """One thing to do, after which some changes have landed."""

    n: int
    """Its number, which grows in tens so that one can be put between."""
    phase: str
    """One of `PHASES`."""
    by: str
    """Who does it: `runner`, `human` or `pulumi`."""
    op: str
    """One of `OPS`."""
    store: str = ""
    """The store that it is about; empty for all."""
    object: str = ""
    """What it is about there."""
    lands: tuple[str, ...] = ()
    """Ids of the changes that have landed afterwards."""
    text: str = ""
    """What a person is to do, or what is checked."""
    more: Mapping[str, Json] = field(default_factory=dict)
    """Words that belong to its op: the transform of a backfill, its segments."""

    @property
    def is_gate(self) -> bool:
        """Whether it does nothing but wait, and a person may open it."""
        return self.op in GATES

    @property
    def hours(self) -> float:
        """How long a `quiet` or a `wait` lasts."""
        return sum(float(str(self.more[word])) * hours for word, hours in HOURS.items() if word in self.more)


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """One folder of `migrations/`."""

    number: str
    """Four digits."""
    slug: str
    """What it is about, in a few letters."""
    parent: str | None
    """Number of the version before it; None for the first."""
    base: str
    """Fingerprint of the snapshot before it."""
    to: str
    """Fingerprint of its own snapshot."""
    landings: tuple[Landing, ...]
    """Its changes."""
    stages: tuple[Stage, ...]
    """What is done, in order."""
    snapshot: Snapshot
    """What there is afterwards."""
    ignore: tuple[Mapping[str, Json], ...] = ()
    """Findings that are accepted here."""

    @property
    def folder(self) -> str:
        """The name of its folder."""
        return f"{self.number}_{self.slug}"

    def changes_of(self, stage: Stage) -> tuple[Change, ...]:
        """The changes that a stage lands."""
        return tuple(one.change for one in self.landings if one.id in stage.lands)

    def landed_by(self, n: int) -> tuple[Change, ...]:
        """The changes that have landed once all stages up to this one are done, in the order of the stages."""
        return tuple(change for stage in self.stages if stage.n <= n for change in self.changes_of(stage))

    @property
    def stores(self) -> tuple[str, ...]:
        """Every store that it changes something in, or that is there afterwards; sorted."""
        return tuple(sorted({one.change.store for one in self.landings} | self.snapshot.stores.keys()))


def document(version: Version) -> dict[str, Json]:
    """What `migration.yaml` says, in the order in which it is written."""
    told: dict[str, Json] = {
        "format": FORMAT,
        "version": version.number,
        "parent": version.parent,
        "from": version.base,
        "to": version.to,
        "changes": [_landing(one) for one in version.landings],
        "steps": [_stage(one) for one in version.stages],
    }
    return told | ({"ignore": [dict(one) for one in version.ignore]} if version.ignore else {})


def _landing(one: Landing) -> Json:
    change = one.change
    told: dict[str, Json] = {
        "id": one.id,
        "kind": change.kind,
        "store": change.store,
        "object": change.object,
        "class": one.classes,
    }
    # What a new table is stands in the snapshot, and once is enough.
    values = {"before": change.before, "after": None if isinstance(change, AddTable) else change.after}
    return told | {key: value for key, value in values.items() if value is not None}


def _stage(one: Stage) -> Json:
    told: dict[str, Json] = {"n": one.n, "phase": one.phase, "by": one.by, "op": one.op}
    said: dict[str, Json] = {"store": one.store, "object": one.object, "lands": list(one.lands), "text": one.text}
    return told | {key: value for key, value in said.items() if value} | dict(one.more)


def read(told: Any, slug: str, snapshot: Snapshot) -> Version:
    """The inverse of `document`; KeyError, TypeError or ValueError where it is no such document."""
    if told["format"] > FORMAT:
        raise ValueError(f"format {told['format']} is newer than this keywright reads, which is {FORMAT}")
    return Version(
        number=_text(told, "version"),
        slug=slug,
        parent=told["parent"],
        base=_text(told, "from"),
        to=_text(told, "to"),
        landings=tuple(_read_landing(one, snapshot) for one in told["changes"]),
        stages=tuple(sorted((_read_stage(one) for one in told["steps"]), key=lambda one: one.n)),
        snapshot=snapshot,
        ignore=tuple(told.get("ignore", ())),
    )


def _read_landing(told: Any, snapshot: Snapshot) -> Landing:
    kind = KINDS.get(told["kind"])
    if kind is None:
        raise ValueError(f'"{told["kind"]}" is no kind of change')
    store, path = _text(told, "store"), path_of(_text(told, "object"))
    after = _at(snapshot.stores[store], path) if kind is AddTable else told.get("after")
    return Landing(_text(told, "id"), kind(store, path, told.get("before"), after), _text(told, "class"))


def _at(value: Any, path: Path) -> Any:
    for key in path:
        value = value[key]
    return value


_WORDS = frozenset(("n", "phase", "by", "op", "store", "object", "lands", "text"))


def _read_stage(told: Any) -> Stage:
    if told["op"] not in OPS or told["phase"] not in PHASES or not isinstance(told["n"], int):
        raise ValueError(f"step {told['n']}: op {told['op']} in phase {told['phase']} is nothing that can be run")
    if told["op"] in ("quiet", "wait") and not any(isinstance(told.get(word), (int, float)) for word in HOURS):
        raise ValueError(f"step {told['n']}: {told['op']} says no number of hours or days")
    if told["op"] == "quiet" and not ("store" in told and "object" in told):
        raise ValueError(f"step {told['n']}: quiet says no store and no index as object")
    return Stage(
        n=told["n"],
        phase=told["phase"],
        by=_text(told, "by"),
        op=told["op"],
        store=told.get("store", ""),
        object=told.get("object", ""),
        lands=tuple(told.get("lands", ())),
        text=told.get("text", ""),
        more={key: value for key, value in told.items() if key not in _WORDS},
    )


def _text(told: Any, key: str) -> str:
    value = told[key]
    if not isinstance(value, str):
        raise ValueError(f'"{key}" must be a text in quotes, not {value!r}')
    return value

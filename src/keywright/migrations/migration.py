"""Migrations: one reviewed change of a project's targets, read from and written to its folder."""

import re
from collections.abc import Mapping
from typing import Any

from keywright.engines.contract.change import KINDS, AddTable, Change, path_of
from keywright.ir.json import Json
from keywright.record import Record, field

from .fold import NOTHING, Notes, folded
from .snapshot import NewerFormat, Snapshot

FORMAT = 2
"""Format number of `migration.yaml`; older formats are rejected."""

PHASES = ("expand", "sync", "backfill", "verify", "cutover", "drain", "contract")
"""Phases of a migration, in their order."""

GATES = ("deploy_ack", "check", "copy", "repair_done", "quiet", "wait")
"""Operations of steps that only wait: for a person, until nothing uses an index, or for time to pass."""

OPS = ("alter", "backfill", "check_index_values", "check_validator", "assert_snapshot", *GATES)
"""Operations of steps."""

HOURS = {"hours": 1, "days": 24}
"""Units of the duration of `quiet` and `wait`, with their hours."""

FOLDER = re.compile(r"(\d{4})_([a-z0-9][a-z0-9_]*)\Z")
"""Name of a migration's folder: number and slug."""


class NumberedChange(Record):
    """A change with its identifier in a migration."""

    id: str
    """`c1`, `c2` and so on; steps refer to it."""
    change: Change
    """The change."""
    classes: str
    """Effects on a running system: letters of `engines.classes.Class`."""


class Step(Record, kw_only=True):
    """A step of a migration; some changes are applied once it is done."""

    n: int
    """Step number; numbers grow in tens so that a step can be inserted."""
    phase: str
    """One of `PHASES`."""
    by: str
    """Executor of the step: `runner`, `human` or `pulumi`."""
    op: str
    """One of `OPS`."""
    store: str = ""
    """Store that the step changes; empty for all stores."""
    object: str = ""
    """Path of the object in the store."""
    applies: tuple[str, ...] = ()
    """Ids of the changes that the step applies."""
    text: str = ""
    """Task of a person, or the checked condition."""
    more: Mapping[str, Json] = field(default_factory=dict)
    """Further keys of the operation, such as the transform and segments of a backfill."""

    @property
    def is_gate(self) -> bool:
        """Whether the step only waits; a person may open it."""
        return self.op in GATES

    @property
    def hours(self) -> float:
        """Duration of a `quiet` or a `wait`."""
        return sum(float(str(self.more[unit])) * hours for unit, hours in HOURS.items() if unit in self.more)


class Migration(Record, kw_only=True):
    """One folder of `migrations/`."""

    number: str
    """Four digits."""
    slug: str
    """Short description, as part of the folder name."""
    parent: str | None
    """Number of the previous migration; None for the first."""
    base: str
    """Fingerprint of the snapshot before the migration."""
    to: str
    """Fingerprint of the snapshot after the migration."""
    changes: tuple[NumberedChange, ...]
    """Changes of the migration."""
    steps: tuple[Step, ...]
    """Steps, in order."""
    snapshot: Snapshot
    """Snapshot after the migration."""
    notes: Notes = NOTHING
    """Changed notes of the snapshot."""
    ignore: tuple[Mapping[str, Json], ...] = ()
    """Suppressed findings."""

    @property
    def folder(self) -> str:
        """Name of the folder."""
        return f"{self.number}_{self.slug}"

    def changes_of(self, step: Step) -> tuple[Change, ...]:
        """Changes that a step applies."""
        return tuple(numbered_change.change for numbered_change in self.changes if numbered_change.id in step.applies)

    def changes_until(self, n: int) -> tuple[Change, ...]:
        """Changes that are applied once all steps up to number `n` are done, in the order of the steps."""
        return tuple(change for step in self.steps if step.n <= n for change in self.changes_of(step))

    @property
    def stores(self) -> tuple[str, ...]:
        """Stores that the migration changes, and stores of its snapshot; sorted."""
        return tuple(
            sorted({numbered_change.change.store for numbered_change in self.changes} | self.snapshot.stores.keys())
        )


def document(migration: Migration) -> dict[str, Json]:
    """Contents of `migration.yaml`, in the order of the file."""
    content: dict[str, Json] = {
        "format": FORMAT,
        "migration": migration.number,
        "parent": migration.parent,
        "from": migration.base,
        "to": migration.to,
        "changes": [_change(numbered_change) for numbered_change in migration.changes],
        "steps": [_step(step) for step in migration.steps],
    }
    return content | ({"ignore": [dict(suppression) for suppression in migration.ignore]} if migration.ignore else {})


def _change(numbered_change: NumberedChange) -> Json:
    change = numbered_change.change
    entry: dict[str, Json] = {
        "id": numbered_change.id,
        "kind": change.kind,
        "store": change.store,
        "object": change.object,
        "class": numbered_change.classes,
    }
    values = {"before": change.before, "after": None if isinstance(change, AddTable) else change.after}
    return entry | {key: value for key, value in values.items() if value is not None}


def _step(step: Step) -> Json:
    required: dict[str, Json] = {"n": step.n, "phase": step.phase, "by": step.by, "op": step.op}
    optional: dict[str, Json] = {
        "store": step.store,
        "object": step.object,
        "applies": list(step.applies),
        "text": step.text,
    }
    return required | {key: value for key, value in optional.items() if value} | dict(step.more)


def delta(migration: Migration) -> dict[str, Json]:
    """Contents of `delta.json`: data too large for `migration.yaml` or useless to its readers; may be empty.

    access, renamed: changed notes, null for a removed note. tables: complete new tables, by store and object.
    """
    tables: dict[str, Json] = {}
    for numbered_change in migration.changes:
        if isinstance(numbered_change.change, AddTable):
            store: Any = tables.setdefault(numbered_change.change.store, {})
            store[numbered_change.change.object] = numbered_change.change.after
    content: dict[str, Json] = {
        "access": dict(migration.notes.access),
        "renamed": dict(migration.notes.renamed),
        "tables": tables,
    }
    return {key: value for key, value in content.items() if value}


def check_head(content: Any) -> None:
    """Raise KeyError, TypeError, ValueError or NewerFormat unless a document has a valid format, number and base."""
    if content["format"] > FORMAT:
        raise NewerFormat(f"format {content['format']} is newer than {FORMAT}, the newest that this keywright reads")
    if content["format"] < FORMAT:
        raise ValueError(f"format {content['format']} is older than {FORMAT}, the oldest that this keywright reads")
    for key in ("migration", "from"):
        _text(content, key)
    content["parent"]


def read(content: Any, slug: str, beside: Any, before: Snapshot) -> Migration:
    """Inverse of `document` and `delta`; KeyError, TypeError or ValueError for any other documents.

    before: the snapshot before the migration.
    """
    numbered_changes = tuple(_read_change(entry, beside) for entry in content["changes"])
    notes = Notes(beside.get("access", {}), beside.get("renamed", {}))
    number = _text(content, "migration")
    return Migration(
        number=number,
        slug=slug,
        parent=content["parent"],
        base=_text(content, "from"),
        to=_text(content, "to"),
        changes=numbered_changes,
        steps=tuple(sorted((_read_step(entry) for entry in content["steps"]), key=lambda step: step.n)),
        snapshot=folded(before, number, (numbered_change.change for numbered_change in numbered_changes), notes),
        notes=notes,
        ignore=tuple(content.get("ignore", ())),
    )


def _read_change(entry: Any, beside: Any) -> NumberedChange:
    kind = KINDS.get(entry["kind"])
    if kind is None:
        raise ValueError(f'"{entry["kind"]}" is not a kind of change')
    store, object = _text(entry, "store"), _text(entry, "object")
    after = beside["tables"][store][object] if kind is AddTable else entry.get("after")
    return NumberedChange(
        _text(entry, "id"), kind(store, path_of(object), entry.get("before"), after), _text(entry, "class")
    )


_STEP_KEYS = frozenset(("n", "phase", "by", "op", "store", "object", "applies", "text"))


def _read_step(entry: Any) -> Step:
    if entry["op"] not in OPS or entry["phase"] not in PHASES or not isinstance(entry["n"], int):
        raise ValueError(f"step {entry['n']}: op {entry['op']} in phase {entry['phase']} cannot be run")
    if entry["op"] in ("quiet", "wait") and not any(isinstance(entry.get(unit), (int, float)) for unit in HOURS):
        raise ValueError(f"step {entry['n']}: {entry['op']} needs a number of hours or days")
    if entry["op"] == "quiet" and not ("store" in entry and "object" in entry):
        raise ValueError(f"step {entry['n']}: quiet needs a store, and an index as object")
    return Step(
        n=entry["n"],
        phase=entry["phase"],
        by=_text(entry, "by"),
        op=entry["op"],
        store=entry.get("store", ""),
        object=entry.get("object", ""),
        applies=tuple(entry.get("applies", ())),
        text=entry.get("text", ""),
        more={key: value for key, value in entry.items() if key not in _STEP_KEYS},
    )


def _text(mapping: Any, key: str) -> str:
    value = mapping[key]
    if not isinstance(value, str):
        raise ValueError(f'"{key}" must be a text in quotes, not {value!r}')
    return value

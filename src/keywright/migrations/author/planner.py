"""Plans a migration: numbered changes between two snapshots, and steps that apply them while old code runs."""

from collections.abc import Iterable, Iterator

from keywright.engines.contract.change import AlterValidator, Change
from keywright.engines.contract.classes import row_of
from keywright.ir.json import Json
from keywright.record import replace

from ..fold import folded, notes_between
from ..migration import Migration, NumberedChange, Step
from .draft import Draft, Engines, changes
from .step_order import WARN, is_new_refusal
from .steps import Steps


def author(draft: Draft, engines: Engines, *, number: str, slug: str, parent: str | None) -> Migration:
    """A migration from one snapshot to the other."""
    planned = _admitting(changes(draft, engines), engines)
    numbered_changes = tuple(
        NumberedChange(f"c{position}", change, row_of(engines(change.store).classes, change).classes)
        for position, change in enumerate(planned, start=1)
    )
    notes = notes_between(draft.before, draft.after)
    snapshot = folded(draft.before, number, (numbered_change.change for numbered_change in numbered_changes), notes)
    return Migration(
        number=number,
        slug=slug,
        parent=parent,
        base=draft.before.fingerprint,
        to=snapshot.fingerprint,
        changes=numbered_changes,
        steps=_numbered(Steps(draft, numbered_changes, engines)),
        snapshot=snapshot,
        notes=notes,
    )


def _admitting(changes: Iterable[Change], engines: Engines) -> Iterator[Change]:
    """Changes in which a stricter or different validator first admits both old and new documents.

    A new validator on existing documents warns before it rejects.
    """
    for change in changes:
        is_validator = isinstance(change, AlterValidator) and change.path[-1] == "validator"
        is_tighter = is_validator and row_of(engines(change.store).classes, change).classes != "S"
        if is_tighter and change.before and change.after:
            both: Json = {"$or": [change.before, change.after]}
            yield replace(change, after=both)
            yield replace(change, before=both)
        elif isinstance(change, AlterValidator) and is_new_refusal(change):
            yield replace(change, after=WARN)
            yield replace(change, before=WARN)
        else:
            yield change


def _numbered(steps: Iterable[Step]) -> tuple[Step, ...]:
    """Steps numbered in tens, so that a person can insert a step."""
    return tuple(replace(step, n=10 * position) for position, step in enumerate(steps, start=1))

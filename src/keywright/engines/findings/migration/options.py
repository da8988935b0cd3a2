"""DS107: an existing index or TTL gets other options."""

from collections.abc import Iterator
from typing import Any

from keywright.ir.json import Json, shortened

from .context import MigrationContext, MigrationFindingDraft
from .effect import Effect

_OTHER_RULES = ("unique", "projection")
"""Options that other rules report."""


def options(context: MigrationContext) -> Iterator[MigrationFindingDraft]:
    """DS107: an existing index or TTL gets other options under the same name."""
    for effect in context.of("AlterIndex", "AlterTtl"):
        changed = tuple(_changed(effect.change.before, effect.change.after))
        if not changed or context.is_checked(effect):
            continue
        text = "; ".join(f"{name} from {_text(before)} to {_text(after)}" for name, before, after in changed)
        is_mild = "S" in effect.classes or _is_later(effect)
        noun = "index" if effect.kind == "AlterIndex" else "expiry"
        problem = f'{noun} "{effect.name}" of "{effect.table}" changes {text}: {effect.why}'
        help = (
            "check what relies on the old options, and confirm that under ignore:; or declare another index beside it"
        )
        if not _is_sooner(effect):  # DS104 reports it
            yield context.hazard(effect, problem, help, is_mild=is_mild)


def _changed(before: Any, after: Any) -> Iterator[tuple[str, Json, Json]]:
    """(option, before, after) of each difference that no other rule reports."""
    if not isinstance(before, dict) or not isinstance(after, dict):
        yield "the definition", before, after
        return
    for name in sorted(before.keys() | after.keys()):
        if before.get(name) != after.get(name) and (name not in _OTHER_RULES or after.get(name) is None):
            yield name, before.get(name), after.get(name)


def _is_sooner(effect: Effect) -> bool:
    before, after = _seconds(effect.change.before), _seconds(effect.change.after)
    if effect.kind == "AlterTtl":
        return "D" in effect.classes
    return after is not None and (before is None or before > after)


def _is_later(effect: Effect) -> bool:
    return effect.kind == "AlterTtl" and "D" not in effect.classes


def _seconds(value: Any) -> float | None:
    seconds = value.get("expireAfterSeconds") if isinstance(value, dict) else None
    return None if seconds is None else float(seconds)


def _text(value: Json) -> str:
    return "not set" if value is None else shortened(value)

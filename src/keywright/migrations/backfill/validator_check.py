"""Counts stored items that a validator would reject, on the server, before it is enforced."""

from typing import Any

from keywright.engines.contract.change import path_of
from keywright.engines.contract.counting import BlockingCount, Counted
from keywright.errors import NeedsDecision, UsageError

from ..migration import Migration, Step
from ..run.execute import Holder
from ..run.store import StoreConnection


def check_validator(connection: StoreConnection, migration: Migration, step: Step, holder: Holder) -> None:
    """Execute `check_validator`; NeedsDecision if stored items break the validator or could not be counted."""
    holder.check()
    place, (target, _, _, collection, *_) = f"{migration.number}/{step.n}", path_of(step.object)
    description: Any = migration.snapshot.stores.get(step.store, {}).get(target, {"native": {}})
    options = description["native"].get("collections", {}).get(collection, {})
    if connection.driver.counted is None or "validator" not in options:
        problem = f'{place}: {step.store} has no validator "{step.object}" to check'
        raise UsageError(problem, "write `object: DATABASE/native/collections/COLLECTION/validator` in the step")
    if options.get("validationAction") == "warn" or options.get("validationLevel") == "off":
        return
    count = BlockingCount(
        "violations", f"{connection.place(target, description).name}.{collection}", options["validator"]
    )
    counted = connection.driver.counted(count)
    if counted is None or counted.count:
        raise _breaking_items(place, collection, counted)


def _breaking_items(place: str, collection: str, counted: Counted | None) -> NeedsDecision:
    if counted is None:
        problem = f'{place}: the documents of "{collection}" that break the validator could not be counted in time'
        return NeedsDecision(problem, "count them yourself, and record the step with `keywright migrate resolve`")
    noun, verb = ("document", "breaks") if counted.count == 1 else ("documents", "break")
    return NeedsDecision(
        f'{place}: {counted} {noun} of "{collection}" {verb} the validator, and could no longer be updated',
        "correct them, by hand or by a backfill in an earlier migration, or declare their form in the model; "
        "`keywright check --live` names their fields; then run the same command again",
    )

"""Stored items follow the models where a stack does: a resource for each store, which says what they are like.

Where that changes, the passes that a migration would have are run, under the store's lock; they go on where they were
broken off. Nothing of it is in an environment whose migrations are approved.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from keywright.compiler import Compiled, Placed
from keywright.engines.resource import Inputs, Resource
from keywright.errors import NeedsDecision, UsageError
from keywright.history import backfill
from keywright.history.lock import Holding
from keywright.history.records import stage_key
from keywright.history.site import Site
from keywright.history.snapshot import Snapshot, described, digest, key_of
from keywright.history.version import Stage, Version
from keywright.ir.binding import Binding
from keywright.ir.json import Json

from .backfills import Worker
from .resources import Watcher, locked
from .standing import Standing
from .transforms import Form, forms_of, passes_between

RUN = "keywright:migrations:Run"
"""The type of the resource."""


def runs_of(compiled: Compiled) -> tuple[Resource, ...]:
    """The resources of a stack, one for each store."""
    items: dict[str, dict[str, Json]] = {one.store: {} for one in compiled.targets}
    for one, binding, form in forms_of(compiled):
        if form != Form():
            items[one.store][binding.name] = {"version": form.version, "made": dict(form.made)}
    return tuple(Resource(RUN, store, store, {"store": store, "items": one}) for store, one in items.items())


def wrong(old: Inputs | None, new: Inputs) -> list[tuple[str, str]]:
    """(property, why not) of what a program says."""
    store, items = new.get("store"), new.get("items")
    if not isinstance(store, str) or (old and old.get("store") != store):
        return [("store", "it is the name of a store, such as mongodb/content, and never changes")]
    if not isinstance(items, dict) or not all(_is_form(one) for one in items.values()):
        return [("items", "for each entity they have a version and what is made: `provision()` says them")]
    return []


def _is_form(one: Json) -> bool:
    return isinstance(one, dict) and isinstance(one.get("version"), int) and isinstance(one.get("made"), dict)


def settle(standing: Standing, old: Inputs | None, new: Inputs, watcher: Watcher) -> None:
    """Send the items of a store through what has come since.

    Raises NeedsDecision where some cannot be transformed, Blocked where others hold the lock, Unavailable where the
    server cannot be reached; calling it again goes on from there.
    """
    store = str(new["store"])
    stages = list(_stages(standing, store, _forms(old), _forms(new))) if old else []
    if not stages:
        return  # nothing has come since, or a stack begins, and what was there before it is for migrations
    with standing.site(store) as site, locked(standing, site, watcher) as holding:
        for version, stage in stages:
            _carry_out(site, version, stage, holding, watcher)


def _forms(inputs: Inputs | None) -> dict[str, Form]:
    items: Any = (inputs or {}).get("items") or {}
    return {entity: Form(one["version"], one["made"]) for entity, one in items.items()}


def _stages(
    standing: Standing, store: str, old: Mapping[str, Form], new: Mapping[str, Form]
) -> Iterator[tuple[Version, Stage]]:
    """The passes over the items of a store, each as the backfill of a version that no folder has."""
    if old == new:
        return
    for one, binding, _ in forms_of(standing.compiled()):
        if one.store == store and binding.name in new:
            known = {field.renamed_from for field in binding.entity.attributes if field.renamed_from}
            for told in passes_between(binding, old.get(binding.name, Form()), new[binding.name], known):
                yield _stage(one, binding, told)


def _stage(one: Placed, binding: Binding, told: Mapping[str, Json]) -> tuple[Version, Stage]:
    key = key_of(one.engine, one.declared)
    snapshot = Snapshot({one.store: {key: described(one.engine, one.declared)}})
    name = f"dev-{digest([binding.name, dict(told)]).removeprefix('sha256:')[:12]}"
    object = f"{key}/shape/{binding.name}"
    stage = Stage(n=1, phase="backfill", by="runner", op="backfill", store=one.store, object=object, more=told)
    version = Version(
        number=name, slug=binding.name, parent=None, base="", to="", landings=(), stages=(stage,), snapshot=snapshot
    )
    return version, stage


def _carry_out(site: Site, version: Version, stage: Stage, holding: Holding, watcher: Watcher) -> None:
    """One pass; one that was finished, or has met items that it could not transform, is done anew."""
    found = backfill.status(site.ledger, stage_key(version, stage))
    is_over = found is not None and (found[3] > 0 or all(row["state"] == "DONE" for row in found[1].values()))

    def tell(version: Version, stage: Stage, progress: backfill.Progress) -> None:
        watcher.check()
        watcher.items(version.slug, progress)

    settings = backfill.Settings(restart=is_over)
    try:
        Worker(Path(), settings, tell)(site, version, stage, holding)
    except UsageError as problem:
        help = "what items are found by changes in a table beside it only: declare the next generation="
        raise NeedsDecision(f"{version.slug}: {problem.problem}", help) from None
    except NeedsDecision as unclear:
        help = "correct these items, or the upgrade in the models, then run `pulumi up` again"
        raise NeedsDecision(unclear.problem.replace(f"{version.number}/{stage.n}", version.slug), help) from None

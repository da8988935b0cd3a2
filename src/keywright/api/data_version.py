"""A version that changes data and no schema: `keywright migrate new`."""

from collections.abc import Sequence
from pathlib import Path

from keywright.engines.hazards.backfills import NO_EFFECTS
from keywright.errors import UsageError, did_you_mean
from keywright.history.snapshot import Stores
from keywright.history.version import Stage, Version
from keywright.project.migrations import Folder, write_versions

_PYTHON = '''"""{title}."""

READS, WRITES = ({reads},), ({reads},)


def transform(item: dict) -> dict | None:
    """Values for WRITES (None for a value that goes); None leaves the item as it is."""
    return None
'''


def new_version(folder: Folder, slug: str, store: str, entity: str | None) -> Path:
    """Write a version with an empty backfill of one entity; UsageError if there is no such store or entity."""
    head = folder.head
    if head is None:
        raise UsageError("there is no version yet", "write the first with `keywright migrate diff`")
    target, name = _found(head.snapshot.stores, store, entity)
    module = f"backfill_{slug}.py"
    number = f"{int(head.number) + 1:04d}"
    about = f"deployed is code that copes with {name} before and after this"
    gate = Stage(n=10, phase="expand", by="human", op="deploy_ack", store=store, text=about)
    fill = Stage(n=20, phase="backfill", by="runner", op="backfill", store=store, object=f"{target}/shape/{name}",
                 more={"module": module, "effects": NO_EFFECTS})  # fmt: skip
    end = Stage(n=30, phase="contract", by="runner", op="assert_snapshot")
    made = Version(
        number=number,
        slug=slug,
        parent=head.number,
        base=head.to,
        to=head.to,
        landings=(),
        stages=(gate, fill, end),
        snapshot=head.snapshot,
    )
    fields = list(head.snapshot.stores[store][target]["shape"][name]["fields"])
    text = _PYTHON.format(title=slug.replace("_", " ").capitalize(), reads=f'"{fields[0]}"')
    (path,) = write_versions(folder.path, [one.folder for one in folder.versions], [(made, {module: text})])
    return path


def _found(stores: Stores, store: str, entity: str | None) -> tuple[str, str]:
    """(target, entity) that is meant."""
    if store not in stores:
        raise UsageError(f'no version knows a store "{store}"', did_you_mean(store, sorted(stores)))
    known = {name: target for target, one in stores[store].items() for name in one["shape"]}
    names: Sequence[str] = sorted(known)
    if entity is None and len(names) != 1:
        raise UsageError(f"{store} has several entities", f"say which with --entity: {', '.join(names)}")
    name = entity or names[0]
    if name not in known:
        raise UsageError(f'{store} has no entity "{name}"', did_you_mean(name, names))
    return known[name], name

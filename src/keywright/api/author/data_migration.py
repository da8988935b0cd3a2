"""A migration that changes data but no schema: `keywright migrate new`."""

from collections.abc import Sequence
from pathlib import Path

from keywright.engines.findings.migration.backfills import NO_EFFECTS
from keywright.errors import UsageError, did_you_mean
from keywright.migrations.migration import Migration, Step
from keywright.migrations.snapshot import Stores
from keywright.project.migrations.folder import Folder, write_migrations

_PYTHON = '''"""{title}."""

READS, WRITES = ({reads},), ({reads},)


def transform(item: dict) -> dict | None:
    """Values for WRITES (None removes a value); None leaves the item unchanged."""
    return None
'''


def new_migration(folder: Folder, slug: str, store: str, entity: str | None) -> Path:
    """Write a migration with an empty backfill of one entity; UsageError if there is no such store or entity."""
    head = folder.head
    if head is None:
        raise UsageError("there is no migration yet", "write the first with `keywright migrate diff`")
    target, name = _selected_entity(head.snapshot.stores, store, entity)
    module = f"backfill_{slug}.py"
    number = f"{int(head.number) + 1:04d}"
    gate_text = f"code that reads {name} before and after this migration is deployed"
    gate = Step(n=10, phase="expand", by="human", op="deploy_ack", store=store, text=gate_text)
    fill = Step(n=20, phase="backfill", by="runner", op="backfill", store=store, object=f"{target}/shape/{name}",
                 more={"module": module, "effects": NO_EFFECTS})  # fmt: skip
    end = Step(n=30, phase="contract", by="runner", op="assert_snapshot")
    migration = Migration(
        number=number,
        slug=slug,
        parent=head.number,
        base=head.to,
        to=head.to,
        changes=(),
        steps=(gate, fill, end),
        snapshot=head.snapshot,
    )
    fields = list(head.snapshot.stores[store][target]["shape"][name]["fields"])
    text = _PYTHON.format(title=slug.replace("_", " ").capitalize(), reads=f'"{fields[0]}"')
    (path,) = write_migrations(
        folder.path, [migration.folder for migration in folder.migrations], [(migration, {module: text})]
    )
    return path


def _selected_entity(stores: Stores, store: str, entity: str | None) -> tuple[str, str]:
    """(target, entity) of the migration."""
    if store not in stores:
        raise UsageError(f'no migration has a store "{store}"', did_you_mean(store, sorted(stores)))
    target_of_entity = {name: target for target, description in stores[store].items() for name in description["shape"]}
    names: Sequence[str] = sorted(target_of_entity)
    if entity is None and len(names) != 1:
        raise UsageError(f"{store} has several entities", f"name one with --entity: {', '.join(names)}")
    name = entity or names[0]
    if name not in target_of_entity:
        raise UsageError(f'{store} has no entity "{name}"', did_you_mean(name, names))
    return target_of_entity[name], name

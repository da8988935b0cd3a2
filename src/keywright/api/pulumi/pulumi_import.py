"""Existing tables, collections and other objects in the form of `pulumi import --file`."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from keywright.compiler import Placed
from keywright.engines.contract.resource import StackResource
from keywright.engines.interface import StatementFailed
from keywright.engines.registry import stack_tables
from keywright.errors import Unavailable, UsageError
from keywright.ir.json import Json
from keywright.record import Record

from ..live.connect import StoreSelector, opened


class Existing(Record):
    """Resources of a store to import."""

    store: str
    """Name of the store."""
    resources: tuple[StackResource, ...]
    """Declared resources that exist; all declared resources if the store could not be read."""
    missing: tuple[str, ...] = ()
    """Ids of declared resources that do not exist; `pulumi up` creates them."""
    problem: str = ""
    """Reason why the store could not be read; else empty."""


def existing(where: StoreSelector, targets: Iterable[Placed]) -> list[Existing]:
    """Existing resources of a stack's targets, by store, in their order."""
    stores: dict[str, list[Placed]] = {}
    for target in targets:
        stores.setdefault(target.store, []).append(target)
    return [_existing(where, store, targets_of_store) for store, targets_of_store in stores.items()]


def _existing(where: StoreSelector, store: str, targets: Sequence[Placed]) -> Existing:
    declared = [resource for target in targets for resource in target.resources]
    try:
        with opened(where, [store]) as connections:
            descriptions = connections[store].driver.introspect([target.placed.name for target in targets])
    except (StatementFailed, Unavailable, UsageError) as error:
        return Existing(store, tuple(declared), problem=str(error).splitlines()[0])
    live_keys: set[tuple[str, str]] = set()
    for target in targets:
        description = descriptions[target.placed.name]
        if description is not None:
            live = target.engine.to_resources(target.declared.name, target.engine.parse(description))
            live_keys |= {(resource.type, resource.id) for resource in live}
    return Existing(
        store,
        tuple(resource for resource in declared if (resource.type, resource.id) in live_keys),
        tuple(resource.id for resource in declared if (resource.type, resource.id) not in live_keys),
    )


def import_file(resources: Sequence[StackResource], versions: Mapping[str, str]) -> Json:
    """Document for `pulumi import --file`.

    versions: provider version by package, such as `aws`, as the program's SDK requests it; another version would become
    a separate provider in the stack.
    """
    tables = stack_tables()
    parents = dict.fromkeys(tables[resource.type].component for resource in resources if resource.type in tables)
    components: list[Json] = [
        {"type": type, "name": type, "logicalName": name, "component": True} for type, name in parents
    ]
    return {"resources": [*components, *(dict(_entry(resource, versions)) for resource in resources)]}


def _entry(resource: StackResource, versions: Mapping[str, str]) -> Iterator[tuple[str, Json]]:
    yield "type", resource.type
    yield "name", resource.name
    yield "id", resource.id
    if resource.type in stack_tables():
        yield "parent", stack_tables()[resource.type].component[0]
    if version := versions.get(resource.type.partition(":")[0]):
        yield "version", version

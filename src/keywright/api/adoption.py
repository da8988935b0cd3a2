"""Existing tables, collections and the like as what `pulumi import --file` takes."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from keywright.compiler import Placed
from keywright.engines.dynamodb.resources import TABLE
from keywright.engines.interface import StatementFailed
from keywright.engines.resource import Resource
from keywright.errors import Unavailable, UsageError
from keywright.ir.json import Json

from .sites import Where, opened
from .stack import resources_of

PARENTS = {TABLE: ("keywright:dynamodb:Tables", "dynamodb")}
"""(type, name) of the component that the resources of a type belong to; others belong to the stack itself."""


@dataclass(frozen=True, slots=True)
class Existing:
    """What of one store there is to import."""

    store: str
    """The store."""
    resources: tuple[Resource, ...]
    """What is declared and there; where the store could not be asked, all that is declared."""
    missing: tuple[str, ...] = ()
    """Where that would be which is not there: `pulumi up` makes it."""
    problem: str = ""
    """Why the store could not be asked; empty where it was."""


def existing(where: Where, targets: Iterable[Placed]) -> list[Existing]:
    """What of the targets of a stack its stores have already, store by store, in their order."""
    stores: dict[str, list[Placed]] = {}
    for one in targets:
        stores.setdefault(one.store, []).append(one)
    return [_existing(where, store, of) for store, of in stores.items()]


def _existing(where: Where, store: str, targets: Sequence[Placed]) -> Existing:
    declared = [resource for one in targets for resource in resources_of(one)]
    try:
        with opened(where, [store]) as sites:
            found = sites[store].driver.introspect([one.placed.name for one in targets])
    except (StatementFailed, Unavailable, UsageError) as error:
        return Existing(store, tuple(declared), problem=str(error).splitlines()[0])
    there: set[tuple[str, str]] = set()
    for one in targets:
        described = found[one.placed.name]
        if described is not None:
            live = one.engine.to_resources(one.declared.name, one.engine.parse(described))
            there |= {(resource.type, resource.id) for resource in live}
    return Existing(
        store,
        tuple(one for one in declared if (one.type, one.id) in there),
        tuple(one.id for one in declared if (one.type, one.id) not in there),
    )


def import_file(resources: Sequence[Resource], versions: Mapping[str, str]) -> Json:
    """The document that `pulumi import --file` takes.

    versions: of the provider of a package, such as `aws`, as the program's SDK asks for it; another one would be a
    provider of its own in the stack.
    """
    parents = dict.fromkeys(PARENTS[one.type] for one in resources if one.type in PARENTS)
    components: list[Json] = [
        {"type": type, "name": type, "logicalName": name, "component": True} for type, name in parents
    ]
    return {"resources": [*components, *(dict(_entry(one, versions)) for one in resources)]}


def _entry(one: Resource, versions: Mapping[str, str]) -> Iterator[tuple[str, Json]]:
    yield "type", one.type
    yield "name", one.name
    yield "id", one.id
    if one.type in PARENTS:
        yield "parent", PARENTS[one.type][0]
    if version := versions.get(one.type.partition(":")[0]):
        yield "version", version

"""Loads sample data into the local servers, with the codecs of the runtime."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from itertools import groupby
from typing import Any

from keywright.compiler import Compiled, Project
from keywright.declare.fields import class_of
from keywright.engines.interface import Driver
from keywright.ir.binding import Binding
from keywright.record import Record
from keywright.runtime import codec_of
from keywright.sample import GeneratedInstance

from ..live.local_servers import answering, compile_for, connected, instance_of, local_instances, running_servers

PAGE = 500
"""Instances that are converted and written together; limits the memory of loading."""


class LoadedObject(Record):
    """Items written to one object."""

    store: str
    """Its store."""
    object: str
    """Table, collection or server."""
    items: int
    """Number of native items."""


class Loaded(Record):
    """Result of loading."""

    objects: tuple[LoadedObject, ...]
    """Loaded objects, in declared order."""
    entities: int
    """Number of entities with written items."""
    skipped: tuple[str, ...]
    """Servers that are not running."""


class LoadProgress(Record):
    """Progress of loading."""

    items: int
    """Number of written native items."""
    entity: str
    """The current entity."""
    entities: int
    """Number of started entities, including the current one."""
    total_entities: int
    """Number of the project's entities."""


def load_local(
    project: Project,
    compiled: Compiled,
    samples: Iterable[GeneratedInstance],
    *,
    tell: Callable[[LoadProgress], None] = lambda progress: None,
) -> Loaded:
    """Write samples to every running local server that stores their entity.

    tell: called after every page.
    Raises Unavailable if no server is running, or a store rejects items.
    """
    needed_servers = local_instances(compiled)
    servers = running_servers(project.settings, needed_servers)
    placed = compile_for(project, compiled, servers.values())
    targets = {(target.engine.name, target.declared.name): target for target in placed.targets}
    counts: dict[tuple[str, str], int] = {}
    entities: set[str] = set()
    with ExitStack() as open_drivers:
        drivers = {instance: open_drivers.enter_context(connected(server)) for instance, server in servers.items()}
        for entity, page in _pages(samples):
            for binding in project.design.bindings:
                target = targets[binding.engine, binding.physical.name]
                instance = instance_of(target)
                if binding.entity.name == entity and instance in drivers and not binding.spec.source:
                    name = target.engine.object_of(target.placed, binding)
                    with answering(f"{target.store} {name}"):
                        items = _write(project, binding, page, name, drivers[instance])
                    counts[target.store, name] = counts.get((target.store, name), 0) + items
                    entities.add(entity)
                    tell(LoadProgress(sum(counts.values()), entity, len(entities), len(project.design.entities)))
    objects = tuple(LoadedObject(store, name, items) for (store, name), items in counts.items())
    return Loaded(
        objects,
        len(entities),
        tuple(str(server) for server in needed_servers if server not in servers),
    )


def _pages(samples: Iterable[GeneratedInstance]) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """(entity, values) in pages of consecutive samples of one entity."""
    for entity, group in groupby(samples, key=lambda sample: sample.entity):
        page: list[dict[str, Any]] = []
        for sample in group:
            page.append(dict(sample.value))
            if len(page) == PAGE:
                yield entity, page
                page = []
        if page:
            yield entity, page


def _write(project: Project, binding: Binding, page: list[dict[str, Any]], name: str, driver: Driver) -> int:
    model: Any = project.models[binding.name]
    cls, codec = class_of(model), codec_of(model)
    return driver.load(name, (item for values in page for item in codec.to_items(cls.model_validate(values))))

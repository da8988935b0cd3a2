"""Sample data into the local servers, through the same codecs that an application uses."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from keywright.compiler import Compiled, Project
from keywright.declare.fields import class_of
from keywright.engines.interface import Driver
from keywright.ir.binding import Binding
from keywright.runtime import codec_of
from keywright.sample import Sample

from .live import answering, compile_for, connected, instance_of, local_instances, running_servers

PAGE = 500
"""Instances that are turned into items and written together; bounds the memory that loading takes."""


@dataclass(frozen=True, slots=True)
class Written:
    """What was written to one object."""

    store: str
    """Its store."""
    object: str
    """Table, collection or server."""
    items: int
    """Native items."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """What was written."""

    objects: tuple[Written, ...]
    """By object, in declared order."""
    entities: int
    """Entities of which something was written."""
    skipped: tuple[str, ...]
    """Servers that do not run."""


def load_local(
    project: Project, compiled: Compiled, samples: Iterable[Sample], *, tell: Callable[[int], None] = lambda items: None
) -> Loaded:
    """Write samples to every running local server that stores their entity.

    tell: told the number of items so far, after every page.
    Raises Unavailable if none runs, and for what a store refuses.
    """
    wanted = local_instances(compiled)
    servers = running_servers(project.settings, wanted)
    placed = compile_for(project, compiled, servers.values())
    targets = {(one.engine.name, one.declared.name): one for one in placed.targets}
    counts: dict[tuple[str, str], int] = {}
    entities: set[str] = set()
    with ExitStack() as open_drivers:
        drivers = {instance: open_drivers.enter_context(connected(server)) for instance, server in servers.items()}
        for entity, page in _pages(samples):
            for binding in project.design.bindings:
                target = targets[binding.engine, binding.physical.name]
                instance = instance_of(target)
                if binding.entity.name == entity and instance in drivers:
                    name = target.engine.object_of(target.placed, binding)
                    with answering(f"{target.store} {name}"):
                        items = _write(project, binding, page, name, drivers[instance])
                    counts[target.store, name] = counts.get((target.store, name), 0) + items
                    entities.add(entity)
                    tell(sum(counts.values()))
    objects = tuple(Written(store, name, items) for (store, name), items in counts.items())
    return Loaded(objects, len(entities), tuple(str(one) for one in wanted if one not in servers))


def _pages(samples: Iterable[Sample]) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """(entity, values) of neighbours of one entity, in bounded pages."""
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

"""Databases as declarations."""

from collections.abc import Mapping
from typing import Any

from keywright.engines.contract.adoption import NO_SAMPLE, Adopted, NotExpressed, Sample
from keywright.errors import NOWHERE
from keywright.ir.binding import Physical
from keywright.ir.design import Design

from ..declare.options import MongoDatabase
from ..declare.settings import MongoEnvironment
from ..schema.target import DatabaseTarget
from .collections import CollectionReader
from .validation import with_default


def sampled(live: Mapping[str, Any]) -> dict[str, str]:
    """See `Adoption.sampled`: every collection that is no view."""
    native = live["native"]
    return {
        name: f"{live['name']}.{name}" for name, options in native["collections"].items() if "viewOn" not in options
    }


def adopt(target: DatabaseTarget, samples: Mapping[str, Sample], environment: MongoEnvironment) -> Adopted:
    """See `Adoption.adopt`. Types come from samples; fields that only an index names have any type."""
    physical = Physical("mongodb", target.name, target.name, MongoDatabase(target.name), NOWHERE)
    reader = CollectionReader(physical, target.collections)
    bindings = tuple(
        binding
        for collection in target.collections
        if collection.view is None
        if (binding := reader.binding(collection, samples.get(collection.physical_name, NO_SAMPLE)))
    )
    views = (reader.view(collection, bindings) for collection in target.collections if collection.view is not None)
    bindings += tuple(binding for binding in views if binding is not None)
    physical, bindings = with_default(physical, bindings)
    expressed = {binding.spec.name for binding in bindings}
    indexes = (
        NotExpressed(f"indexes/{collection.physical_name}", "its collection is not expressed")
        for collection in target.collections
        if collection.indexes and collection.name not in expressed
    )
    design = Design(tuple(binding.entity for binding in bindings), (physical,), bindings)
    return Adopted(design, reader.comments, (*reader.not_expressed, *indexes))

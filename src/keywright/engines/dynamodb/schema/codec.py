"""Tables to and from JSON descriptions; introspection returns a live table as such a description too."""

from typing import Any

from keywright.engines.contract import shape
from keywright.engines.interface import Description
from keywright.ir.json import Json

from . import replicas, scaling
from .target import IndexTarget, KeyPart, Placement, TableTarget


def describe(table: TableTarget) -> Description:
    """See `Engine.describe`."""
    native: dict[str, Json] = {"keys": _keys(table.keys)}
    if table.local_indexes:
        native["local_indexes"] = {index.name: describe_index(index) for index in table.local_indexes}
    if table.indexes:
        native["indexes"] = {index.name: describe_index(index) for index in table.indexes}
    if table.ttl:
        native["ttl"] = table.ttl
    if table.stream:
        native["stream"] = table.stream
    if table.placement:
        native["settings"] = describe_placement(table.placement)
    return {
        "name": table.name,
        "generation": table.generation,
        "native": native,
        "shape": shape.describe(table.shape),
    }


def describe_index(index: IndexTarget) -> Json:
    """Description of one index; an INCLUDE projection is its list of names."""
    projection: Json = list(index.included) if index.projection == "INCLUDE" else index.projection
    return {"keys": _keys(index.keys), "projection": projection}


def describe_placement(placement: Placement) -> Json:
    """Settings of the environment, without values that the flavour cannot report."""
    described: dict[str, Json] = {
        "billing": placement.billing,
        "capacity": _pair(placement.capacity),
        "on_demand_limits": _pair(placement.limits),
        "warm_throughput": _pair(placement.warm),
        "table_class": placement.table_class,
        "point_in_time_recovery": placement.has_recovery,
        "deletion_protection": placement.is_protected,
        "encryption": placement.encryption,
        "tags": None if placement.tags is None else dict(placement.tags),
        "autoscaling": scaling.describe(placement.scaling) if placement.scaling else None,
        "replication": replicas.describe(placement.replication) if placement.replication else None,
        "contributor_insights": placement.has_insights or None,
        "kinesis_stream": placement.kinesis_stream,
    }
    return {key: value for key, value in described.items() if value is not None}


def parse(description: Description) -> TableTarget:
    """See `Engine.parse`."""
    native: Any = description["native"]
    ttl, settings = native.get("ttl"), native.get("settings")
    return TableTarget(
        name=str(description["name"]),
        generation=int(description["generation"]),  # type: ignore[arg-type]  # an integer by construction
        keys=_parse_keys(native["keys"]),
        indexes=tuple(_parse_index(name, index) for name, index in sorted(native.get("indexes", {}).items())),
        local_indexes=tuple(
            _parse_index(name, index) for name, index in sorted(native.get("local_indexes", {}).items())
        ),
        ttl=ttl if isinstance(ttl, str) else None,
        stream=native.get("stream"),
        shape=shape.parse(description.get("shape", {})),
        placement=_parse_placement(settings) if settings else None,
    )


def _keys(keys: tuple[KeyPart, ...]) -> Json:
    return [[part.attribute, part.type, part.role] for part in keys]


def _parse_keys(keys: list[list[Any]]) -> tuple[KeyPart, ...]:
    return tuple(KeyPart(*part) for part in keys)


def _parse_index(name: str, index: dict[str, Any]) -> IndexTarget:
    projection = index["projection"]
    if isinstance(projection, list):
        return IndexTarget(name, _parse_keys(index["keys"]), "INCLUDE", tuple(projection))
    return IndexTarget(name, _parse_keys(index["keys"]), projection)


def _pair(units: tuple[int, int] | None) -> Json:
    return list(units) if units else None


def _parse_placement(settings: dict[str, Any]) -> Placement:
    def pair(key: str) -> tuple[int, int] | None:
        return tuple(settings[key]) if key in settings else None

    tags = settings.get("tags")
    return Placement(
        billing=settings["billing"],
        capacity=pair("capacity"),
        limits=pair("on_demand_limits"),
        warm=pair("warm_throughput"),
        table_class=settings.get("table_class"),
        has_recovery=settings.get("point_in_time_recovery"),
        is_protected=settings.get("deletion_protection", False),
        encryption=settings.get("encryption"),
        tags=None if tags is None else tuple(sorted(tags.items())),
        scaling=scaling.parse(settings["autoscaling"]) if "autoscaling" in settings else None,
        replication=replicas.parse(settings["replication"]) if "replication" in settings else None,
        has_insights=settings.get("contributor_insights", False),
        kinesis_stream=settings.get("kinesis_stream"),
    )

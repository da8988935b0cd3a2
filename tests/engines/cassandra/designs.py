"""Designs of tables that a test declares, without a project around them."""

from typing import Any

from pydantic import create_model

import keywright as kw
from keywright.engines.cassandra.declare.settings import CassandraEnvironment
from keywright.engines.cassandra.engine import ENGINE
from keywright.engines.cassandra.schema.target import KeyspaceTarget
from keywright.frontend.lower import binding_of
from keywright.ir.binding import Binding, Physical
from keywright.ir.design import Design

PRODUCTION = CassandraEnvironment(flavour="cassandra", version="5.0", datacentres={"dc1": 3})
"""An environment that refuses nothing."""

Fields = dict[str, Any]
"""Annotations by field name."""

NO_FIELDS: Fields = {}


def a_table(name: str = "readings", fields: Fields = NO_FIELDS, **options: Any) -> Binding:
    """A table of texts by sensor, and of what else the fields and options say."""
    annotations: dict[str, Any] = {key: (kind, ...) for key, kind in {"sensor": str, **fields}.items()}
    model = create_model(name.title(), **annotations)
    store = kw.CqlTable(kw.Keyspace("metrics"), name, **{"partition": "sensor", **options})
    binding = binding_of(name.title(), kw.bind(model, store))
    assert binding is not None
    return binding


def a_design(*tables: Binding, keyspace: str = "metrics") -> Design:
    """Tables in one keyspace."""
    spec = kw.Keyspace(keyspace)
    physical = Physical("cassandra", keyspace, keyspace, spec, spec.at)
    bindings = tuple(
        Binding(table.name, table.entity, physical, table.spec, table.templates, table.computed, table.at)
        for table in tables
    )
    return Design(tuple(binding.entity for binding in bindings), (physical,), bindings)


def a_keyspace(*tables: Binding) -> KeyspaceTarget:
    """The target of tables in one keyspace."""
    (target,) = ENGINE.lower(a_design(*tables))
    return target


def problems(*tables: Binding, keyspace: str = "metrics") -> list[tuple[str, str]]:
    """(code, problem) of all that no Cassandra can hold."""
    return [(rejection.code, rejection.problem) for rejection in ENGINE.check(a_design(*tables, keyspace=keyspace))]

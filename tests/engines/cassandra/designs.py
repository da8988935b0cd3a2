"""Designs of tables that a test declares, without a project around them."""

from typing import Any

from pydantic import create_model

import keywright as kw
from keywright.engines.cassandra.engine import ENGINE
from keywright.engines.cassandra.settings import CassandraEnvironment
from keywright.engines.cassandra.target import KeyspaceTarget
from keywright.frontend.lower import binding_of
from keywright.ir.binding import Binding
from keywright.ir.design import Design
from keywright.ir.physical import Physical

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
        Binding(one.name, one.entity, physical, one.spec, one.templates, one.computed, one.at) for one in tables
    )
    return Design(tuple(one.entity for one in bindings), (physical,), bindings)


def a_keyspace(*tables: Binding) -> KeyspaceTarget:
    """The target of tables in one keyspace."""
    (target,) = ENGINE.lower(a_design(*tables))
    return target


def problems(*tables: Binding, keyspace: str = "metrics") -> list[tuple[str, str]]:
    """(code, problem) of all that no Cassandra can hold."""
    return [(one.code, one.problem) for one in ENGINE.check(a_design(*tables, keyspace=keyspace))]

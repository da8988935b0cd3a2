"""Patterns of tables that a test declares, planned as the compiler would plan them."""

from typing import Any

from tests.engines.cassandra.designs import PRODUCTION, a_design

from keywright.access.path import AccessPath, NotServed
from keywright.access.search import Planned, plan, plan_together
from keywright.engines.cassandra.declare.settings import CassandraEnvironment
from keywright.engines.cassandra.engine import ENGINE
from keywright.engines.cassandra.schema.target import KeyspaceTarget
from keywright.errors import NOWHERE
from keywright.ir.binding import Binding
from keywright.ir.pattern import ConstantCondition, Pattern, PatternKind

Where = dict[str, Any]
"""Constants by field; a tuple is (test, values...)."""


def a_pattern(kind: PatternKind, name: str = "pattern", where: Where | None = None, **options: Any) -> Pattern:
    """A pattern; names may be given as one text, conditions by field."""
    several = ("eq", "one_of", "order", "fields", "sets", "unset", "search")
    if kind in ("put", "update", "increment", "delete", "transact"):
        options = {"consistency": "strong", **options}  # as declarations have it
    given = {key: tuple(value.split()) if key in several else value for key, value in options.items()}
    return Pattern(name, kind, "tests", "", NOWHERE, where=tuple(map(_condition, (where or {}).items())), **given)


def _condition(given: tuple[str, Any]) -> ConstantCondition:
    field, value = given
    if isinstance(value, tuple):
        return ConstantCondition(field, value[0], tuple(value[1:]))
    return ConstantCondition(field, "equals", (value,))


def placed(*tables: Binding, environment: CassandraEnvironment = PRODUCTION) -> KeyspaceTarget:
    """The placed keyspace of some tables."""
    (target,) = ENGINE.lower(a_design(*tables))
    return ENGINE.place(target, environment)


def planned(
    table: Binding, kind: PatternKind, target: KeyspaceTarget | None = None, **options: Any
) -> Planned[KeyspaceTarget]:
    """A pattern of one table, planned."""
    return plan(ENGINE, target or placed(table), table, a_pattern(kind, **options))


def together(target: KeyspaceTarget, *parts: tuple[Binding, Pattern]) -> Planned[KeyspaceTarget]:
    """A transaction, planned."""
    writes = tuple(plan(ENGINE, target, table, pattern) for table, pattern in parts)
    return plan_together(ENGINE, target, a_pattern("transact"), writes)


def verdict(found: Planned[KeyspaceTarget]) -> str:
    """What serves a pattern: by, order, fan-out and residual, in one line; or why nothing does."""
    path = found.path
    if isinstance(path, NotServed):
        return path.reason
    assert isinstance(path, AccessPath)
    residual = f" residual {', '.join(condition.field for condition in path.residual)}" if path.residual else ""
    return f"{path.by}, {path.order}, {path.fan_out}{residual}"

"""Plans patterns that were declared in a test, without a project around them."""

import inspect
from collections.abc import Mapping
from types import ModuleType
from typing import Any

from keywright.access.path import AccessPath, NotServed
from keywright.access.search import Planned, plan, plan_together
from keywright.engines.dynamodb.engine import ENGINE
from keywright.engines.dynamodb.schema.target import TableTarget
from keywright.frontend.lower import lower, models_of
from keywright.ir.binding import Binding
from keywright.ir.design import Design
from keywright.ir.pattern import COMBINED, Pattern
from keywright.record import Record

HERE = ENGINE.localise(None, "3.3.1")


class Plans(Record):
    """What some declarations come to."""

    design: Design
    tables: Mapping[str, TableTarget]
    models: Mapping[str, Any]

    @property
    def bindings(self) -> dict[str, Binding]:
        return {binding.name: binding for binding in self.design.bindings}

    @property
    def patterns(self) -> dict[str, Pattern]:
        return {pattern.name: pattern for pattern in self.design.patterns}

    def plan(self, name: str) -> Planned[TableTarget]:
        return self.planned(self.patterns[name])

    def planned(self, pattern: Pattern) -> Planned[TableTarget]:
        if pattern.kind in COMBINED:
            parts = tuple(map(self.planned, pattern.parts))
            return plan_together(ENGINE, parts[0].target, pattern, parts)
        binding = self.bindings[pattern.binding]
        return plan(ENGINE, self.tables[binding.physical.name], binding, pattern)

    def path(self, name: str) -> AccessPath:
        not_served = self.plan(name).path
        assert isinstance(not_served, AccessPath), not_served
        return not_served

    def verdict(self, name: str) -> Any:
        """(by, fan-out, order, residual) of a served pattern, or the reason."""
        path = self.plan(name).path
        if isinstance(path, NotServed):
            return path.reason
        return str(path.by), path.fan_out, path.order, tuple(map(str, path.residual))


def plans(**declared: Any) -> Plans:
    """What models and patterns with these names come to; called from the file that made the declarations."""
    frame = inspect.currentframe()
    assert frame is not None
    assert frame.f_back is not None
    module = ModuleType(frame.f_back.f_globals["__name__"])
    module.__file__ = frame.f_back.f_code.co_filename
    vars(module).update(declared)
    return plans_of(module)


def plans_of(module: ModuleType) -> Plans:
    """What a module of models and patterns comes to."""
    design = lower([module])
    refusals = list(ENGINE.check(design))
    assert refusals == [], refusals
    tables = {table.name: ENGINE.place(table, HERE) for table in ENGINE.lower(design)}
    return Plans(design, tables, models_of([module]))

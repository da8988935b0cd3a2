"""Patterns planned against servers that a test declares, without a project around them."""

from typing import Any

from tests.engines.redis.designs import design_of

from keywright.access.path import AccessPath
from keywright.access.search import Planned, plan, plan_together
from keywright.engines.redis.declare.settings import RedisEnvironment
from keywright.engines.redis.engine import ENGINE
from keywright.engines.redis.schema.target import ServerTarget
from keywright.ir.design import Design
from keywright.record import replace

ONE_NODE = RedisEnvironment(flavour="redis", version="7.2")
REPLICATED = replace(ONE_NODE, replicas=1)
CLUSTER = replace(ONE_NODE, cluster=True)


class Plans:
    """Every pattern of some declarations, planned in one environment."""

    def __init__(self, file: str, declared: dict[str, Any], environment: RedisEnvironment = ONE_NODE) -> None:
        self.design: Design = design_of(file, **declared)
        self.targets = {server.name: ENGINE.place(server, environment) for server in ENGINE.lower(self.design)}
        self.patterns = {pattern.name: pattern for pattern in self.design.patterns}

    def target(self, name: str) -> ServerTarget:
        """The server of a binding."""
        binding = next(binding for binding in self.design.bindings if binding.name == name)
        return self.targets[binding.physical.name]

    def __getitem__(self, name: str) -> Planned[ServerTarget]:
        pattern = self.patterns[name]
        if pattern.kind == "transact":
            parts = tuple(self._planned(part) for part in pattern.parts)
            return plan_together(ENGINE, parts[0].target, pattern, parts)
        return self._planned(pattern)

    def _planned(self, pattern: Any) -> Planned[ServerTarget]:
        binding = next(binding for binding in self.design.bindings if binding.name == pattern.binding)
        return plan(ENGINE, self.targets[binding.physical.name], binding, pattern)

    def verdict(self, name: str) -> str:
        """What serves a pattern in one line, or why nothing does."""
        path = self[name].path
        if not isinstance(path, AccessPath):
            return f"no: {path.reason}"
        rest = f" residual {', '.join(map(str, path.residual))}" if path.residual else ""
        return f"{type(path.call).__name__} x{path.fan_out} {path.order}{rest}"

    def commands(self, name: str) -> Any:
        """The native form of a pattern, commands as lines."""
        query: Any = ENGINE.query(self[name])
        return _lines(query)


def _lines(shown: Any) -> Any:
    if isinstance(shown, dict):
        return {key: _lines(value) for key, value in shown.items()}
    if isinstance(shown, list) and shown and isinstance(shown[0], list):
        return [" ".join(words) for words in shown]
    return shown

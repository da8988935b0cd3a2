"""A store of an environment: its connection, and the comparison of its live state with the expected state."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from keywright.engines.contract.diff import ValueDifference, differences
from keywright.engines.contract.ledger import Ledger
from keywright.engines.contract.plan import Statement
from keywright.engines.contract.unmanaged import Unmanaged, unmanaged
from keywright.engines.environment import EngineEnvironment
from keywright.engines.interface import Description, Driver, Engine
from keywright.ir.json import Json
from keywright.record import Record, field, replace

from ..snapshot import digest, target_of
from .accepted import as_accepted, is_still_there
from .records import AcceptedDifference

Descriptions = Mapping[str, Any]
"""Descriptions of a store's targets by key, as in a snapshot."""


class StoreConnection(Record, kw_only=True):
    """A store with everything that is needed to change it."""

    store: str
    """Name of the store, such as `mongodb/content`."""
    engine: Engine[Any, Any]
    """Engine of the store."""
    environment: EngineEnvironment
    """Settings of the engine in the environment."""
    driver: Driver
    """Connection to the store."""
    ledger: Ledger
    """History of the store."""
    by: str = "runner"
    """Executor of native steps: `runner`, through the driver, or `pulumi`."""

    first: dict[str, Any] = field(default_factory=dict)
    """Live state of targets that existed before keywright, by key; settings for all targets do not alter them."""

    accepted: dict[str, list[AcceptedDifference]] = field(default_factory=dict)
    """Accepted differences from the migrations that still hold, by key of the target."""

    def accept(self, descriptions: Descriptions, accepted_differences: Iterable[AcceptedDifference]) -> None:
        """Treat accepted differences as expected, as far as the live state still has them."""
        self.accepted.clear()
        by_key: dict[str, list[AcceptedDifference]] = {}
        for difference in accepted_differences:
            if difference.key in descriptions:
                by_key.setdefault(difference.key, []).append(difference)
        physical_names = {key: self.place(key, descriptions[key]).name for key in by_key}
        live_descriptions = self.driver.introspect(physical_names.values()) if physical_names else {}
        for key, differences_of_target in by_key.items():
            live: Any = live_descriptions[physical_names[key]]
            native = self._native(self.engine.parse(live)) if live else {}
            self.accepted[key] = [each for each in differences_of_target if is_still_there(each, native)]  # type: ignore[arg-type]

    def adopt(self, descriptions: Descriptions) -> None:
        """Treat the live targets as existing before keywright."""
        if self.engine.with_live_settings is None:
            return
        for key in descriptions:
            if key not in self.first:
                name = self.place(key, descriptions[key]).name
                if (live := self.driver.introspect([name])[name]) is not None:
                    self.first[key] = self.engine.parse(live)

    def place(self, key: str, description: Any) -> Any:
        """Target of a snapshot, placed in this environment."""
        placed = self.engine.place(target_of(self.engine, key, description), self.environment)
        if self.engine.with_live_settings is not None and key in self.first:
            placed = self.engine.with_live_settings(placed, self.first[key], self.environment)
        accepted = self.accepted.get(key)
        return self.engine.parse(as_accepted(self.engine.describe(placed), accepted)) if accepted else placed

    def statements(self, before: Descriptions, after: Descriptions) -> tuple[Statement, ...]:
        """Native steps between two states of the store; none for equal targets."""
        result: list[Statement] = []
        for key in sorted(before.keys() | after.keys()):
            old, new = (self.place(key, targets[key]) if key in targets else None for targets in (before, after))
            if old != new:
                result += (replace(statement, store=self.store) for statement in self.engine.migrate(old, new))
        return tuple(result)

    def differences(self, expected: Descriptions) -> Iterator[tuple[str, ValueDifference]]:
        """(physical name, difference) between a state and the live store, in the native half.

        `settings` and `unset` compare the settings of the environment.
        """
        for placed, live in self._looked_at(expected):
            if live is None:
                yield placed.name, ValueDifference((), placed.name, None)
                continue
            for difference in differences(self._declared(placed), self._declared(live)):
                yield placed.name, difference

    def settings(self, expected: Descriptions) -> tuple[Statement, ...]:
        """Steps that apply the environment's settings to targets without other differences."""
        statements: list[Statement] = []
        for placed, live in self._looked_at(expected):
            if live is not None and live != placed and self._declared(live) == self._declared(placed):
                statements += (replace(statement, store=self.store) for statement in self.engine.migrate(live, placed))
        return tuple(statements)

    def unset(self, expected: Descriptions) -> Iterator[tuple[str, ValueDifference]]:
        """(physical name, difference) of the environment's settings, for targets without other differences."""
        for placed, live in self._looked_at(expected):
            if live is not None and self._declared(live) == self._declared(placed):
                for difference in differences(self._native(placed), self._native(live)):
                    yield placed.name, difference

    def repairs(self, expected: Descriptions) -> tuple[Statement, ...]:
        """Steps that would bring the live store to a state; none for changes that need a new generation."""
        result: list[Statement] = []
        for placed, live in self._looked_at(expected):
            try:
                statements = self.engine.migrate(live, placed)
            except ValueError:
                continue
            result += (
                replace(statement, store=self.store)
                for statement in statements
                if live is None or statement.wants is not None
            )
        return tuple(result)

    def unmanaged(self, expected: Descriptions) -> Iterator[tuple[str, str, Unmanaged]]:
        """(key, physical name, part) of unmanaged objects beside a state.

        If each target is a table, other tables with the environment's prefix are returned whole, with an empty key.
        """
        managed_names: set[str] = set()
        for key in sorted(expected):
            for placed, live, description in self._live_targets({key: expected[key]}):
                managed_names.add(placed.name)
                if description is not None:
                    live_native = self._native(self.engine.parse(self.engine.deliberate(description, placed)))
                    managed_native = self._native(self.engine.managed(live, placed))
                    yield from (
                        (key, placed.name, part) for part in unmanaged(self.engine.parts, live_native, managed_native)
                    )
        if expected and "/" not in self.store:
            prefix = getattr(self.environment, "name_prefix", "")
            own = {*managed_names, self.engine.home(self.environment, self.store)}
            others = sorted(name for name in self.driver.names() if name.startswith(prefix) and name not in own)
            yield from (("", name, Unmanaged((), None)) for name in others)

    def _looked_at(self, expected: Descriptions) -> Iterator[tuple[Any, Any]]:
        """Each placed target with the managed part of its live target; None for a missing target."""
        for placed, live, _ in self._live_targets(expected):
            yield placed, self.engine.managed(live, placed) if live is not None else None

    def _live_targets(self, expected: Descriptions) -> Iterator[tuple[Any, Any, Description | None]]:
        """(placed target with the live names, live target, its description); None for a missing target."""
        targets = [self.place(key, expected[key]) for key in sorted(expected)]
        descriptions = self.driver.introspect([target.name for target in targets])
        for target in targets:
            description = descriptions[target.name]
            live = self.engine.parse(description) if description else None
            yield self.engine.with_live_names(target, live) if live is not None else target, live, description

    def _declared(self, target: Any) -> Json:
        """Native half without the environment's settings."""
        return self._native(self.engine.unplace(target, self.environment))

    def _native(self, target: Any) -> Json:
        return self.engine.describe(target)["native"]

    def fingerprint(self, expected: Descriptions) -> str:
        """Hash of the live state, restricted to the parts that the expected state manages."""
        native_halves = {
            placed.name: self._native(live) if live else None for placed, live in self._looked_at(expected)
        }
        return digest(native_halves)

    def is_empty(self, expected: Descriptions) -> bool:
        """Whether no target of a state exists yet; a Redis server always exists, so its settings decide."""
        targets = [self.place(key, expected[key]) for key in sorted(expected)]
        live = self.driver.introspect([target.name for target in targets])
        return all(self.engine.is_untouched(target, live[target.name]) for target in targets)

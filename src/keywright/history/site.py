"""One store of an environment: where a version is carried out, and what is there now."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from keywright.engines.compare import Difference, differences
from keywright.engines.environment import Environment
from keywright.engines.interface import Driver, Engine
from keywright.engines.ledger import Ledger
from keywright.engines.plan import Step
from keywright.ir.json import Json

from .snapshot import digest, target_of

Descriptions = Mapping[str, Any]
"""Descriptions of a store's targets by their keys, as a snapshot has them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """A store with all that is needed to change it."""

    store: str
    """Its name, such as `mongodb/content`."""
    engine: Engine[Any, Any]
    """Its engine."""
    environment: Environment
    """The engine's part of the environment."""
    driver: Driver
    """The connection to it."""
    ledger: Ledger
    """Its history."""
    by: str = "runner"
    """Who lands native steps here: the runner, through the driver, or `pulumi`."""

    def place(self, key: str, description: Any) -> Any:
        """A target of a snapshot in this environment."""
        return self.engine.place(target_of(self.engine, key, description), self.environment)

    def steps(self, before: Descriptions, after: Descriptions) -> tuple[Step, ...]:
        """The native steps between two states of the store; of what is the same, none."""
        found: list[Step] = []
        for key in sorted(before.keys() | after.keys()):
            old, new = (self.place(key, one[key]) if key in one else None for one in (before, after))
            if old != new:
                found += (replace(step, store=self.store) for step in self.engine.migrate(old, new))
        return tuple(found)

    def differences(self, wanted: Descriptions) -> Iterator[tuple[str, Difference]]:
        """(physical name, what differs) between a state and the live store, in the native half.

        What an environment owns is compared by `settings` and `unset`.
        """
        for placed, live in self._looked_at(wanted):
            if live is None:
                yield placed.name, Difference((), placed.name, None)
                continue
            for difference in differences(self._declared(placed), self._declared(live)):
                yield placed.name, difference

    def settings(self, wanted: Descriptions) -> tuple[Step, ...]:
        """The steps that bring what the environment owns to what it says, where nothing else differs."""
        found: list[Step] = []
        for placed, live in self._looked_at(wanted):
            if live is not None and live != placed and self._declared(live) == self._declared(placed):
                found += (replace(step, store=self.store) for step in self.engine.migrate(live, placed))
        return tuple(found)

    def unset(self, wanted: Descriptions) -> Iterator[tuple[str, Difference]]:
        """What of an environment's own differs from what it says."""
        for placed, live in self._looked_at(wanted):
            if live is not None and self._declared(live) == self._declared(placed):
                for difference in differences(self._native(placed), self._native(live)):
                    yield placed.name, difference

    def repairs(self, wanted: Descriptions) -> tuple[Step, ...]:
        """The steps that would bring the live store to a state; none for what only a new generation could."""
        found: list[Step] = []
        for placed, live in self._looked_at(wanted):
            try:
                steps = self.engine.migrate(live, placed)
            except ValueError:
                continue
            found += (replace(step, store=self.store) for step in steps if live is None or step.wants is not None)
        return tuple(found)

    def _looked_at(self, wanted: Descriptions) -> Iterator[tuple[Any, Any]]:
        """Each placed target with the part of the live one that it speaks of; None for one that is not there."""
        placed = [self.place(key, wanted[key]) for key in sorted(wanted)]
        live = self.driver.introspect([one.name for one in placed])
        for one in placed:
            described = live[one.name]
            found = self.engine.managed(self.engine.parse(described), one) if described else None
            yield one, found

    def _declared(self, target: Any) -> Json:
        """The native half without what the environment owns."""
        return self._native(self.engine.unplace(target, self.environment))

    def _native(self, target: Any) -> Json:
        return self.engine.describe(target)["native"]

    def fingerprint(self, wanted: Descriptions) -> str:
        """What tells two live states apart, as far as the wanted state speaks of them."""
        told = {placed.name: self._native(live) if live else None for placed, live in self._looked_at(wanted)}
        return digest(told)

    def is_empty(self, wanted: Descriptions) -> bool:
        """Whether nothing of a state is there yet; a server that always is counts by what it was told."""
        placed = [self.place(key, wanted[key]) for key in sorted(wanted)]
        live = self.driver.introspect([one.name for one in placed])
        return all(self.engine.is_untouched(one, live[one.name]) for one in placed)

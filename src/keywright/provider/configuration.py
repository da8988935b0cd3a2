"""The provider's part of a stack's configuration: where stores are; what an environment is stands in its stack file."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from keywright.api.sites import Where
from keywright.api.standing import Standing
from keywright.engines.registry import ENGINES
from keywright.errors import did_you_mean
from keywright.project.settings import read_settings

_ADDRESS = re.compile(rf"({'|'.join(engine.name for engine in ENGINES)})[A-Za-z0-9]*Uri")

_KNOWN = ("environment", "local", "version", "pluginDownloadURL")
"""Keys beside addresses; the last two are the engine's own."""


class Configuration:
    """What a stack says of its stores, and the stores themselves."""

    def __init__(self, given: Mapping[str, Any] | None = None) -> None:
        given = given or {}
        self._addresses = {key: str(value) for key, value in given.items() if _ADDRESS.fullmatch(key)}
        self._is_local = is_true(given.get("local"))
        self._standing: dict[str, Standing] = {}

    @staticmethod
    def wrong(given: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
        """(key, what is wrong with it)."""
        for key in given:
            if key not in _KNOWN and not _ADDRESS.fullmatch(key):
                known = (*_KNOWN[:2], *(f"{engine.name}Uri" for engine in ENGINES))
                yield key, f'there is no setting "keywright:{key}"; {did_you_mean(key, known)}'

    def standing(self, urn: str, inputs: Mapping[str, Any] | None) -> Standing:
        """The stores of the environment that a resource belongs to: its stack's, unless it says another."""
        name = str((inputs or {}).get("environment") or urn.split("::")[0].split(":")[-1])
        if name not in self._standing:
            where = Where(read_settings(None), name, self._is_local, self._addresses)
            self._standing.setdefault(name, Standing(where))
        return self._standing[name]

    def close(self) -> None:
        """End all connections."""
        for one in self._standing.values():
            one.close()


def is_true(value: object) -> bool:
    """Whether a setting is on; the engine gives texts."""
    return value in (True, "true")

"""The provider's part of a stack's configuration: addresses of stores; the environment is in the stack file."""

from collections.abc import Iterator, Mapping
from typing import Any

from keywright.api.live.connect import StoreSelector
from keywright.api.stack.connections import ConnectionPool
from keywright.project.environments.configuration import unknown_keys
from keywright.project.settings import read_settings


class ProviderConfiguration:
    """The stores of a stack's configuration, with their connections."""

    def __init__(self, configuration: Mapping[str, Any] | None = None) -> None:
        configuration = configuration or {}
        self._addresses = {key: str(value) for key, value in configuration.items() if key.endswith("Uri")}
        self._is_local = is_true(configuration.get("local"))
        self._pools: dict[str, ConnectionPool] = {}

    @staticmethod
    def wrong(configuration: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
        """(key, problem) of each error."""
        return unknown_keys(configuration)

    def changed(self, configuration: Mapping[str, Any]) -> list[str]:
        """The keys with another address or password in another configuration."""
        new = ProviderConfiguration(configuration)
        keys = self._addresses.keys() | new._addresses.keys()
        changed_keys = [key for key in sorted(keys) if self._addresses.get(key) != new._addresses.get(key)]
        return changed_keys + (["local"] if self._is_local != new._is_local else [])

    def pool(self, urn: str, inputs: Mapping[str, Any] | None) -> ConnectionPool:
        """The connections of a resource's environment: the stack's, unless the resource names another."""
        stack = urn.split("::")[0].split(":")[-1]
        name = str((inputs or {}).get("environment") or stack)
        if name not in self._pools:
            selector = StoreSelector(read_settings(None), name, self._is_local, self._addresses)
            self._pools.setdefault(name, ConnectionPool(selector, is_of_stack=name == stack))
        return self._pools[name]

    def close(self) -> None:
        """End all connections."""
        for pool in self._pools.values():
            pool.close()


def is_true(value: object) -> bool:
    """Whether a setting is on; Pulumi's engine sends text."""
    return value in (True, "true")

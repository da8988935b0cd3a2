"""Checks the keys of a stack's configuration that start with `keywright:`, except the environment itself."""

import re
from collections.abc import Iterable, Iterator

from keywright.engines.registry import NAMES, is_engine
from keywright.errors import did_you_mean

KEYS = ("environment", "local")
"""Keys of a stack's configuration other than addresses."""

_PULUMI_KEYS = ("version", "pluginDownloadURL")
"""Keys that Pulumi itself passes to a provider."""

_ADDRESS = re.compile(r"([a-z]+)[A-Za-z0-9]*Uri")


def keys_of(store: str) -> tuple[str, str]:
    """The keys of a stack's configuration for a store's address: the store's own key and its engine's key."""
    engine, _, name = store.partition("/")
    words = re.split(r"[^A-Za-z0-9]+", name)
    own = "".join(word[:1].upper() + word[1:] for word in words)
    return f"{engine}{own}Uri", f"{engine}Uri"


def unknown_keys(keys: Iterable[str], stores: Iterable[str] = ()) -> Iterator[tuple[str, str]]:
    """(key, problem) of the configuration's keys that have no effect, without the prefix `keywright:`.

    stores: the environment's stores, if they are known; otherwise every key in the form of an address is accepted.
    """
    engine_keys = [f"{name}Uri" for name in NAMES]
    valid = [*KEYS, *dict.fromkeys([*engine_keys, *(key for store in stores for key in keys_of(store))])]
    is_address = _is_address if not stores else lambda key: False
    for key in keys:
        if key not in valid and key not in _PULUMI_KEYS and not is_address(key):
            yield key, f'there is no setting "keywright:{key}"; {did_you_mean(key, valid)}'


def _is_address(key: str) -> bool:
    """Whether a key has the form of the address of an engine's store."""
    match = _ADDRESS.fullmatch(key)
    return match is not None and (any(key.startswith(name) for name in NAMES) or is_engine(match[1]))

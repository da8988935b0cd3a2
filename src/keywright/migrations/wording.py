"""Changes in words: what people read in plans, gates and folders."""

import re

from keywright.engines.change import Change

_VERBS = {"Add": "add", "Drop": "drop", "Rename": "rename", "Alter": "alter"}
_HALVES = ("native", "shape", "fields", "indexes", "collections", "tables", "columns", "key", "views", "settings")


_TARGETS = {"dynamodb": "table", "mongodb": "database", "cassandra": "keyspace", "redis": "server"}
"""What a whole target is called, by its engine."""


def named(change: Change) -> str:
    """A change in a few words: `add index "by_status" of "shop"`."""
    words = re.findall(r"[A-Z][a-z]+", change.kind)
    verb, noun = _VERBS[words[0]], " ".join(words[1:]).lower()
    if noun == "table":
        engine = change.store.partition("/")[0]
        noun = _TARGETS[engine] if len(change.path) == 1 else "collection" if engine == "mongodb" else noun
    parts = [change.path[0], *(part for part in change.path[1:] if part not in _HALVES)]
    noun = {"ttl": "expiry"}.get(noun, noun)
    owner = "".join(f' of "{part}"' for part in reversed(parts[:-1]))
    return f'{verb} {noun} "{parts[-1]}"{owner}'

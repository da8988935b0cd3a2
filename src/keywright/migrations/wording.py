"""Changes in words, for plans, gates and folder names."""

import re

from keywright.engines.contract.change import Change
from keywright.engines.registry import facts_of

_VERBS = {"Add": "add", "Drop": "drop", "Rename": "rename", "Alter": "alter"}
_HALVES = ("native", "shape", "fields", "indexes", "collections", "tables", "columns", "key", "views", "settings")


def named(change: Change) -> str:
    """Summary of a change: `add index "by_status" of "shop"`."""
    words = re.findall(r"[A-Z][a-z]+", change.kind)
    verb, noun = _VERBS[words[0]], " ".join(words[1:]).lower()
    if noun == "table":
        nouns = facts_of(change.store).nouns
        noun = nouns.target if len(change.path) == 1 else nouns.table
    parts = [change.path[0], *(part for part in change.path[1:] if part not in _HALVES)]
    noun = {"ttl": "expiry"}.get(noun, noun)
    owner = "".join(f' of "{part}"' for part in reversed(parts[:-1]))
    return f'{verb} {noun} "{parts[-1]}"{owner}'

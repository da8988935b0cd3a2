"""An index of Search as data."""

import hashlib
import json
import re
from collections.abc import Mapping
from typing import Any

from keywright.record import Record

Definition = Mapping[str, Any]
"""An index as JSON: `on`, `prefixes`, `fields` by name, and `stopwords`; `direct` if its name is no alias."""

_GENERATION = re.compile(r"^k\d+:")
_BUILT = re.compile(r"(.+):[0-9a-f]{8}")


class SearchTarget(Record):
    """An index."""

    name: str
    """Name that calls use; a placed name has the prefix of the generation."""
    definition: Definition
    """Its definition."""

    @property
    def is_direct(self) -> bool:
        """Whether the name is that of the index, and no alias."""
        return bool(self.definition.get("direct"))

    @property
    def built(self) -> str:
        """Name of the index behind the name: its definition decides, so that another definition has another name."""
        return self.name if self.is_direct else f"{self.name}:{digest(self.definition)}"


def digest(definition: Definition) -> str:
    """Eight letters for a definition, the same in every generation."""
    prefixes = [_GENERATION.sub("", prefix) for prefix in definition["prefixes"]]
    text = json.dumps({**definition, "prefixes": prefixes}, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def alias_of(built: str) -> str | None:
    """The name whose index has a name that keywright gives; None for any other name."""
    match = _BUILT.fullmatch(built)
    return match[1] if match else None

"""The environments of a project as rules see them: names, modes, labels, and the texts of stack files."""

import re
from collections.abc import Mapping
from typing import Literal

from keywright.engines.environment import EngineEnvironment
from keywright.errors import NOWHERE, Place
from keywright.record import Record, field

_PRODUCTION = frozenset(("prod", "production", "prd", "live"))
_OTHERS = frozenset(("non", "not", "pre", "like"))
_BETWEEN_WORDS = re.compile(r"[\W_]+")
_STAGES = ("env", "environment", "stage", "tier")
"""Names of tags and labels whose value is the kind of environment."""


class StackText(Record):
    """A text in the configuration of a stack that is not encrypted."""

    key: str
    """Its keys, outermost first, with dots between them."""
    text: str
    """The text."""
    at: Place
    """Its place."""


class EnvironmentFacts(Record, kw_only=True):
    """One environment."""

    name: str = ""
    """Its name, from the file's name; empty for targets of a Pulumi program."""
    mode: Literal["dev", "gated"] = "gated"
    """Whether it follows the models, or only approved migrations."""
    labels: Mapping[str, str] = field(default_factory=dict)
    """Its tags, and the labels of its series."""
    engines: Mapping[str, EngineEnvironment] = field(default_factory=dict)
    """Settings by engine."""
    texts: tuple[StackText, ...] = ()
    """All texts of its configuration."""
    at: Place = NOWHERE
    """Its file."""
    mode_at: Place = NOWHERE
    """The place of its mode."""

    def text(self, key: str) -> str:
        """The text of a key; empty if there is none."""
        return next((text.text for text in self.texts if text.key == key), "")


def production_sign(name: str, labels: Mapping[str, str]) -> str | None:
    """Sign that an environment is production: its name, or a label of its kind; None without one."""
    signs = {f'named "{name}"': name}
    signs |= {f'labelled "{label}: {text}"': text for label, text in labels.items() if label.lower() in _STAGES}
    return next((sign for sign, text in signs.items() if _is_production(text)), None)


def _is_production(text: str) -> bool:
    words = frozenset(word.rstrip("0123456789") for word in _BETWEEN_WORDS.split(text.lower()))
    return bool(words & _PRODUCTION) and not words & _OTHERS

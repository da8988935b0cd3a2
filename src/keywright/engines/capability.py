"""How limits and features are stated: each with the public page that is about it and the date of its state."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from keywright.errors import quoted


@dataclass(frozen=True, slots=True)
class Source:
    """Where a fact stands."""

    url: str
    """Public address."""
    as_of: str
    """ISO date of the state of the fact; the page may have changed since."""


@dataclass(frozen=True, slots=True)
class Limit:
    """A number that the server enforces."""

    value: int
    """The largest allowed value."""
    source: Source
    """Who says so."""


@dataclass(frozen=True, slots=True)
class Support:
    """Whether a flavour has a feature, and from which version on."""

    source: Source
    """Who says so."""
    has_it: bool = True
    """Whether any version has it."""
    since: str | None = None
    """The first version with it; None for all versions."""
    instead: str = ""
    """What to do without it."""


@dataclass(frozen=True, slots=True)
class Flavour:
    """A product that serves an engine."""

    name: str
    """As written in a stack file."""
    title: str
    """As written in a sentence."""
    versions: tuple[str, ...] = ()
    """Versions that are known, oldest first; empty for a service without versions."""
    features: Mapping[str, Support] = field(default_factory=dict)
    """Its features; what is not listed, it has."""

    def has(self, feature: str, version: str | None) -> bool:
        """Whether this version has a feature."""
        support = self.features.get(feature)
        if support is None:
            return True
        return support.has_it and not (support.since and is_older(version or self.latest, support.since))

    def lack(self, feature: str, version: str | None) -> tuple[str, str]:
        """The end of a sentence, and a help line, about a feature that this version lacks."""
        support = self.features[feature]
        if not support.has_it:
            return f"{self.title} does not have", support.instead or "leave it out in this environment's models"
        return f"{self.title} has from {support.since} on", support.instead or f'raise version from "{version}"'

    def wrong_version(self, version: str | None) -> tuple[str, str] | None:
        """(problem, help) of a version that there cannot be; one newer than all that are known counts as the newest."""
        known = f"known: {quoted(self.versions)}"
        if version is None:
            return None
        if not self.versions:
            return f'{self.title} has no versions, the environment says "{version}"', "leave out version"
        if not re.fullmatch(r"\d+(\.\d+)*", version):
            return f'"{version}" is no version of {self.title}', known
        if is_older(version, self.versions[0]):
            return f'{self.title} "{version}" is older than "{self.versions[0]}", the first that is known', known
        return None

    @property
    def latest(self) -> str | None:
        """The newest version that is known."""
        return self.versions[-1] if self.versions else None


def is_older(version: str | None, than: str) -> bool:
    """Whether a version comes before another, number by number; an unknown one is not older."""
    if version is None:
        return False
    return _numbers(version) < _numbers(than)


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".") if part.isdigit())

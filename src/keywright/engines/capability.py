"""Limits and features of a flavour, each with the public page that documents it and the date of the reading."""

import re
from collections.abc import Callable, Mapping

from keywright.errors import quoted
from keywright.record import Record, field


class Source(Record):
    """The source of a fact."""

    url: str
    """Public address."""
    as_of: str
    """ISO date on which the page was read; it may have changed since."""


class Limit(Record):
    """A number that the server enforces."""

    value: int
    """The largest allowed value."""
    source: Source
    """The page that documents it."""


class Price(Record):
    """A price in US dollars, without discounts and taxes."""

    value: float
    """The price of one unit."""
    source: Source
    """The page that lists it."""


class Support(Record):
    """Whether a flavour has a feature, and from which version on."""

    source: Source
    """The page that documents it."""
    has_it: bool = True
    """Whether any version has it."""
    since: str | None = None
    """The first version with it; None for all versions."""
    instead: str = ""
    """An alternative for versions without it."""


class Flavour(Record):
    """A product that serves an engine."""

    name: str
    """As written in a stack file."""
    title: str
    """As written in a message."""
    versions: tuple[str, ...] = ()
    """Known versions, oldest first; empty for a service without versions."""
    features: Mapping[str, Support] = field(default_factory=dict)
    """Its features; the flavour has every feature that is not listed."""
    has_all_versions: bool = False
    """Whether `versions` lists every release up to the newest known one."""

    def has(self, feature: str, version: str | None) -> bool:
        """Whether this version has a feature."""
        support = self.features.get(feature)
        if support is None:
            return True
        return support.has_it and not (support.since and is_older(version or self.latest, support.since))

    def lack(self, feature: str, version: str | None) -> tuple[str, str]:
        """The end of a sentence and a help line for a feature that this version lacks."""
        support = self.features[feature]
        if not support.has_it:
            return f"{self.title} does not have", support.instead or "leave it out in this environment's models"
        return f"{self.title} has from {support.since} on", support.instead or f'raise version from "{version}"'

    def wrong_version(self, version: str | None) -> tuple[str, str] | None:
        """(problem, help) if the version does not exist.

        A version newer than all known versions counts as the newest, up to the next major version.
        """
        versions = f"known: {quoted(self.versions)}"
        if version is None:
            return None
        if not self.versions:
            return f'{self.title} has no versions, the environment has "{version}"', "leave out version"
        if not re.fullmatch(r"\d+(\.\d+)*", version):
            return f'"{version}" is not a version of {self.title}', versions
        if is_older(version, self.versions[0]):
            return f'{self.title} "{version}" is older than "{self.versions[0]}", the oldest known version', versions
        newest = self.versions[-1]
        if _numbers(version)[0] > _numbers(newest)[0] + 1:
            return f'there is no {self.title} "{version}": the newest known version is "{newest}"', versions
        if self.has_all_versions and not is_older(newest, version) and not any(map(_is_part(version), self.versions)):
            return f'there was never a {self.title} "{version}"', versions
        return None

    @property
    def latest(self) -> str | None:
        """The newest known version."""
        return self.versions[-1] if self.versions else None


def _is_part(version: str) -> Callable[[str], bool]:
    """A test whether two versions agree in the numbers that both have: 7.0.15 and 7.0, 7 and 7.2."""
    numbers = _numbers(version)
    return lambda other: all(ours == theirs for ours, theirs in zip(numbers, _numbers(other), strict=False))


def is_older(version: str | None, than: str) -> bool:
    """Whether a version is older than another, number by number; an unknown version is not older."""
    if version is None:
        return False
    return _numbers(version) < _numbers(than)


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".") if part.isdigit())

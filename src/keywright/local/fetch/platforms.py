"""The platforms of local servers, and the current platform."""

import platform
from collections.abc import Mapping

from keywright.record import Record

System = tuple[str, str]
"""Operating system and processor, such as `("Linux", "x86_64")`."""

LINUX_X86: System = ("Linux", "x86_64")
LINUX_ARM: System = ("Linux", "arm64")
MAC_X86: System = ("Darwin", "x86_64")
MAC_ARM: System = ("Darwin", "arm64")
SYSTEMS = (LINUX_X86, LINUX_ARM, MAC_ARM, MAC_X86)

TESTED = frozenset({LINUX_X86})
"""Platforms on which the recipes were tested; for other platforms they follow the packages' own metadata."""


class Platform(Record):
    """The fetched packages of one engine on one platform."""

    system: System
    """The platform."""
    fetched: str
    """The fetched packages; empty if none exist."""
    is_tested: bool
    """Whether they were tested on the platform."""


def here() -> System:
    """This platform, with one name for the ARM processor."""
    machine = platform.machine()
    return platform.system(), {"aarch64": "arm64", "AMD64": "x86_64"}.get(machine, machine)


def rows(fetched: Mapping[System, str]) -> tuple[Platform, ...]:
    """One row per platform, in the order of `SYSTEMS`."""
    return tuple(Platform(system, fetched.get(system, ""), system in TESTED) for system in SYSTEMS)

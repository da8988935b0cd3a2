"""The platforms that local servers are offered for, and which of them this is."""

import platform
from collections.abc import Mapping
from dataclasses import dataclass

System = tuple[str, str]
"""Operating system and processor, such as `("Linux", "x86_64")`."""

LINUX_X86: System = ("Linux", "x86_64")
LINUX_ARM: System = ("Linux", "arm64")
MAC_X86: System = ("Darwin", "x86_64")
MAC_ARM: System = ("Darwin", "arm64")
SYSTEMS = (LINUX_X86, LINUX_ARM, MAC_ARM, MAC_X86)

TESTED = frozenset({LINUX_X86})
"""Where the recipes were run; elsewhere they follow from what the packages say about themselves."""


@dataclass(frozen=True, slots=True)
class Platform:
    """What is fetched for one engine on one platform."""

    system: System
    """The platform."""
    fetched: str
    """Packages that are fetched there; empty where none can be."""
    is_tested: bool
    """Whether this was run there."""


def here() -> System:
    """This platform, with the two names of the ARM processor made one."""
    machine = platform.machine()
    return platform.system(), {"aarch64": "arm64", "AMD64": "x86_64"}.get(machine, machine)


def rows(fetched: Mapping[System, str]) -> tuple[Platform, ...]:
    """One row per known platform, in the order of `SYSTEMS`."""
    return tuple(Platform(system, fetched.get(system, ""), system in TESTED) for system in SYSTEMS)

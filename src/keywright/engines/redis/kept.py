"""Servers as rules are told of them: with what is declared of them, and the entities on them."""

from collections.abc import Iterator
from dataclasses import dataclass

from keywright.engines.flaws.context import Stored, Whole
from keywright.engines.flaws.observation import Seen
from keywright.ir.binding import Binding

from .access.held import Held, held
from .capabilities import MEMORY_SHARE
from .server import RedisServer
from .settings import RedisEnvironment
from .target import StructureTarget


@dataclass(frozen=True, slots=True)
class Kept:
    """A server and what is kept on it."""

    stored: Stored
    """The server in the environment."""
    spec: RedisServer
    """Its declaration."""
    entities: tuple[tuple[Binding, Held], ...]
    """The entities on it."""

    @property
    def name(self) -> str:
        """Its declared name."""
        return str(self.stored.declared.name)

    @property
    def environment(self) -> RedisEnvironment:
        """The environment."""
        found: RedisEnvironment = self.stored.environment  # type: ignore[assignment]  # it is Redis's
        return found

    @property
    def settings(self) -> dict[str, str]:
        """Its directives by name."""
        return dict(self.stored.placed.settings)

    @property
    def replicas(self) -> int:
        """Copies that can take over."""
        return int(self.stored.placed.placement.replicas)

    @property
    def policy(self) -> str:
        """What goes when its memory is full."""
        return self.settings.get("maxmemory-policy", "noeviction")

    @property
    def is_logged(self) -> bool:
        """Whether every write is logged, by an append-only file or by the service itself."""
        return self.environment.flavour == "memorydb" or self.settings.get("appendonly") == "yes"

    @property
    def maxmemory(self) -> int | None:
        """Bytes that data may take; None where nobody says it."""
        told = self.settings.get("maxmemory")
        ram = self.environment.of_server(self.name).ram
        return int(told) if told else ram * MEMORY_SHARE.value // 100 if ram else None


def servers(whole: Whole) -> Iterator[Kept]:
    """Every server of a project."""
    for physical in whole.design.physicals:
        if isinstance(physical.spec, RedisServer):
            bindings = whole.design.bindings_in(physical)
            for one in whole.of("redis"):
                if one.declared.name == physical.name:
                    found = ((binding, held(one.placed, binding)) for binding in bindings)
                    yield Kept(one, physical.spec, tuple((binding, known) for binding, known in found if known))


def entities(whole: Whole) -> Iterator[tuple[Kept, Binding, Held]]:
    """Every entity on a server."""
    for server in servers(whole):
        yield from ((server, binding, known) for binding, known in server.entities)


def expires(structure: StructureTarget) -> bool:
    """Whether the keys of an entity end by themselves."""
    return any(one is not None for one in (structure.ttl_seconds, structure.expires_at, structure.per_seconds))


def endless(seen: Seen) -> Iterator[tuple[StructureTarget, str]]:
    """Every entity of a live server whose keys end, with how many of those that were read never do."""
    structures = {one.entity: one for one in seen.target.placed.structures}
    for binding, items in seen.items():
        one, count = structures[binding.name], items.expiries.get("missing", 0)
        if count and expires(one):
            yield one, items.sample.of(count)

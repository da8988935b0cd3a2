"""Servers in the form in which rules read them: with their declaration and their entities."""

import re
from collections.abc import Collection, Iterator

from keywright.engines.findings.context import RuleContext, TargetInEnvironment
from keywright.engines.findings.observation import LiveTarget
from keywright.engines.findings.rates import calls
from keywright.ir.binding import Binding
from keywright.record import Record

from ..access.layout import Layout, layout_of
from ..declare.options import Structure
from ..declare.server import RedisServer
from ..declare.settings import RedisEnvironment
from ..schema.capabilities import MEMORY_SHARE
from ..schema.target import StructureTarget
from .copies import is_copy

_BILLED = re.compile(
    r"(?:^|_|:|(?<=[a-z]))(?:bill|invoic|charge|payout|payable|royalt|licen[cs]e|metered|"
    r"settle|commission|chargeable)",
    re.IGNORECASE,
)
"""Words in names that mean that an amount is billed."""


TEMPORARY = ("session", "cache", "event", "reading", "token")
"""Kinds of entities that should expire by themselves, which GEN008 reports."""

HISTORY = ("feed", "event", "reading")
"""Kinds of entities of which only recent elements are read, so that what is expected does not bound them."""


class ServerContents(Record):
    """A server and the entities on it."""

    stored: TargetInEnvironment
    """The server in the environment."""
    spec: RedisServer
    """Declaration of the server."""
    entities: tuple[tuple[Binding[Structure], Layout], ...]
    """The entities on it."""

    @property
    def name(self) -> str:
        """Declared name of the server."""
        return str(self.stored.declared.name)

    @property
    def environment(self) -> RedisEnvironment:
        """The environment."""
        redis_environment: RedisEnvironment = self.stored.environment  # type: ignore[assignment]  # it is Redis's
        return redis_environment

    @property
    def settings(self) -> dict[str, str]:
        """Directives of the server by name."""
        return dict(self.stored.placed.settings)

    @property
    def replicas(self) -> int:
        """Replicas that can take over."""
        return int(self.stored.placed.placement.replicas)

    @property
    def policy(self) -> str:
        """Eviction policy of the server."""
        return self.settings.get("maxmemory-policy", "noeviction")

    @property
    def is_logged(self) -> bool:
        """Whether every write is logged, by an append-only file or by the service itself."""
        return self.environment.flavour == "memorydb" or self.settings.get("appendonly") == "yes"

    @property
    def loss_at_crash(self) -> str:
        """What a crash of the server loses, as a clause; empty for nothing."""
        if self.environment.flavour == "memorydb":
            return ""
        if not self.is_logged:
            return "a failover loses the writes that no replica has" if self.replicas else "a restart loses all writes"
        if self.settings.get("appendfsync", "everysec") == "always":
            return ""
        return "a crash loses about the last second of writes"

    def only_copies(self, elsewhere: Collection[str]) -> list[str]:
        """Names of the entities on it that no other engine stores and that are no copies.

        elsewhere: names of the entities in other engines.
        """
        return [
            binding.name
            for binding, _ in self.entities
            if binding.entity.name not in elsewhere and not is_copy(binding)
        ]

    @property
    def estimates(self) -> list[str]:
        """Names of its limits and estimates, which may be lost."""
        return [binding.name for binding, layout in self.entities if layout.kind in ("rate limit", "hyperloglog")]

    @property
    def has_copies_only(self) -> bool:
        """Whether all of its entities can be filled again."""
        return bool(self.entities) and all(is_copy(binding) for binding, _ in self.entities)

    @property
    def is_unevictable(self) -> bool:
        """Whether the server drops only keys that expire, and none of several entities does."""
        return (
            self.policy.startswith("volatile-")
            and len(self.entities) > 1
            and not any(expires(layout.structure) for _, layout in self.entities)
            and not any(binding.spec.kind in TEMPORARY for binding, _ in self.entities)
        )

    @property
    def maxmemory(self) -> int | None:
        """Bytes that data may use; None if they are not declared."""
        declared = self.settings.get("maxmemory")
        ram = self.environment.of_server(self.name).ram
        return int(declared) if declared else ram * MEMORY_SHARE.value // 100 if ram else None


def servers(context: RuleContext) -> Iterator[ServerContents]:
    """Every server of a project."""
    for physical in context.design.physicals:
        if isinstance(physical.spec, RedisServer):
            bindings = [binding for binding in context.bindings("redis") if binding.physical is physical]
            for target in context.of("redis"):
                if target.declared.name == physical.name:
                    layouts = ((binding, layout_of(target.placed, binding)) for binding in bindings)
                    yield ServerContents(
                        target,
                        physical.spec,
                        tuple((binding, layout) for binding, layout in layouts if layout),
                    )


def records_on_limiter(server: ServerContents, elsewhere: Collection[str]) -> list[str]:
    """Names of the entities of several fields that never expire, on a server that is meant for limits.

    elsewhere: names of the entities in other engines.
    """
    if server.spec.role != "limiter":
        return []
    alone = server.only_copies(elsewhere)
    return [
        binding.name
        for binding, layout in server.entities
        if binding.name in alone
        and len(layout.stored) > 1
        and not expires(layout.structure)
        and binding.spec.kind in ("record", "money", "stock")
    ]


def entities(context: RuleContext) -> Iterator[tuple[ServerContents, Binding[Structure], Layout]]:
    """Every entity on a server."""
    for server in servers(context):
        yield from ((server, binding, layout) for binding, layout in server.entities)


def is_billed(context: RuleContext, binding: Binding[Structure], layout: Layout) -> bool:
    """Whether an entity's name, key or counts say that amounts from it are billed."""
    names = (binding.name, layout.key.text, *(plan.pattern.name for plan, _ in calls(context, binding, "count")))
    return any(_BILLED.search(name) for name in names)


def expires(structure: StructureTarget) -> bool:
    """Whether the keys of an entity expire."""
    return any(time is not None for time in (structure.ttl_seconds, structure.expires_at, structure.per_seconds))


def never_expiring(live: LiveTarget, singular: str, plural: str) -> Iterator[tuple[StructureTarget, str]]:
    """Entities of a live server whose keys should expire, with the number of sampled keys that never do and a verb."""
    structures = {structure.entity: structure for structure in live.target.placed.structures}
    for binding, items in live.items():
        structure, count = structures[binding.name], items.expiries.get("missing", 0)
        if count and expires(structure):
            yield structure, items.sample.of(count, singular, plural)

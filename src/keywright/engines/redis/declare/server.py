"""Redis and Valkey servers: the needs of their data. The environment sets memory, replicas and hosting."""

from collections.abc import Mapping
from typing import Literal, TypeAlias

from keywright.declare.declared import Declared
from keywright.declare.names import NativeSettings
from keywright.declare.store import Physical, Rebuildable

Eviction: TypeAlias = Literal[
    "noeviction", "allkeys-lru", "allkeys-lfu", "allkeys-lrm", "allkeys-random",
    "volatile-lru", "volatile-lfu", "volatile-lrm", "volatile-random", "volatile-ttl",
]  # fmt: skip
"""What the server drops when its memory is full."""


class Aof(Declared):
    """The append-only file: every write is logged."""

    fsync: Literal["always", "everysec", "no"] = "everysec"
    """How often the log reaches the disk: a crash loses nothing, about a second, or what the system had not written."""


class Rdb(Declared):
    """Snapshots of all data."""

    after: Mapping[int, int] = {3600: 1, 300: 100, 60: 10_000}
    """Seconds to changes: a snapshot is made when so many changes have come in that time."""

    def check(self) -> None:
        """See `Declared.check`."""
        if not self.after or any(seconds < 1 or changes < 0 for seconds, changes in self.after.items()):
            problem = f"after={dict(self.after)} is not a mapping of times to changes"
            self.wrong("E0503", problem, "map seconds above 0 to changes, such as {3600: 1, 60: 10_000}")


class RedisServer(Physical, Rebuildable):
    """A server, or a cluster that is used as one."""

    engine = "redis"

    role: Literal["cache", "sessions", "limiter", "queue", "primary"]
    """What it is for; eviction and persistence follow from it, and each entity on it must fit it."""
    eviction: Eviction | None = None
    """What goes when memory is full; by default what the role can bear to lose."""
    persistence: list[Aof | Rdb] | None = None
    """What survives a restart; by default what the role needs, [] for nothing."""
    settings: NativeSettings = {}
    """Directives without a word of their own, named as in redis.conf."""

    def check(self) -> None:
        """See `Declared.check`."""
        super().check()
        kinds = [type(part).__name__ for part in self.persistence or []]
        if repeated := next((kind for kind in kinds if kinds.count(kind) > 1), None):
            self.wrong("E0503", f"persistence names {repeated}(...) twice", "keep one of them")

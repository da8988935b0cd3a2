"""RED006: what a server writes to disk is not what its role needs."""

from collections.abc import Iterator

from keywright.engines.flaws.context import Flaw, Whole
from keywright.engines.flaws.fix import Fix, SetArgument
from keywright.engines.flaws.observation import Seen

from ..capabilities import FLAVOURS
from ..kept import Kept, servers

_LOG = Fix((SetArgument("persistence", '[kw.Aof(fsync="everysec"), kw.Rdb()]'),), is_safe=True)
_NONE = Fix((SetArgument("persistence", "[]"),))


def models(whole: Whole) -> Iterator[Flaw]:
    """Every cache that logs its writes, and every server of sessions, queues or primary data that does not in time."""
    for server in servers(whole):
        if not FLAVOURS[server.environment.flavour].has("append-only-file", server.environment.version):
            continue  # a service keeps copies instead: RED005 and RED015 ask for these
        role = server.spec.role
        if role == "cache" and server.settings.get("appendonly") == "yes":
            yield _of(server, "logs every write of what can be filled again", "say persistence=[]", _NONE)
        elif role in ("sessions", "queue") and not server.is_logged:
            kept = "snapshots lose minutes" if server.settings.get("save") else "a restart loses all"
            yield _of(server, f"writes no log: {kept}", 'say persistence=[kw.Aof(fsync="everysec"), kw.Rdb()]', _LOG)
        elif role in ("sessions", "queue", "primary") and _is_late(server):
            why = "leaves it to the system when its log reaches the disk, about half a minute later"
            yield _of(server, why, 'say kw.Aof(fsync="everysec"), which loses about a second', _LOG)


def live(seen: Seen) -> Iterator[Flaw]:
    """A running server that could not write what it keeps."""
    failed = {"rdb_last_bgsave_status": "its last snapshot", "aof_last_write_status": "to its log"}
    for name, what in failed.items():
        if seen.found.figures.get(name) == "err":
            yield Flaw(
                problem=f'server "{seen.name}" could not write {what}: a restart loses what came since',
                help="see its log, and whether its disk is full or memory is short for a fork",
                subject=seen.name,
            )
            return


def _is_late(server: Kept) -> bool:
    return server.settings.get("appendonly") == "yes" and server.settings.get("appendfsync") == "no"


def _of(server: Kept, why: str, help: str, fix: Fix) -> Flaw:
    return Flaw(
        problem=f'server "{server.name}" in the role of {server.spec.role} {why}',
        help=help,
        subject=server.name,
        fix=fix,
    )

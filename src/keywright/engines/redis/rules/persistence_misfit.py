"""RED006: the persistence of a server does not fit its role."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.fix import Fix, SetArgument
from keywright.engines.findings.observation import LiveTarget

from ..findings.copies import elsewhere, is_copy
from ..findings.servers import ServerContents, servers
from ..schema.capabilities import FLAVOURS

_LOG = Fix((SetArgument("persistence", '[kw.Aof(fsync="everysec"), kw.Rdb()]'),), is_safe=True)
_NONE = Fix((SetArgument("persistence", "[]"),))


def models(context: RuleContext, *, brief_minutes: float = 15) -> Iterator[FindingDraft]:
    """Caches that log writes, and servers of sessions, queues or primary data without a log or with a late one.

    RED005 reports caches with other data than copies.
    brief_minutes: time to live of sessions up to which a restart loses nothing that a log must keep.
    """
    stored_elsewhere = elsewhere(context)
    for server in servers(context):
        if not FLAVOURS[server.environment.flavour].has("append-only-file", server.environment.version):
            continue  # a service uses replicas instead: RED005 and RED015 check these
        role = server.spec.role
        alone = server.only_copies(stored_elsewhere)
        records = [name for name in alone if name not in server.estimates]
        is_rebuilt = server.has_copies_only
        is_needed = not is_rebuilt and (
            role == "queue"
            or (role == "primary" and alone)
            or (role == "sessions" and not _is_brief(server, brief_minutes))
        )
        if ((role == "cache" and not records) or is_rebuilt) and server.settings.get("appendonly") == "yes":
            help = "say persistence=[]" if role == "cache" else 'say role="cache", and leave out persistence='
            why = "logs every write of what can be filled again"
            if role != "cache" and not server.policy.startswith("allkeys"):
                why += f', and evicts by "{server.policy}", so that full memory refuses new copies'
            yield _draft(server, why, help, _NONE if role == "cache" else None)
        elif is_needed and not server.is_logged:
            loss = "snapshots lose minutes" if server.settings.get("save") else "a restart loses all"
            if server.replicas and not server.settings.get("save"):
                loss = "a restart loses all, and its replicas then copy the empty data set"
            yield _draft(server, f"writes no log: {loss}", 'say persistence=[kw.Aof(fsync="everysec"), kw.Rdb()]', _LOG)
        elif role in ("sessions", "queue", "primary") and not is_rebuilt and _is_late(server):
            why = "leaves it to the system when its log reaches the disk, about half a minute later"
            yield _draft(server, why, 'say kw.Aof(fsync="everysec"), which loses about a second', _LOG)


def live(live_target: LiveTarget) -> Iterator[FindingDraft]:
    """A running server that could not write its snapshot or log."""
    failed = {"rdb_last_bgsave_status": "its last snapshot", "aof_last_write_status": "to its log"}
    for name, target in failed.items():
        if live_target.observation.figures.get(name) == "err":
            yield FindingDraft(
                problem=f'server "{live_target.name}" could not write {target}: a restart loses what came since',
                help="see its log, and whether its disk is full or memory is short for a fork",
                subject=live_target.name,
            )
            return


def _is_brief(server: ServerContents, minutes: float) -> bool:
    """Whether all data of a server is written again within minutes."""
    times = [
        layout.structure.per_seconds or layout.structure.ttl_seconds
        for binding, layout in server.entities
        if not is_copy(binding)
    ]
    return bool(times) and all(seconds is not None and seconds <= minutes * 60 for seconds in times)


def _is_late(server: ServerContents) -> bool:
    return server.settings.get("appendonly") == "yes" and server.settings.get("appendfsync") == "no"


def _draft(server: ServerContents, why: str, help: str, fix: Fix | None) -> FindingDraft:
    return FindingDraft(
        problem=f'server "{server.name}" in the role of {server.spec.role} {why}',
        help=help,
        subject=server.name,
        fix=fix,
    )

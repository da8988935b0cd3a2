"""RED021: a replica that was interrupted for a moment must copy all data again."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.ir.text import counted

from ..findings.load import written_bytes
from ..findings.servers import servers
from ..schema.capabilities import DIRECTIVES, PARAMETERS, default, is_service

_NAME = "repl-backlog-size"


def models(context: RuleContext, *, seconds: int = 1, declared_seconds: int = 10) -> Iterator[FindingDraft]:
    """Servers with replicas whose backlog holds less than a short interruption of their writes; a cache is not checked.

    seconds: seconds of writes at their peak that a backlog must hold. declared_seconds: the same
    where settings= sets it.
    """
    for server in servers(context):
        flavour = server.environment.flavour
        is_fixed = is_service(flavour) and _NAME not in PARAMETERS[flavour]
        if server.spec.role == "cache" or not server.replicas or is_fixed:
            continue
        size = int(server.settings.get(_NAME) or default(DIRECTIVES[_NAME], flavour, server.environment.version))
        rate = written_bytes(context, server)
        is_declared = _NAME in server.spec.settings
        if size < rate * (declared_seconds if is_declared else seconds):
            megabytes = 2 ** max(0, round(rate * 60 / 2**20)).bit_length()
            yield FindingDraft(
                problem=f'the replication backlog of server "{server.name}" has {size / 2**20:,.1f} MiB, '
                f"{counted(size / rate, 'second', spec='.1f')} of its writes: after any longer interruption a replica "
                "copies all data",
                help=f'set settings={{"{_NAME}": "{megabytes}mb"}}, about a minute of writes',
                subject=server.name,
            )

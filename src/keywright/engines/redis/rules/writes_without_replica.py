"""RED023: a server confirms writes of money or stock while no replica receives them."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.errors import quoted

from ..findings.copies import elsewhere
from ..findings.servers import ServerContents, servers
from ..schema.capabilities import PARAMETERS, is_service

_NAME = "min-replicas-to-write"


def models(context: RuleContext, *, kinds: tuple[str, ...] = ("money", "stock")) -> Iterator[FindingDraft]:
    """Servers with replicas and the only copy of such entities, and servers in the role of primary that turn it off.

    RED065 reports money on a server that loses writes in a crash already.
    kinds: kinds of entities whose confirmed writes must not be discarded.
    """
    stored_elsewhere = elsewhere(context)
    for server in servers(context):
        if not server.replicas or int(server.settings.get(_NAME, "0")) or not _is_settable(server):
            continue
        alone = server.only_copies(stored_elsewhere)
        durable = [kind for kind in kinds if kind != "money" or not server.loss_at_crash]
        names = [
            binding.name for binding, _ in server.entities if binding.spec.kind in durable and binding.name in alone
        ]
        is_turned_off = server.spec.role == "primary" and _NAME in server.settings
        if names or is_turned_off:
            contents = f" with {quoted(names)}" if names else ""
            yield FindingDraft(
                problem=f'server "{server.name}"{contents} confirms writes while none of its replicas is connected: '
                "after a network split they are discarded",
                help=f'set settings={{"{_NAME}": 1, "min-replicas-max-lag": 10}}',
                subject=server.name,
            )


def _is_settable(server: ServerContents) -> bool:
    flavour = server.environment.flavour
    return not is_service(flavour) or _NAME in PARAMETERS[flavour]

"""CAS062: change data capture is enabled, and nothing declares a consumer of its log."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext

from ..findings.tables import entities
from ..schema.capabilities import CHANGE_LOG_MIB


def models(context: RuleContext) -> Iterator[FindingDraft]:
    """Report every table with the option, on Cassandra, where a full log rejects writes."""
    for target, binding, _ in entities(context):
        if binding.spec.settings.get("cdc") is True and target.environment.flavour == "cassandra":
            yield FindingDraft(
                problem="cdc keeps all changes until a consumer deletes them, and none is declared: at "
                f"{CHANGE_LOG_MIB.value:,} MiB of log, the node rejects writes to the table",
                help='remove "cdc" from settings=; if an agent on each node deletes the log, give it as the reason of '
                'kw.ignore("CAS062", ...)',
                subject=binding.name,
            )

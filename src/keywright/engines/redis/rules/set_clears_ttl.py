"""RED102: SET has removed the expiry of keys."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft
from keywright.engines.findings.observation import LiveTarget

from ..findings.servers import never_expiring
from ..schema.layout import VALUE_KINDS


def live(live_target: LiveTarget) -> Iterator[FindingDraft]:
    """Entities of single values with keys that never expire although they should."""
    for structure, count in never_expiring(live_target, "has lost its expiry", "have lost their expiry"):
        if structure.kind in VALUE_KINDS:
            yield FindingDraft(
                problem=f"{count}, as SET leaves none",
                help="find out who writes them past keywright: SET takes EX, or KEEPTTL; give those that are there one",
                subject=structure.entity,
            )

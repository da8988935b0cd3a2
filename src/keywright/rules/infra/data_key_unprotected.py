"""INF623: the key that encrypts data is easier to lose than the data."""

from collections.abc import Iterator, Sequence

from keywright.engines.findings.context import FindingDraft
from keywright.engines.findings.program.resource import ProgramResource
from keywright.ir.text import counted
from keywright.rules.models import CATALOGUES

KEY = "aws:kms/key:Key"

_WITH_DATA = tuple(type for catalogue in CATALOGUES for type in catalogue.with_data)


def stack(all: Sequence[ProgramResource], *, days: int = 30) -> Iterator[FindingDraft]:
    """Report every key of a resource with data that Pulumi may delete, or whose deletion waits too short a time.

    days: shortest waiting period of a deletion, in which it can be cancelled; 30 is the longest that AWS allows.
    """
    for key in all:
        if key.type != KEY:
            continue
        users = [resource for resource in all if resource.type in _WITH_DATA and _uses(resource, key)]
        if not users:
            continue
        wait = key.value("deletionWindowInDays")
        if not key.is_protected:
            problem = f'an update may delete the key, and with it all data of "{users[0].name}" and its backups'
            help = "set opts=ResourceOptions(protect=True, retain_on_delete=True)"
        elif wait is not None and wait < days:
            problem = (
                f"its deletion can be cancelled for {counted(wait, 'day')} only; then all data of "
                f'"{users[0].name}" is lost'
            )
            help = f"remove deletion_window_in_days, or set it to {days}"
        else:
            continue
        yield FindingDraft(problem=problem, help=help, subject=key.urn)


def _uses(resource: ProgramResource, key: ProgramResource) -> bool:
    return any(key.urn in urns for urns in resource.needs.values())

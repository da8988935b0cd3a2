"""INF601: a resource that contains data is unprotected, or loses its protection."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft
from keywright.engines.findings.program.resource import ProgramResource
from keywright.rules.models import CATALOGUES

TYPES = tuple(type for catalogue in CATALOGUES for type in catalogue.with_data)
"""Types of resources that contain data."""


def resource(program_resource: ProgramResource) -> Iterator[FindingDraft]:
    """Report every such resource that Pulumi may delete."""
    if program_resource.type in TYPES and not program_resource.is_protected:
        yield FindingDraft(
            problem="an update may replace or delete it with all its data",
            help="set opts=ResourceOptions(protect=True, retain_on_delete=True); in a stack file, protect: true",
            subject=program_resource.urn,
        )

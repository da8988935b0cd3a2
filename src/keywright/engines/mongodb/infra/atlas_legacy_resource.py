"""INF616: an Atlas cluster uses a resource type that its provider has replaced."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft
from keywright.engines.findings.program.resource import ProgramResource

LEGACY = {
    "mongodbatlas:index/cluster:Cluster": "AdvancedCluster",
    "mongodbatlas:index/serverlessInstance:ServerlessInstance": "FlexCluster",
}
"""The replacement by resource type.
Source: https://www.pulumi.com/registry/packages/mongodbatlas/api-docs/, 2026-11-22."""


def resource(program_resource: ProgramResource) -> Iterator[FindingDraft]:
    """Report every such cluster."""
    if program_resource.type in LEGACY:
        yield FindingDraft(
            problem=f"its resource type is deprecated and replaced by {LEGACY[program_resource.type]}",
            help=(
                f"move it to mongodbatlas.{LEGACY[program_resource.type]} by aliases or an import, without replacing it"
            ),
            subject=program_resource.urn,
        )

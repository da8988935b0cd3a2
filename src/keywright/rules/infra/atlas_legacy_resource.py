"""INF616: a cluster of Atlas is a resource that its provider has replaced."""

from collections.abc import Iterator

from keywright.engines.flaws.context import Flaw
from keywright.engines.flaws.resource import Resource

LEGACY = {
    "mongodbatlas:index/cluster:Cluster": "AdvancedCluster",
    "mongodbatlas:index/serverlessInstance:ServerlessInstance": "FlexCluster",
}
"""What stands in its place, by type.
Source: https://www.pulumi.com/registry/packages/mongodbatlas/api-docs/, 2026-11-22."""


def resource(one: Resource) -> Iterator[Flaw]:
    """Every such cluster."""
    if one.type in LEGACY:
        yield Flaw(
            problem=f"the provider takes it for one of the past: {LEGACY[one.type]} has its place",
            help=f"move it by aliases or an import to mongodbatlas.{LEGACY[one.type]}, without replacing it",
            subject=one.urn,
        )

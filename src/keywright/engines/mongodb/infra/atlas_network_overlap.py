"""INF513: the network of an Atlas container overlaps the network that it is peered with."""

from collections.abc import Iterator, Sequence
from ipaddress import ip_network

from keywright.engines.findings.context import FindingDraft
from keywright.engines.findings.program.resource import ProgramResource

CONTAINER = "mongodbatlas:index/networkContainer:NetworkContainer"
PEERING = "mongodbatlas:index/networkPeering:NetworkPeering"


def stack(all: Sequence[ProgramResource]) -> Iterator[FindingDraft]:
    """Report every peering whose routes contain addresses of its container."""
    containers = [resource for resource in all if resource.type == CONTAINER]
    for peering in all:
        if peering.type != PEERING:
            continue
        for container in containers:
            own, routes = container.value("atlasCidrBlock"), peering.value("routeTableCidrBlock")
            is_of_peering = len(containers) == 1 or peering.points_at("containerId", container, "containerId")
            if is_of_peering and own and routes and _overlap(str(own), str(routes)):
                yield FindingDraft(
                    problem=f"its network {routes} overlaps {own} of the container: Atlas refuses the peering",
                    help="give the container another atlas_cidr_block=, before its first cluster exists",
                    subject=peering.urn,
                )


def _overlap(own: str, routes: str) -> bool:
    try:
        return ip_network(own, strict=False).overlaps(ip_network(routes, strict=False))
    except (TypeError, ValueError):
        return False

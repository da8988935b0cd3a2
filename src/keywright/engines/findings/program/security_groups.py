"""Security groups of a Pulumi program: the ports that each incoming rule opens, and to whom."""

from collections.abc import Iterator
from typing import Any

from keywright.record import Record

from .resource import ProgramResource, Unknown

GROUP = "aws:ec2/securityGroup:SecurityGroup"
_DEFAULT_GROUP = "aws:ec2/defaultSecurityGroup:DefaultSecurityGroup"
RULE = "aws:ec2/securityGroupRule:SecurityGroupRule"
INGRESS = "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule"

_EVERYWHERE = ("0.0.0.0/0", "::/0")

_UNKNOWN = "(not known)"

_ALL_PROTOCOLS = ("-1", "all")


class Incoming(Record):
    """One rule for incoming connections."""

    first: int
    """The first port."""
    last: int
    """The last port."""
    networks: tuple[str, ...]
    """The networks that may connect."""
    description: str
    """Its description; empty if it has none."""

    def opens(self, port: int) -> bool:
        """Whether it opens a port."""
        return self.first <= port <= self.last

    @property
    def everywhere(self) -> str:
        """The network that contains every address; empty if there is none."""
        return next((network for network in self.networks if network in _EVERYWHERE), "")

    @property
    def ports(self) -> str:
        """Its ports in words."""
        if (self.first, self.last) == (0, 65535):
            return "every port"
        return f"port {self.first}" if self.first == self.last else f"ports {self.first} to {self.last}"


def incoming(resource: ProgramResource) -> Iterator[Incoming]:
    """The incoming rules of TCP in a group, or the incoming rule that a resource is; none for any other resource."""
    if resource.type in (GROUP, _DEFAULT_GROUP):
        for row in resource.value("ingress") or ():
            yield from _incoming(row, row.get("protocol"), _blocks(row))
    elif resource.type == RULE and resource.value("type") == "ingress":
        yield from _incoming(resource.inputs, resource.inputs.get("protocol"), _blocks(resource.inputs))
    elif resource.type == INGRESS:
        row = resource.inputs
        networks = [str(row[key]) for key in ("cidrIpv4", "cidrIpv6") if row.get(key)]
        yield from _incoming(row, row.get("ipProtocol"), networks)


def _incoming(row: Any, protocol: Any, networks: list[str]) -> Iterator[Incoming]:
    first, last = row.get("fromPort"), row.get("toPort")
    text = row.get("description")
    description = _UNKNOWN if isinstance(text, Unknown) else str(text or "")
    if str(protocol).lower() in _ALL_PROTOCOLS:
        yield Incoming(0, 65535, tuple(networks), description)
    elif first is not None and last is not None and str(protocol).lower() in ("tcp", "6"):
        yield Incoming(int(first), int(last), tuple(networks), description)


def _blocks(row: Any) -> list[str]:
    return [str(block) for key in ("cidrBlocks", "ipv6CidrBlocks") for block in row.get(key) or ()]

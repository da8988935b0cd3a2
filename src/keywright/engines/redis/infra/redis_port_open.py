"""INF210: the port of Redis is open to every address."""

from collections.abc import Iterator
from typing import Any

from keywright.engines.flaws.context import Flaw
from keywright.engines.flaws.resource import Resource

GROUP = "aws:ec2/securityGroup:SecurityGroup"
RULE = "aws:ec2/securityGroupRule:SecurityGroupRule"
INGRESS = "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule"

_EVERYWHERE = ("0.0.0.0/0", "::/0")


def resource(one: Resource, *, port: int = 6379) -> Iterator[Flaw]:
    """Every rule of a security group that lets all addresses in.

    port: the port that is meant; 11211 or 27017 are others.
    """
    for first, last, protocol, blocks in _opened(one):
        is_meant = protocol == "-1" or (first is not None and last is not None and first <= port <= last)
        open_to = [block for block in blocks if block in _EVERYWHERE]
        if is_meant and open_to:
            yield Flaw(
                problem=f"port {port} is open to {open_to[0]}, which is every address",
                help="name the security group of the application as the source",
                subject=one.urn,
            )


def _opened(one: Resource) -> Iterator[tuple[Any, Any, str, list[str]]]:
    """(first port, last port, protocol, networks) of each rule."""
    if one.type == GROUP:
        rows = one.value("ingress") or ()
        yield from ((row.get("fromPort"), row.get("toPort"), str(row.get("protocol")), _blocks(row)) for row in rows)
    elif one.type == RULE and one.value("type") == "ingress":
        row = one.inputs
        yield row.get("fromPort"), row.get("toPort"), str(row.get("protocol")), _blocks(row)
    elif one.type == INGRESS:
        row = one.inputs
        blocks = [str(row[key]) for key in ("cidrIpv4", "cidrIpv6") if row.get(key)]
        yield row.get("fromPort"), row.get("toPort"), str(row.get("ipProtocol")), blocks


def _blocks(row: Any) -> list[str]:
    return [str(block) for key in ("cidrBlocks", "ipv6CidrBlocks") for block in row.get(key) or ()]

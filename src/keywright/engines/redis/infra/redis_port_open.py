"""INF210: a security group opens the Redis port to every address."""

from collections.abc import Iterator
from typing import Any

from keywright.engines.findings.context import FindingDraft
from keywright.engines.findings.program_resource import ProgramResource

GROUP = "aws:ec2/securityGroup:SecurityGroup"
RULE = "aws:ec2/securityGroupRule:SecurityGroupRule"
INGRESS = "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule"

_EVERYWHERE = ("0.0.0.0/0", "::/0")


def resource(program_resource: ProgramResource, *, port: int = 6379) -> Iterator[FindingDraft]:
    """Report every rule of a security group that opens the port to every address.

    port: the checked port, such as 11211 or 27017 for other stores.
    """
    for first, last, protocol, blocks in _opened(program_resource):
        is_open = protocol == "-1" or (first is not None and last is not None and first <= port <= last)
        open_to = [block for block in blocks if block in _EVERYWHERE]
        if is_open and open_to:
            yield FindingDraft(
                problem=f"port {port} is open to {open_to[0]}, which is every address",
                help="set the security group of the application as the source",
                subject=program_resource.urn,
            )


def _opened(program_resource: ProgramResource) -> Iterator[tuple[Any, Any, str, list[str]]]:
    """(first port, last port, protocol, networks) of each rule."""
    if program_resource.type == GROUP:
        rows = program_resource.value("ingress") or ()
        yield from ((row.get("fromPort"), row.get("toPort"), str(row.get("protocol")), _blocks(row)) for row in rows)
    elif program_resource.type == RULE and program_resource.value("type") == "ingress":
        row = program_resource.inputs
        yield row.get("fromPort"), row.get("toPort"), str(row.get("protocol")), _blocks(row)
    elif program_resource.type == INGRESS:
        row = program_resource.inputs
        blocks = [str(row[key]) for key in ("cidrIpv4", "cidrIpv6") if row.get(key)]
        yield row.get("fromPort"), row.get("toPort"), str(row.get("ipProtocol")), blocks


def _blocks(row: Any) -> list[str]:
    return [str(block) for key in ("cidrBlocks", "ipv6CidrBlocks") for block in row.get(key) or ()]

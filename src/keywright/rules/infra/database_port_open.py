"""INF618: a security group opens the port of a database to every address."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft
from keywright.engines.findings.program.resource import ProgramResource
from keywright.engines.findings.program.security_groups import Incoming, incoming
from keywright.rules.models import CATALOGUES

PORTS = {port: server for catalogue in CATALOGUES for port, server in catalogue.ports.items()}
"""What listens, by its port."""

_SHARED = (7000, 8000)
"""Ports on which other servers often listen: a rule for them alone is a warning at most."""

_OTHER_RULE = tuple(port for catalogue in CATALOGUES for port in catalogue.ports_of_rules)


def resource(program_resource: ProgramResource, *, except_ports: tuple[int, ...] = ()) -> Iterator[FindingDraft]:
    """Report every rule of a security group that opens such a port, unless a rule for one port reports it.

    except_ports: ports on which this account runs something else.
    """
    for rule in incoming(program_resource):
        open_ports = [port for port in PORTS if rule.opens(port) and port not in except_ports]
        if open_ports and rule.everywhere and not any(rule.opens(port) for port in _OTHER_RULE):
            servers = ", ".join(f"{port} ({PORTS[port]})" for port in open_ports)
            yield FindingDraft(
                problem=f"{rule.ports} {_verb(rule)} open to {rule.everywhere}, which is every address: {servers}",
                help="set the security group of the application as the source",
                subject=program_resource.urn,
                severity="warning" if set(open_ports) <= set(_SHARED) else None,
            )


def _verb(rule: Incoming) -> str:
    return "are" if rule.ports.startswith("ports") else "is"

"""INF210: a security group opens the Redis port to every address."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft
from keywright.engines.findings.program.resource import ProgramResource
from keywright.engines.findings.program.security_groups import incoming


def resource(program_resource: ProgramResource, *, port: int = 6379) -> Iterator[FindingDraft]:
    """Report every rule of a security group that opens the port to every address.

    port: the checked port, such as 11211 or 27017 for other stores.
    """
    for rule in incoming(program_resource):
        if rule.opens(port) and rule.everywhere:
            yield FindingDraft(
                problem=f"port {port} is open to {rule.everywhere}, which is every address",
                help="set the security group of the application as the source",
                subject=program_resource.urn,
            )

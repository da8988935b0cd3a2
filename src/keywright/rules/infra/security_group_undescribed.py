"""INF619: a security group of a database, or one of its rules, has no description."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft
from keywright.engines.findings.program.resource import ProgramResource
from keywright.engines.findings.program.security_groups import GROUP, incoming
from keywright.rules.models import CATALOGUES

_PORTS = tuple(port for catalogue in CATALOGUES for port in (*catalogue.ports, *catalogue.ports_of_rules))

_DEFAULTS = ("", "Managed by Pulumi", "Managed by Terraform")
"""Descriptions that the provider sets if the program sets none.
Source: https://www.pulumi.com/registry/packages/aws/api-docs/ec2/securitygroup/, 2026-11-23."""


def resource(program_resource: ProgramResource) -> Iterator[FindingDraft]:
    """Report the group and the rules that name a port of a database; a rule for all ports names none."""
    for rule in incoming(program_resource):
        named = [port for port in _PORTS if rule.opens(port) and rule.last - rule.first < 65535]
        is_group_bare = program_resource.type == GROUP and _is_bare(program_resource, "description")
        bare = [part for part, is_bare in (("group", is_group_bare), ("rule", not rule.description)) if is_bare]
        if named and bare:
            yield FindingDraft(
                problem=f"the {' and the '.join(bare)} for {rule.ports} {'has' if len(bare) == 1 else 'have'} no "
                "description: a reviewer cannot tell who needs the access",
                help='set description= of the group and of each rule, such as "orders service to its cache"',
                subject=program_resource.urn,
            )


def _is_bare(resource: ProgramResource, argument: str) -> bool:
    return str(resource.value(argument) or "") in _DEFAULTS

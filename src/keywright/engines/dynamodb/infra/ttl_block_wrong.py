"""INF610: the `ttl` block of a table contradicts itself."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft
from keywright.engines.findings.program.resource import ProgramResource

TABLE = "aws:dynamodb/table:Table"


def resource(program_resource: ProgramResource) -> Iterator[FindingDraft]:
    """Report every table whose ttl is enabled without an attribute, or disabled with an attribute."""
    if program_resource.type != TABLE or not program_resource.value("ttl"):
        return
    is_on, attribute = program_resource.value("ttl.enabled"), program_resource.value("ttl.attributeName")
    if is_on is not False and not attribute:
        yield FindingDraft(
            problem="ttl is enabled without an attribute: the update fails",
            help="set attribute_name= to an attribute of type Number, with seconds since 1970",
            subject=program_resource.urn,
        )
    elif is_on is False and attribute:
        yield FindingDraft(
            problem=f'ttl is disabled but names "{attribute}": nothing expires, and each preview shows a change',
            help="set enabled=True, or remove ttl",
            subject=program_resource.urn,
        )

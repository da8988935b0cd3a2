"""INF610: the block that says how items expire contradicts itself."""

from collections.abc import Iterator

from keywright.engines.flaws.context import Flaw
from keywright.engines.flaws.resource import Resource

TABLE = "aws:dynamodb/table:Table"


def resource(one: Resource) -> Iterator[Flaw]:
    """Every table whose ttl is on without an attribute, or names one and is off."""
    if one.type != TABLE or not one.value("ttl"):
        return
    is_on, attribute = one.value("ttl.enabled"), one.value("ttl.attributeName")
    if is_on is not False and not attribute:
        yield Flaw(
            problem="ttl is on and names no attribute: the update fails",
            help="say attribute_name=, of a Number with seconds since 1970",
            subject=one.urn,
        )
    elif is_on is False and attribute:
        yield Flaw(
            problem=f'ttl is off and names "{attribute}": nothing expires, and each preview shows a change',
            help="say enabled=True, or leave ttl out",
            subject=one.urn,
        )

"""The order of a structure's elements."""

from keywright.access.key_range import follows, keeps_order
from keywright.access.query import Query
from keywright.ir.template import Template
from keywright.record import replace

from ..layout import Layout

_NO_ORDER = {
    "set": "a set has no order: store the members in a RedisSortedSet whose score is",
    "list": "a list has the order of its pushes: store the elements in a RedisSortedSet whose score is",
    "stream": "a stream has the order of arrival: store the entries in a RedisSortedSet whose score is",
}


def direction_of(layout: Layout, query: Query) -> str | None:
    """See `follows`; a second number that descends in the scores is ordered the other way."""
    if layout.then is not None and layout.then.is_descending:
        flipped = (
            replace(ordering, is_descending=not ordering.is_descending)
            if ordering.field == layout.then.field
            else ordering
            for ordering in query.order
        )
        query = replace(query, order=tuple(flipped))
    return follows(query, _ascending(layout))


def _ascending(layout: Layout) -> tuple[str, ...]:
    """Fields by which a structure's elements ascend; none if the structure has no order."""
    if layout.kind != "sorted set" or layout.value is None or layout.member is None:
        return ()
    # A member is always text, even if its template is a single field: 10 comes before 9.
    member = Template(layout.member.text, ("", *layout.member.parts))
    fields = [layout.value, *([layout.then.field] if layout.then else [])]
    for placeholder in member.placeholders:
        if not keeps_order(placeholder, member, layout.attributes):
            break
        fields.append(placeholder.path)
    return tuple(fields)


def unordered(layout: Layout, query: Query) -> str:
    """The reason why a structure does not have the order of a query."""
    if layout.kind != "sorted set":
        return f'{_NO_ORDER[layout.kind]} "{query.order[0].field}"'
    ordered = _ascending(layout)
    order = [ordering.field for ordering in query.order]
    if order[0] != layout.value and not query.fixed(layout.value or ""):
        return f'members are ordered by "{layout.value}", not by "{order[0]}"'
    if unordered := next((field for field in order if field not in ordered and not query.fixed(field)), None):
        return (
            f'equal scores are ordered by the member as text, where "{unordered}" is unordered: pad it and put it first'
        )
    if layout.then is not None:
        against = "against" if layout.then.is_descending else "in"
        return f'equal scores are ordered by "{layout.then.field}", {against} the direction of the score'
    return "equal scores are ordered by member, in the direction of the score: order both in the same direction"


def ties(layout: Layout) -> tuple[str, ...]:
    """A note about the order of equal scores."""
    if layout.then is not None:
        return (f'equal scores are ordered by "{layout.then.field}", then by member',)
    return ("equal scores are ordered by member, in the same direction",)

"""In which order of fields the members of a sorted set ascend: by score, equal scores by the bytes of the member."""

from keywright.access.reading import keeps_order
from keywright.ir.template import Template

from .held import Held


def ascending(found: Held) -> tuple[str, ...]:
    """The fields by which a structure's elements ascend; none where it has no order of its own."""
    if found.kind != "sorted set" or found.value is None or found.member is None:
        return ()
    # A member is always text, also where its template is one field alone: 10 comes before 9.
    member = Template(found.member.text, ("", *found.member.parts))
    fields = [found.value]
    for placeholder in member.placeholders:
        if not keeps_order(placeholder, member, found.attributes):
            break
        fields.append(placeholder.path)
    return tuple(fields)

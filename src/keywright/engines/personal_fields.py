"""Names of fields whose values `keywright adopt` marks as personal."""

import re

from keywright.ir.attribute import Attribute, Scalar, ScalarKind

from .contract.naming import snake_case
from .findings.personal import personal_content, secret_content

_OF_PEOPLE = re.compile(
    r"(?:^|_)(?:first|last|full|given|family|middle|maiden|sur)_?names?$|(?:^|_)(?:street|house_number|post_?code|"
    r"zip(?:_?code)?|postal_code|ip|ip_address|user_agent|gender|nationality)$"
)
"""Names of fields that are marked as personal, besides those that rules report: a mark costs nothing."""

_PERSON = re.compile(
    r"(?:^|_)(?:agent|author|contact|customer|driver|employee|guest|member|patient|person|player|student|teacher|user)"
    r"(?:_?(?:account|profile))?$"
)
_OF_PERSON = re.compile(r"^(?:display_?|nick_?|user_?)?name$")
"""Names of classes of people, and of their fields with a name."""


def is_personal(owner: str, path: str, name: str, kind: ScalarKind) -> bool:
    """Whether the name of a field says that its values are personal or secret."""
    attribute = Attribute(name, name, name, Scalar(kind))
    field = snake_case(name)
    is_of_person = _PERSON.search(snake_case(owner)) and path == name and _OF_PERSON.search(field)
    is_of_people = kind == "string" and bool(is_of_person or _OF_PEOPLE.search(field))
    return is_of_people or bool(personal_content(path, attribute) or secret_content(owner, path, attribute))

"""Numbers that count something, by their names and bounds."""

import re
from typing import Any

from keywright.ir.attribute import Scalar
from keywright.ir.binding import Binding

from .amounts import UNITS

_COUNTS = re.compile(
    r"(?:^|_)(?:count|counter|views|likes|votes|plays|downloads|visits|followers|balance|remaining|left)$"
)
"""Endings of names of numbers that change by adding."""
_COUNTED = re.compile(r"(?:^|_)(?:times|count(?:_of)?|remaining)_[a-z]")
"""Beginnings of such names."""
_CHOSEN = re.compile(
    r"(?:^|_)(?:version|revision|generation|priority|position|order|rank|level|stage|step|size|bytes|age|year|month|day|port|"
    r"offset|sequence|seq|status|state|code|threshold|limit|min|max|minimum|maximum|best|high|highest|capacity|quota|"
    r"floor|room|row|seat|number|no|id|retention|timeout|delay|interval|target|goal|battery|charge|brightness|"
    r"progress|elapsed|duration|place|zone|popularity|score|rating|relevance|weight|average|mean|estimate|forecast)(?:$|_)"
)
"""Words in names of numbers that are chosen, measured, or computed from other data."""
_COMPUTED = r"`?%s`?\b[^.;,]*\b(?:refreshed|recounted|(?:re)?computed|derived|rebuilt)\b"
"""Words of a docstring that states that a number is computed from other data."""


def is_named_count(name: str) -> bool:
    """Whether a number is a count by its name."""
    return bool(_COUNTS.search(name) or _COUNTED.search(name))


def is_count(binding: Binding[Any], name: str) -> bool:
    """Whether a number is a count, by its name, or as a whole number from zero that begins with a default."""
    if is_named_count(name):
        return True
    attribute = binding.entity.attribute(name)
    kind = attribute.type if attribute else None
    if attribute is None or not isinstance(kind, Scalar) or kind.kind != "integer":
        return False
    if re.search(_COMPUTED % re.escape(name), binding.entity.doc):
        return False
    begins = not attribute.is_required and not attribute.is_nullable and kind.minimum == 0 and kind.maximum is None
    return begins and not _CHOSEN.search(name) and not UNITS.search(name)

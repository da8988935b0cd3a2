"""Values that all documents have once, and values that a document gives back."""

import re
from collections.abc import Sequence

from keywright.engines.contract.naming import snake_case
from keywright.engines.mongodb.declare.filters import simple_tests
from keywright.engines.mongodb.declare.indexes import Index
from keywright.engines.mongodb.declare.options import AnyCollection
from keywright.ir.attribute import Scalar
from keywright.ir.binding import Binding
from keywright.ir.entity import resolve

_GIVEN_BACK = re.compile(r"cancel|return|refund|releas|void|withdr|declin|reject|delet|remov", re.IGNORECASE)
"""Parts of states after which another document may have the value."""

_FIXED = re.compile(r"(?:\[0-9\]|\\d|\[A-Z0-9\]|\[0-9A-Z\])\{(?:[6-9]|[1-9]\d+)\}\$?$")
"""End of the pattern of a text with a number of fixed length."""

_NUMBERS = frozenset(("serial", "number", "no", "nr", "num", "code", "reference", "ref"))
"""Last words in names of numbers that are issued once."""


def is_free_again(binding: Binding[AnyCollection], index: Index) -> bool:
    """Whether an index leaves out documents that have given their value back, such as those of a cancelled booking."""
    for condition in simple_tests(index.where):
        attributes = resolve(binding.entity.attributes, condition.field)
        kind = attributes[-1].type if attributes else None
        others = {*kind.constants} - {*condition.values} if isinstance(kind, Scalar) else set()
        if any(_GIVEN_BACK.search(str(other)) for other in others):
            return True
    return False


def is_issued(binding: Binding[AnyCollection], keys: Sequence[str]) -> bool:
    """Whether the only key is a number of fixed length with the name of the entity, such as the `bill_no` of a Bill."""
    attributes = resolve(binding.entity.attributes, keys[0]) if len(keys) == 1 else None
    kind = attributes[-1].type if attributes else None
    if attributes is None or not isinstance(kind, Scalar) or not _FIXED.search(kind.pattern or ""):
        return False
    *stem, last = snake_case(attributes[-1].name).split("_")
    entity = snake_case(binding.entity.name).split("_")
    return last in _NUMBERS and (not stem or stem[-1] == entity[-1])

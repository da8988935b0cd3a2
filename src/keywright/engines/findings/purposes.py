"""Purposes of entities that their names and keys tell, for rules of every engine."""

import re

from keywright.ir.attribute import Scalar
from keywright.ir.binding import Binding
from keywright.ir.entity import element, resolve

from .personal import is_generated, key_fields
from .shapes import is_hash

_SESSION = re.compile(r"(?:Login|Web|User|Auth|Refresh|Access|^)(?:Session|Token)$")
_PLAIN = ("Session", "Token")
"""Names that mean a login only if the key is a hash: a session may be one of training, too."""
_REQUEST = re.compile(r"(?:^|_)(?:idempotency|dedup(?:e|lication)?)(?:_|$)")


def passing(binding: Binding) -> str | None:
    """The short-lived contents of an entity of no declared kind: logins, or requests that may be repeated."""
    keys = tuple(key_fields(binding))
    is_hashed = any(_is_hash(binding, path) for path in keys)
    if _SESSION.search(binding.entity.name) and (
        is_hashed or (binding.entity.name not in _PLAIN and any(is_generated(binding, path) for path in keys))
    ):
        return "logins"
    return "requests that may be repeated" if any(map(_REQUEST.search, keys)) else None


def _is_hash(binding: Binding, path: str) -> bool:
    attribute = (resolve(binding.entity.attributes, path) or (None,))[-1]
    scalar = element(attribute.type) if attribute else None
    return isinstance(scalar, Scalar) and scalar.kind == "string" and is_hash(scalar)

"""Limits of a box on values, in addition to the model's: there are none."""

from keywright.ir.attribute import Map, Scalar
from keywright.ir.binding import Binding
from keywright.runtime.validate.limits import StoreLimit


def limit_of(binding: Binding, path: str, kind: Scalar | Map) -> StoreLimit | None:
    """See `runtime.validate.limits.LimitOf`."""
    return None

"""Two whole numbers in one score: the second one orders members with an equal first one."""

from keywright.ir.attribute import Attribute, Scalar
from keywright.ir.binding import Binding
from keywright.record import Record

from ..declare.options import RedisSortedSet, Structure


class Packing(Record):
    """The second number of a score."""

    field: str
    """Its field."""
    low: int
    """The smallest number."""
    size: int
    """Number of different numbers."""
    is_descending: bool
    """Whether a higher number has a lower score."""

    @property
    def text(self) -> str:
        """The packing in a target: scores of another one are not comparable."""
        return f"{'-' if self.is_descending else ''}{self.field} from {self.low} to {self.low + self.size - 1}"

    def pack(self, first: int, second: int) -> int:
        """The score of two numbers."""
        place = second - self.low
        return first * self.size + (self.size - 1 - place if self.is_descending else place)

    def unpack(self, score: float) -> tuple[int, int]:
        """The two numbers of a score."""
        first, place = divmod(int(score), self.size)
        return first, self.low + (self.size - 1 - place if self.is_descending else place)

    def lowest(self, first: float) -> float:
        """The lowest score with a first number."""
        return first * self.size

    def highest(self, first: float) -> float:
        """The highest score with a first number."""
        return first * self.size + self.size - 1


def packing_of(binding: Binding[Structure]) -> Packing | None:
    """The second number of an entity's scores; None without one, or without bounds, which `check` rejects."""
    spec = binding.spec
    if not isinstance(spec, RedisSortedSet) or spec.then is None:
        return None
    attribute = binding.entity.attribute(spec.then.removeprefix("-"))
    bounds = whole_bounds(attribute) if attribute else None
    if attribute is None or bounds is None:
        return None
    return Packing(attribute.name, bounds[0], bounds[1] - bounds[0] + 1, spec.then.startswith("-"))


def whole_bounds(attribute: Attribute) -> tuple[int, int] | None:
    """The smallest and the largest value of a whole number that must have one; None if it has none."""
    kind = attribute.type
    if not isinstance(kind, Scalar) or kind.kind != "integer" or attribute.is_nullable:
        return None
    if kind.minimum is None or kind.maximum is None:
        return None
    return int(kind.minimum) + kind.excludes_minimum, int(kind.maximum) - kind.excludes_maximum

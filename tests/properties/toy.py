"""Generated boxes of the toy engine, and environments."""

from hypothesis import strategies as st
from tests.engines.toy.keywright_toy.declare import ToyEnvironment
from tests.engines.toy.keywright_toy.target import BoxTarget

from keywright.engines.contract.shape import EntityShape, FieldShape

_NAMES = st.text("abcdefgh", min_size=1, max_size=8)

_FIELDS = st.builds(FieldShape, _NAMES, _NAMES, st.sampled_from(["string", "integer", "object"]), st.booleans())


@st.composite
def _shapes(draw: st.DrawFn) -> tuple[EntityShape, ...]:
    """The model of a box, or none."""
    fields = tuple(draw(st.lists(_FIELDS, max_size=4, unique_by=lambda field: field.name)))
    shape = EntityShape(draw(_NAMES).title(), (("key", "{id}"),), fields, draw(st.integers(1, 3)))
    return (shape,) if draw(st.booleans()) else ()


def targets() -> st.SearchStrategy[BoxTarget]:
    """Boxes."""
    capacities = st.none() | st.integers(1, 1000)
    return st.builds(BoxTarget, _NAMES, st.integers(1, 3), capacities, _shapes())


def environments() -> st.SearchStrategy[ToyEnvironment]:
    """Environments."""
    return st.builds(ToyEnvironment, flavour=st.just("toy"), box_prefix=st.sampled_from(["", "dev-"]))

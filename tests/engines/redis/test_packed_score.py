"""Two whole numbers in one score."""

from hypothesis import given
from hypothesis import strategies as st

from keywright.engines.redis.schema.packed_score import Packing

PACKINGS = st.builds(Packing, st.just("second"), st.integers(-1000, 1000), st.integers(1, 2**20), st.booleans())
NUMBERS = st.integers(-(2**32), 2**32)


@given(PACKINGS, st.data())
def test_both_numbers_are_read_back_and_order_the_score(packing: Packing, data: st.DataObject) -> None:
    pairs = st.tuples(NUMBERS, st.integers(packing.low, packing.low + packing.size - 1))
    first, second = data.draw(pairs), data.draw(pairs)
    assert packing.unpack(float(packing.pack(*first))) == first
    sign = -1 if packing.is_descending else 1
    before = (first[0], sign * first[1]) < (second[0], sign * second[1])
    assert (packing.pack(*first) < packing.pack(*second)) is before
    assert packing.lowest(first[0]) <= packing.pack(*first) <= packing.highest(first[0])

"""Different values in their order, with and without a hash."""

from hypothesis import given
from hypothesis import strategies as st

from keywright.ir.distinct import distinct

JSON = st.recursive(
    st.none() | st.integers(0, 3), lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.just("a"), inner)
)


@given(st.lists(JSON, max_size=8))
def test_each_value_stands_where_it_is_first(values: list[object]) -> None:
    result = distinct(values)
    assert all(value in result for value in values)
    assert [values.index(value) for value in result] == sorted({values.index(value) for value in values})


def test_values_with_a_hash_keep_their_order() -> None:
    assert distinct(iter("abca")) == ["a", "b", "c"]

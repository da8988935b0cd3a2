"""NM: a convention is what nearly all others do."""

import pytest

from keywright.engines.findings.migration.names import convention, style


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("orders", "lower case"), ("open_orders", "snake_case"), ("_kw_v", "snake_case"), ("open-orders", "kebab-case"),
        ("openOrders", "camelCase"), ("OpenOrders", "PascalCase"), ("OPEN_ORDERS", "UPPER_CASE"), ("open orders", ""),
    ],
)  # fmt: skip
def test_the_style_of_a_name(name: str, expected: str) -> None:
    assert style(name) == expected


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        ("a_b c_d e_f", "snake_case"),
        ("a_b c_d e_f g", "snake_case"),
        ("a_b c_d e_f gH", "snake_case"),
        ("a_b c_d eF gH", ""),
        ("a_b c_d", ""),
        ("a b c", "lower case"),
        ("a b", ""),
        ("", ""),
    ],
)
def test_there_is_a_convention_where_nearly_all_agree(names: str, expected: str) -> None:
    assert convention(iter(names.split()), style) == expected

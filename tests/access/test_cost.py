"""Bands: the known bounds of a figure, through sums, products and rounding."""

import pytest

from keywright.access.cost import Band, exactly, total

OPEN = Band(1, None, None, frozenset(("limit=",)))


def test_sums_and_products_keep_what_is_missing() -> None:
    assert exactly(2) + Band(1, 2, 3) == Band(3, 4, 5)
    assert Band(1, 2, 3) * 2 == Band(2, 4, 6)
    assert exactly(2) + OPEN == Band(3, None, None, frozenset(("limit=",)))
    assert total([exactly(1), exactly(2)]) == exactly(3)
    assert total([]) == exactly(0)


@pytest.mark.parametrize(
    ("band", "units"),
    [
        (exactly(1024), exactly(1)),
        (exactly(1025), exactly(2)),
        (exactly(0), exactly(1)),
        (Band(1, 1024, 4097), Band(1, 1, 5)),
    ],
)
def test_whole_units_are_rounded_up(band: Band, units: Band) -> None:
    assert band.ceil(1024) == units


def test_a_cap_closes_a_band() -> None:
    assert OPEN.up_to(50) == Band(1, None, 50, frozenset(("limit=",)))
    assert Band(1, 2, 3).up_to(50) == Band(1, 2, 3)


def test_the_widest_of_two_bands_is_expected_as_the_first() -> None:
    assert Band(2, 3, 4).widest(exactly(1)) == Band(1, 3, 4)

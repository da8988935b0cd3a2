"""When a column that a backfill writes was written, as the server sees it."""

import itertools

import pytest

from keywright.engines.cassandra.migrate.transform import (
    RowStatement,
    StoredCell,
    after,
    form,
    is_ahead,
    is_behind,
    is_mixed,
    ranges,
    updates,
)
from keywright.engines.cassandra.schema.target import ClusteringColumn
from keywright.ir.apply_transform import REMOVED

KEY = "WHERE id = ?"


def written(
    cells: dict[str, StoredCell], values: dict[str, object], version: tuple[str, int] | None = None
) -> list[RowStatement]:
    return list(updates("shop.orders", ["id"], cells, ["status", "at"], values, version, 7))


def test_a_new_column_has_the_time_of_its_newest_source_and_the_shortest_life() -> None:
    cells = {"status": StoredCell("new", 100, None), "at": StoredCell("5", 90, 600)}
    text = f"UPDATE shop.orders USING TIMESTAMP ? AND TTL ? SET day = ?, kw_v = ? {KEY}"
    assert written(cells, {"day": "new#5"}, ("kw_v", 2)) == [RowStatement(text, (100, 600, "new#5", 2))]


def test_a_column_that_is_rewritten_beats_itself_by_a_microsecond() -> None:
    cells = {"status": StoredCell("new", 100, 60), "at": StoredCell("5", 200, None)}
    text = f"UPDATE shop.orders USING TIMESTAMP ? AND TTL ? SET status = ? {KEY}"
    assert written(cells, {"status": "placed"}) == [RowStatement(text, (101, 60, "placed"))]


@pytest.mark.parametrize(("before", "at"), [(99, 100), (100, 101), (150, 100)], ids=["older", "tie", "newer"])
def test_a_derived_column_beats_what_is_no_newer_than_its_sources(before: int, at: int) -> None:
    cells = {"status": StoredCell("new", 100, None), "day": StoredCell("old", before, None)}
    text = f"UPDATE shop.orders USING TIMESTAMP ? AND TTL ? SET day = ? {KEY}"
    assert written(cells, {"day": "new#5"}) == [RowStatement(text, (at, 0, "new#5"))]


def test_a_version_needs_no_microsecond_as_the_larger_value_stays() -> None:
    cells = {"status": StoredCell("new", 100, None), "kw_v": StoredCell(1, 120, None)}
    text = f"UPDATE shop.orders USING TIMESTAMP ? AND TTL ? SET kw_v = ? {KEY}"
    assert written(cells, {}, ("kw_v", 2)) == [RowStatement(text, (120, 0, 2))]


def test_a_column_goes_at_its_own_time() -> None:
    cells = {"status": StoredCell("new", 100, None), "at": StoredCell("5", 90, None)}
    text = f"DELETE status FROM shop.orders USING TIMESTAMP ? {KEY}"
    assert written(cells, {"status": REMOVED, "gone": REMOVED}) == [RowStatement(text, (100,))]


def test_a_row_that_is_only_its_key_has_the_time_that_is_given() -> None:
    text = f"UPDATE shop.orders USING TIMESTAMP ? AND TTL ? SET tier = ? {KEY}"
    assert written({}, {"tier": "free"}) == [RowStatement(text, (7, 0, "free"))]


def test_an_input_that_is_newer_than_what_was_made_of_it_is_seen() -> None:
    cells = {"status": StoredCell("new", 100, None), "day": StoredCell("old", 90, None)}
    assert (is_behind(cells, ["status"], ["day"]), is_ahead(cells, ["status"], ["day"])) == (True, False)
    cells["day"] = StoredCell("new", 101, None)
    assert (is_behind(cells, ["status"], ["day"]), is_ahead(cells, ["status"], ["day"])) == (False, True)


@pytest.mark.parametrize(
    ("price", "version", "mixed"),
    [
        (10, 10, False),  # written together, by new code
        (11, 10, False),  # converted by a pass
        (12, 10, True),  # written alone behind either, by code that knows no versions
        (5, 10, False),
    ],
)
def test_a_converted_value_that_is_newer_than_the_version_is_of_no_known_form(
    price: int, version: int, mixed: bool
) -> None:
    cells = {"price": StoredCell(1, price, None), "rate": StoredCell(1, 50, None), "name": StoredCell("x", 50, None)}
    assert is_mixed(cells, ["price", "rate"], ["price"], StoredCell(2, version, None)) is mixed
    assert not is_mixed({}, ["price"], ["price"], StoredCell(2, version, None))


def test_token_ranges_meet_and_cover_everything() -> None:
    result = ranges(7)
    assert (result[0][0], result[-1][1]) == (-(2**63), 2**63 - 1)
    assert all(entry[1] == other[0] for entry, other in itertools.pairwise(result))


def test_what_follows_a_row_depends_on_the_order_of_its_partition() -> None:
    order = (ClusteringColumn("day", "text", is_descending=True), ClusteringColumn("n", "int"))
    assert after(order) == (("day = ? AND n > ?", 2), ("day < ?", 1))


def test_a_value_has_the_type_of_its_column() -> None:
    assert (form("n", "-42", "int"), form("ok", "false", "boolean"), form("t", 5, "text")) == (-42, False, "5")
    with pytest.raises(ValueError, match="not whole"):
        form("n", "4.5", "int")

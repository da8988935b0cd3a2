"""When a column that a backfill writes was written, as the server sees it."""

import itertools

import pytest

from keywright.engines.cassandra.target import ClusteringColumn
from keywright.engines.cassandra.transform import Cell, Statement, after, form, is_ahead, is_behind, ranges, updates
from keywright.ir.transformed import REMOVED

KEY = "WHERE id = ?"


def written(
    cells: dict[str, Cell], values: dict[str, object], version: tuple[str, int] | None = None
) -> list[Statement]:
    return list(updates("shop.orders", ["id"], cells, ["status", "at"], values, version, 7))


def test_a_new_column_has_the_time_of_its_newest_source_and_the_shortest_life() -> None:
    cells = {"status": Cell("new", 100, None), "at": Cell("5", 90, 600)}
    text = f"UPDATE shop.orders USING TIMESTAMP ? AND TTL ? SET day = ?, kw_v = ? {KEY}"
    assert written(cells, {"day": "new#5"}, ("kw_v", 2)) == [Statement(text, (100, 600, "new#5", 2))]


def test_a_column_that_is_rewritten_beats_itself_by_a_microsecond() -> None:
    cells = {"status": Cell("new", 100, 60), "at": Cell("5", 200, None)}
    text = f"UPDATE shop.orders USING TIMESTAMP ? AND TTL ? SET status = ? {KEY}"
    assert written(cells, {"status": "placed"}) == [Statement(text, (101, 60, "placed"))]


@pytest.mark.parametrize(("before", "at"), [(99, 100), (100, 101), (150, 100)], ids=["older", "tie", "newer"])
def test_a_derived_column_beats_what_is_no_newer_than_its_sources(before: int, at: int) -> None:
    cells = {"status": Cell("new", 100, None), "day": Cell("old", before, None)}
    text = f"UPDATE shop.orders USING TIMESTAMP ? AND TTL ? SET day = ? {KEY}"
    assert written(cells, {"day": "new#5"}) == [Statement(text, (at, 0, "new#5"))]


def test_a_version_needs_no_microsecond_as_the_larger_value_stays() -> None:
    cells = {"status": Cell("new", 100, None), "kw_v": Cell(1, 120, None)}
    text = f"UPDATE shop.orders USING TIMESTAMP ? AND TTL ? SET kw_v = ? {KEY}"
    assert written(cells, {}, ("kw_v", 2)) == [Statement(text, (120, 0, 2))]


def test_a_column_goes_at_its_own_time() -> None:
    cells = {"status": Cell("new", 100, None), "at": Cell("5", 90, None)}
    text = f"DELETE status FROM shop.orders USING TIMESTAMP ? {KEY}"
    assert written(cells, {"status": REMOVED, "gone": REMOVED}) == [Statement(text, (100,))]


def test_a_row_that_is_only_its_key_has_the_time_that_is_given() -> None:
    text = f"UPDATE shop.orders USING TIMESTAMP ? AND TTL ? SET tier = ? {KEY}"
    assert written({}, {"tier": "free"}) == [Statement(text, (7, 0, "free"))]


def test_an_input_that_is_newer_than_what_was_made_of_it_is_seen() -> None:
    cells = {"status": Cell("new", 100, None), "day": Cell("old", 90, None)}
    assert (is_behind(cells, ["status"], ["day"]), is_ahead(cells, ["status"], ["day"])) == (True, False)
    cells["day"] = Cell("new", 101, None)
    assert (is_behind(cells, ["status"], ["day"]), is_ahead(cells, ["status"], ["day"])) == (False, True)


def test_token_ranges_meet_and_cover_everything() -> None:
    found = ranges(7)
    assert (found[0][0], found[-1][1]) == (-(2**63), 2**63 - 1)
    assert all(one[1] == other[0] for one, other in itertools.pairwise(found))


def test_what_follows_a_row_depends_on_the_order_of_its_partition() -> None:
    order = (ClusteringColumn("day", "text", is_descending=True), ClusteringColumn("n", "int"))
    assert after(order) == (("day = ? AND n > ?", 2), ("day < ?", 1))


def test_a_value_has_the_type_of_its_column() -> None:
    assert (form("n", "-42", "int"), form("ok", "false", "boolean"), form("t", 5, "text")) == (-42, False, "5")
    with pytest.raises(ValueError, match="not whole"):
        form("n", "4.5", "int")

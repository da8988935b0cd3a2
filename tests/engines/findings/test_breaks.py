"""BC, MF: what readers and steps meet in stored data."""

from pathlib import Path

import pytest

from .reports import codes_of, errors, model, report, the

UPGRADE = ', schema_version=2, upgrades={1: kw.Upgrade(set={"channel": "web"})}'


@pytest.mark.parametrize("engine", ["dynamodb", "mongodb", "cassandra"])
def test_a_required_field_needs_a_value_for_stored_items(engine: str, tmp_path: Path) -> None:
    bare = errors(tmp_path / "bare", model(engine), model(engine, "channel: str"))
    filled = errors(tmp_path / "filled", model(engine), model(engine, "channel: str", store=UPGRADE))
    assert (bare, filled) == (["MF103"], [])


def test_an_optional_field_that_is_required_needs_one_too(tmp_path: Path) -> None:
    before = model("mongodb", "channel: str | None = None")
    assert "MF104" in errors(tmp_path / "bare", before, model("mongodb", "channel: str"))
    assert "MF104" not in errors(tmp_path / "filled", before, model("mongodb", "channel: str", store=UPGRADE))


def test_a_validator_before_its_backfill_is_reported(tmp_path: Path) -> None:
    lint = report(
        tmp_path,
        model("mongodb"),
        model("mongodb", "channel: str", store=UPGRADE),
        steps=[
            {"n": 10, "phase": "expand", "by": "human", "op": "deploy_ack"},
            {"n": 20, "phase": "expand", "by": "runner", "op": "alter", "store": "mongodb/shop",
             "applies": ["c1", "c2"]},
            {"n": 30, "phase": "backfill", "by": "runner", "op": "backfill", "store": "mongodb/shop",
             "object": "shop/shape/Order", "applies": ["c3", "c4"], "transform": {"set": {"channel": "web"}}},
            {"n": 40, "phase": "contract", "by": "runner", "op": "assert_snapshot"},
        ],
    )  # fmt: skip
    assert the("MF104", lint).message == "step 20 makes the validator stricter before step 30 fills the documents"


def test_a_field_with_another_stored_name_breaks_what_runs(tmp_path: Path) -> None:
    before = model("dynamodb", "buyer: str | None = None")
    after = model("dynamodb", 'customer: Annotated[str | None, kw.RenamedFrom("buyer")] = None')
    assert "BC102" in errors(tmp_path, before, after)


@pytest.mark.parametrize(
    ("engine", "before", "after", "code"),
    [
        ("dynamodb", "total: str", "total: int", "BC103"),
        ("mongodb", "total: str", "total: Decimal", "BC103"),
        ("cassandra", "total: str", "total: Decimal", "RB101"),
        ("cassandra", "marks: set[str] = set()", "marks: set[int] = set()", "RB101"),
        ("cassandra", "marks: set[str] = set()", "marks: list[str] = []", "RB101"),
        ("dynamodb", "marks: set[str] = set()", "marks: set[int] = set()", "BC108"),
        ("mongodb", "marks: list[str] = []", "marks: list[int] = []", "BC108"),
    ],
)
def test_a_changed_type_of_stored_values_is_reported(
    engine: str, before: str, after: str, code: str, tmp_path: Path
) -> None:
    codes = set(errors(tmp_path, model(engine, before), model(engine, after)))
    assert codes & {"BC103", "BC108", "RB101"} == {code}


def test_a_removed_embedded_word_is_reported(tmp_path: Path) -> None:
    def words(*values: str) -> str:
        return model("mongodb", "line: Line", above=f"class Line(BaseModel):\n    state: Literal{list(values)}\n")

    finding = the("BC106", report(tmp_path, words("new", "sold", "lost"), words("new", "sold")))
    assert finding.message.startswith('"lost" may no longer be in "line.state" of "orders"')


def test_more_words_break_nothing(tmp_path: Path) -> None:
    before, after = (model("mongodb", f"state: Literal{words}") for words in (["a"], ["a", "b"]))
    assert errors(tmp_path, before, after) == []


def test_an_index_may_become_unique_after_a_check(tmp_path: Path) -> None:
    before, after = (
        model("mongodb", "email: str", store=f", indexes=[{index}]")
        for index in ('kw.Index("email")', 'kw.Index("email", unique=True)')
    )
    alter = {"n": 20, "phase": "expand", "by": "runner", "op": "alter", "store": "mongodb/shop", "applies": ["c1"]}
    checked = {"n": 10, "phase": "expand", "by": "human", "op": "deploy_ack", "object": "shop/orders/email_1"}
    other = {**checked, "object": "shop/orders/name_1"}
    assert "MF102" in errors(tmp_path / "bare", before, after, steps=[alter])
    assert "MF102" in errors(tmp_path / "other", before, after, steps=[other, alter])
    assert "MF102" not in errors(tmp_path / "checked", before, after, steps=[checked, alter])


def test_a_wider_projection_is_no_smaller_one(tmp_path: Path) -> None:
    def projecting(names: str) -> str:
        gsi = f'one = kw.Gsi("by_buyer", pk="buyer", project={names})'
        return model("dynamodb", "buyer: str\ntotal: int\nnote: str", above=gsi, head=", gsis=[one]")

    assert "BC104" not in codes_of(tmp_path / "wider", projecting('["total"]'), projecting('["total", "note"]'))
    assert "BC104" in codes_of(tmp_path / "other", projecting('["total"]'), projecting('["note"]'))


def test_a_backfill_of_another_field_is_none_of_this_one(tmp_path: Path) -> None:
    other = ', schema_version=2, upgrades={1: kw.Upgrade(set={"place": "here"})}'
    after = model("dynamodb", "channel: str\nplace: str", store=other)
    assert the("MF103", report(tmp_path, model("dynamodb"), after)).object == "shop/Order/channel"

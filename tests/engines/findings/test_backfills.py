"""BF: what stored items lack, and what they have already."""

from pathlib import Path

from .reports import codes_of, model, report, the


def keyed(*names: str, template: str = "{order_id}", where: str = "") -> str:
    """Indexes that share one attribute, which one template fills."""
    above = "\n".join(f'{name} = kw.Gsi("{name}", pk="gsi1pk", project="keys")' for name in names)
    keys = ", ".join(f'{name}.key(pk="{template}"{where})' for name in names)
    return model("dynamodb", "status: str", above=above, head=f", gsis=[{', '.join(names)}]", store=f", gsis=[{keys}]")


STEPS = [
    {"n": 10, "phase": "expand", "by": "runner", "op": "alter", "store": "dynamodb", "applies": ["c1", "c2"]},
    {"n": 20, "phase": "contract", "by": "runner", "op": "assert_snapshot"},
]
OPEN = ', where={"status": "open"}'


def test_an_attribute_that_stored_items_have_needs_no_pass(tmp_path: Path) -> None:
    assert "BF101" not in codes_of(tmp_path, keyed("old"), keyed("new"), steps=STEPS)


def test_the_same_attribute_filled_otherwise_needs_one(tmp_path: Path) -> None:
    assert "BF101" in codes_of(tmp_path, keyed("old"), keyed("new", template="{status}"), steps=STEPS)


def test_the_same_attribute_of_other_items_needs_one(tmp_path: Path) -> None:
    assert "BF101" in codes_of(tmp_path, keyed("old"), keyed("new", where=OPEN), steps=STEPS)


def test_more_copies_need_a_pass(tmp_path: Path) -> None:
    before, after = (model("dynamodb", store=f", read_copies={copies}") for copies in (1, 4))
    finding = the("BF103", report(tmp_path, before, after))
    assert finding.message == "the number of copies of Order changes from 1 to 4: existing items keep theirs"


def test_an_invalid_transform_is_reported(tmp_path: Path) -> None:
    steps = [
        {"n": 10, "phase": "backfill", "by": "runner", "op": "backfill", "store": "dynamodb",
         "object": "shop/shape/Order", "transform": {"sett": {"status": "new"}}},
    ]  # fmt: skip
    finding = the(
        "BF104", report(tmp_path, model("dynamodb"), model("dynamodb", "note: int | None = None"), steps=steps)
    )
    assert finding.message == 'transform: unknown step "sett"'


def python(**words: object) -> list[dict[str, object]]:
    """A backfill in Python."""
    stage = {"n": 10, "phase": "backfill", "by": "runner", "op": "backfill", "store": "dynamodb",
             "object": "shop/shape/Order", "module": "backfill_notes.py"}  # fmt: skip
    return [{**stage, **words}]


def test_python_says_what_it_changes(tmp_path: Path) -> None:
    models = model("dynamodb"), model("dynamodb", "note: int | None = None")
    finding = the("BF105", report(tmp_path / "bad", *models, steps=python()))
    assert (finding.message, finding.help) == (
        "step 10 runs Python and does not declare what it changes", "add applies: [...] or effects: none"
    )  # fmt: skip
    assert "BF105" in codes_of(tmp_path / "other", *models, steps=python(effects="some"))
    for words in ({"applies": ["c1"]}, {"effects": "none"}):
        codes = codes_of(tmp_path / str(*words), *models, steps=python(**words))
        assert {"BF104", "BF105"}.isdisjoint(codes)

"""Parsing of key templates."""

import pytest

from keywright.ir.template import Filter, Placeholder, Template, TemplateError, parse


def test_a_template_is_constants_and_placeholders_in_order() -> None:
    assert parse("USER#{user_id}#{placed_at:iso}").parts == (
        "USER#",
        Placeholder("user_id"),
        "#",
        Placeholder("placed_at", (Filter("iso"),)),
    )


def test_a_path_may_lead_into_embedded_models() -> None:
    assert parse("{address.city}").placeholders == (Placeholder("address.city"),)


def test_a_random_shard_has_no_field() -> None:
    (only,) = parse("{:shard(10)}").placeholders
    assert (only.path, only.shards, only.width) == ("", 10, 1)


@pytest.mark.parametrize(
    ("text", "width"),
    [
        ("{a:iso}", 27), ("{a:date}", 10), ("{a:month}", 7), ("{a:week}", 8), ("{a:hour}", 13), ("{a:pad(12)}", 12),
        ("{a:shard(8)}", 1), ("{a:shard(10)}", 1), ("{a:shard(11)}", 2), ("{a:shard(1)}", 1), ("{a:lower}", None),
        ("{a:date:tag}", 12), ("{a}", None),
    ],
)  # fmt: skip
def test_a_filter_has_the_width_of_its_text(text: str, width: int | None) -> None:
    assert parse(text).placeholders[0].width == width


def test_the_head_is_the_constant_beginning() -> None:
    assert parse("ORDER#{order_id}").head == "ORDER#"
    assert parse("{order_id}#ORDER").head == ""


@pytest.mark.parametrize(("text", "is_lone"), [("{a}", True), ("{a:date}", False), ("A{a}", False), ("A", False)])
def test_a_lone_placeholder_keeps_its_native_type(text: str, is_lone: bool) -> None:
    assert (parse(text).lone is not None) is is_lone


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "E0301"), ("{a", "E0301"), ("a}", "E0301"), ("{}", "E0301"), ("{{a}}", "E0301"), ("{a b}", "E0301"),
        ("{1a}", "E0301"), ("{a.}", "E0301"), ("{:lower}", "E0301"), ("{a-b}", "E0301"), ("{ a }", "E0301"),
        ("{a:}", "E0302"), ("{a:day}", "E0302"), ("{a:ISO}", "E0302"), ("{a:iso(}", "E0302"),
        ("{a:pad}", "E0315"), ("{a:pad(0)}", "E0315"), ("{a:iso(3)}", "E0315"), ("{:shard}", "E0315"),
        ("{a:iso:date}", "E0312"), ("{a:upper:lower}", "E0312"), ("{a:pad(3):shard(4)}", "E0312"),
        ("{a:tag:tag}", "E0312"),
        ("{a}{b}", "GEN101"), ("{a}{b:date}", "GEN101"), ("{a:lower}{b}", "GEN101"),
    ],
)  # fmt: skip
def test_a_template_with_an_error_has_a_code_and_a_help_line(text: str, code: str) -> None:
    with pytest.raises(TemplateError) as error:
        parse(text)
    assert error.value.code == code
    assert error.value.help


@pytest.mark.parametrize("text", ["{a:date}{b}", "{:shard(8)}{a}", "{a:pad(4)}{b:pad(4)}", "{a:lower:shard(4)}"])
def test_a_value_of_one_width_may_touch_the_next(text: str) -> None:
    assert isinstance(parse(text), Template)


def test_a_misspelt_filter_gets_a_suggestion() -> None:
    with pytest.raises(TemplateError) as error:
        parse("{a:shards(4)}")
    assert error.value.help == 'did you mean "shard"?'

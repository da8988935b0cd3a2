"""Texts that are not ours, in Markdown: rendered, they are what they were, and nothing else."""

import html
import re

from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from keywright.report.gfm import code, head, link, row, text

RENDERER = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
MARKS = st.text(st.sampled_from("ab1 _*`~|\\<>&[]()!#@$:/.-\n\t\u202e\u200b"), max_size=40)


def cells(markdown: str) -> list[str]:
    """The cells of the only row of a table, as HTML."""
    return re.findall(r"<td>(.*?)</td>", RENDERER.render(head("a", "b") + markdown), re.DOTALL)


def seen(text: str) -> str:
    """What a text is once it stands on a line, without what cannot be seen."""
    return "".join(letter for letter in " ".join(text.split()) if letter.isprintable())


def read(cell: str) -> str:
    """What somebody reads in a cell."""
    return html.unescape(re.sub(r"</?code>", "", cell)).replace("\u200b", "")


@given(MARKS)
@example("a | b")
@example("`code` and <script>alert(1)</script>")
@example("[click](https://example.org) ![](x) <b>")
@example("a\\|b `c\\|d` `e|f`")
@example("`` ` ``")
@example("__init__ and *all* ~~gone~~ &lt;")
def test_a_text_stays_in_its_cell_and_is_read_as_it_is(words: str) -> None:
    result = cells(row(text(words), "next"))
    assert result[1:] == ["next"]
    assert not re.search(r"<(?!/?code>)", result[0])
    assert read(result[0]).replace("`", "").strip() == seen(words).replace("`", "").strip()


@given(MARKS)
@example("a|b")
@example("`")
@example("a\\")
@example("@everyone")
def test_code_stays_in_its_cell_and_is_read_as_it_is(words: str) -> None:
    result = cells(row(code(words), "next"))
    assert result[1:] == ["next"]
    assert not re.search(r"<(?!/?code>)", result[0])
    assert read(result[0]).strip() == seen(words).strip()


def test_nobody_is_notified_and_nothing_is_linked() -> None:
    assert text("@octocat #12 https://example.org www.example.org #a") == (
        "@&#8203;octocat #&#8203;12 https://&#8203;example.org www.&#8203;example.org #a"
    )


def test_code_between_backticks_is_code() -> None:
    assert text("run `keywright patterns`, or `not") == "run `keywright patterns`, or &#96;not"


def test_a_long_text_is_cut_off() -> None:
    assert text("x" * 301) == "x" * 299 + "…"


def test_a_link_leads_to_the_line() -> None:
    assert link("models/a b.py", 3, "") == "[models/a b.py:3](models/a%20b.py#L3)"
    assert link("m/a.py", 0, "https://host/blob/1f/", "a") == "[a](https://host/blob/1f/m/a.py)"
    assert cells(row(link("m](x)/[a|b].py", 1, ""), "next")) == [
        '<a href="m%5D%28x%29/%5Ba%7Cb%5D.py#L1">m](x)/[a|b].py:1</a>', "next"
    ]  # fmt: skip

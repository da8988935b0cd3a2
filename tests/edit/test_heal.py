"""Fixes written into model files: what changes, that a formatter then has nothing to change, and what is refused."""

import ast
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest

from keywright.edit.apply_fixes import with_fixes
from keywright.engines.findings.fix import AddElement, AddFact, DropPart, Fix, FixEdit, FixLocation, Retype, SetArgument
from keywright.errors import NOWHERE, Place

HEAD = """\
from datetime import datetime
from typing import ClassVar

from pydantic import BaseModel

import keywright as kw

blog = kw.MongoDatabase("blog")


"""
"""What every case begins with."""

POST = """\
class Post(BaseModel):
    __store__: ClassVar = kw.Collection(blog, "posts", id="{post_id}")

    post_id: str
    tags: list[str]
    at: datetime
"""


def fixed(
    body: str, line: str, *edits: FixEdit, part: tuple[str, int] | None = None, field: str = "", width: int = 88
) -> str:
    """The body of a case with a fix of the declaration in the line that begins so, without what all begin with."""
    text = HEAD + dedent(body)
    number = next(at for at, entry in enumerate(text.splitlines(), start=1) if entry.strip().startswith(line))
    spot = FixLocation(Place("", number), part, "Post" if field else "", field, Place("", number) if field else NOWHERE)
    after, done = with_fixes(text, [(spot, Fix(edits))], width)
    assert done == ({0} if after != text else frozenset())
    ast.parse(after)
    if done:
        assert formatted(after, width) == after
    return after


def formatted(text: str, width: int) -> str:
    """What Ruff makes of a file: imports sorted, then formatted."""
    ruff = [str(Path(sys.executable).parent / "ruff")]
    config = ["--config", f"line-length={width}", "--isolated", "--no-cache", "--stdin-filename", "case.py"]
    for command in (["check", "--select", "I,F401", "--fix-only", "--quiet"], ["format", "--quiet"]):
        text = subprocess.run(
            [*ruff, *command, *config, "-"], input=text, capture_output=True, text=True, check=True
        ).stdout
    return text


def changed(body: str, after: str) -> list[str]:
    """The lines that are new."""
    before = (HEAD + dedent(body)).splitlines()
    return [line for line in after.splitlines() if line not in before]


def test_an_argument_is_added_behind_the_others() -> None:
    body = POST + '\n\nlatest = kw.Read(Post, order="-at")\n'
    assert changed(body, fixed(body, "latest", SetArgument("limit", "100"))) == [
        'latest = kw.Read(Post, order="-at", limit=100)'
    ]


def test_an_argument_that_is_there_gets_another_value() -> None:
    body = POST + '\n\nlatest = kw.Read(Post, order="at", limit=5)\n'
    after = fixed(body, "latest", SetArgument("order", '"-at"'))
    assert changed(body, after) == ['latest = kw.Read(Post, order="-at", limit=5)']


def test_a_line_that_becomes_too_long_is_laid_out_as_the_formatter_would() -> None:
    body = POST + '\n\nlatest = kw.Read(Post, eq="tags", order="-at", rate="100/s", peak="900/s", p99_ms=50)\n'
    after = fixed(body, "latest", SetArgument("limit", "100"))
    assert changed(body, after) == [
        "latest = kw.Read(",
        '    Post, eq="tags", order="-at", rate="100/s", peak="900/s", p99_ms=50, limit=100',
        ")",
    ]
    together = '    Post, eq="tags", order="-at", rate="100/s", peak="900/s", fields=["post_id"]\n'
    body = f"{POST}\n\nlatest = kw.Read(\n{together})\n"
    after = fixed(body, "latest", SetArgument("limit", "100"))
    assert after.endswith('    peak="900/s",\n    fields=["post_id"],\n    limit=100,\n)\n')


def test_an_argument_gets_a_line_of_its_own_where_the_others_have_one() -> None:
    body = POST + '\n\nlatest = kw.Read(\n    Post,\n    order="-at",\n)\n'
    assert changed(body, fixed(body, "latest", SetArgument("limit", "100"))) == ["    limit=100,"]


def test_imports_are_added_where_a_sorter_has_them() -> None:
    after = fixed(POST, "__store__", SetArgument("ttl", "timedelta(days=30)"))
    assert changed(POST, after) == [
        "from datetime import datetime, timedelta",
        "    __store__: ClassVar = kw.Collection(",
        '        blog, "posts", id="{post_id}", ttl=timedelta(days=30)',
        "    )",
    ]
    after = fixed(POST + "    price: float\n", "price", Retype("float", "Decimal"), field="price")
    assert "from decimal import Decimal\nfrom typing import ClassVar\n" in after


def test_a_fact_is_put_into_the_annotation() -> None:
    after = fixed(POST, "tags", AddFact("Field(max_length=100)"), field="tags")
    assert changed(POST, after) == [
        "from typing import Annotated, ClassVar",
        "from pydantic import BaseModel, Field",
        "    tags: Annotated[list[str], Field(max_length=100)]",
    ]
    body = POST.replace("list[str]", "Annotated[list[str], kw.Size(avg=5, max=9)] = []")
    after = fixed(body, "tags", AddFact("Field(max_length=100)"), field="tags")
    assert "    tags: Annotated[list[str], kw.Size(avg=5, max=9), Field(max_length=100)] = []\n" in after


def test_words_of_the_vocabulary_are_written_as_the_file_imports_them() -> None:
    plain = HEAD.replace("import keywright as kw\n", "from keywright import Collection, MongoDatabase\n").replace(
        "kw.", ""
    )
    text = plain + POST.replace("kw.", "")
    line = text.splitlines().index('    __store__: ClassVar = Collection(blog, "posts", id="{post_id}")') + 1
    fix = Fix((AddElement("indexes", 'kw.Index("tags")'),))
    after, _ = with_fixes(text, [(FixLocation(Place("", line)), fix)], 120)
    assert "from keywright import Collection, Index, MongoDatabase\n" in after
    assert 'id="{post_id}", indexes=[Index("tags")])' in after


def test_parts_are_changed_and_go() -> None:
    body = POST.replace(")\n", ', indexes=[kw.Index("tags"), kw.Index(["tags", "at"])])\n', 1)
    assert 'kw.Index(["tags", "at"], unique=True)])' in fixed(
        body, "__store__", SetArgument("unique", "True"), part=("indexes", 1), width=140
    )
    assert 'indexes=[kw.Index(["tags", "at"])])' in fixed(body, "__store__", DropPart(), part=("indexes", 0), width=140)
    assert 'indexes=[kw.Index("tags")])' in fixed(body, "__store__", DropPart(), part=("indexes", 1), width=140)


def test_a_part_is_changed_where_its_variable_is_made() -> None:
    body = POST + '\n\nby_day = kw.Gsi("by_day", pk="day")\ntable = kw.DynamoTable("posts", gsis=[by_day])\n'
    after = fixed(body, "table", SetArgument("project", '["title"]'), part=("gsis", 0))
    assert 'by_day = kw.Gsi("by_day", pk="day", project=["title"])' in after


def test_a_write_of_a_transaction_is_meant_by_its_number() -> None:
    body = POST + '\n\nboth = kw.Transact([kw.Put(Post), kw.Delete(Post)], rate="1/s")\n'
    after = fixed(body, "both", SetArgument("if_absent", "True"), part=("", 0))
    assert "both = kw.Transact([kw.Put(Post, if_absent=True), kw.Delete(Post)]" in after


def test_the_store_of_a_class_that_is_bound_is_meant() -> None:
    body = POST + '\n\nolder = kw.bind(Post, kw.Collection(blog, "older", id="{post_id}"))\n'
    after = fixed(body, "older", SetArgument("expected", "10"))
    assert 'older = kw.bind(Post, kw.Collection(blog, "older", id="{post_id}", expected=10))' in after


def test_several_fixes_of_a_file_go_together() -> None:
    text = HEAD + POST
    lines = text.splitlines()
    store = lines.index('    __store__: ClassVar = kw.Collection(blog, "posts", id="{post_id}")') + 1
    tags = lines.index("    tags: list[str]") + 1
    fixes = [
        (FixLocation(Place("", store)), Fix((SetArgument("ttl", "timedelta(days=30)"),))),
        (FixLocation(Place("", store), None, "Post", "tags", Place("", tags)), Fix((AddFact("Field(max_length=9)"),))),
        (FixLocation(Place("", store)), Fix((SetArgument("expected", "10"),))),
    ]
    after, done = with_fixes(text, fixes, 120)
    assert done == {0, 1, 2}
    assert 'id="{post_id}", ttl=timedelta(days=30), expected=10)' in after
    assert "tags: Annotated[list[str], Field(max_length=9)]" in after
    assert formatted(after, 120) == after


@pytest.mark.parametrize(
    ("body", "line", "edit", "more"),
    [
        (POST, "post_id", SetArgument("limit", "1"), {}),  # no call there
        (POST, "tags", Retype("float", "Decimal"), {"field": "tags"}),  # not of that type
        (POST.replace("tags: list[str]", "tags: float = 0.0"), "tags", Retype("float", "Decimal"), {"field": "tags"}),
        (POST, "at:", AddFact("Field(gt=1)"), {"field": "other"}),  # inherited
        (POST, "__store__", DropPart(), {"part": ("indexes", 0)}),  # listed elsewhere
        (POST.replace(")\n", ", indexes=INDEXES)\n", 1), "__store__", AddElement("indexes", "kw.Index()"), {}),
    ],
)
def test_a_text_that_is_not_plain_stays_as_it_is(body: str, line: str, edit: FixEdit, more: dict[str, object]) -> None:
    assert fixed(body, line, edit, **more) == HEAD + dedent(body)  # type: ignore[arg-type]


def test_a_statement_that_the_formatter_skips_is_not_laid_out() -> None:
    body = POST.replace('id="{post_id}")', 'id="{post_id}", expected=1_000_000)  # fmt: skip')
    after = fixed(body, "__store__", SetArgument("ttl", "timedelta(days=30)"))
    assert "expected=1_000_000, ttl=timedelta(days=30))  # fmt: skip" in after

"""Elements of lists that go: whichever, in whatever order, the others stay with their commas and comments."""

import ast
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keywright.edit.apply_fixes import with_fixes
from keywright.engines.findings.fix import AddElement, DropPart, Fix, FixLocation, SetArgument
from keywright.errors import Place

HEAD = 'import keywright as kw\n\nstore = kw.Collection(blog, "posts", id="{post_id}", '
"""What every case begins with; the declaration stands in line 3."""

DROP = Fix((DropPart(),))


def spot(position: int, word: str = "Collection") -> FixLocation:
    return FixLocation(Place("", 3), ("indexes", position), class_name=word)


def listed(text: str) -> list[str]:
    """The names that are listed in a text."""
    lists = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.keyword) and node.arg == "indexes"]
    assert isinstance(lists[0].value, ast.List)
    return [ast.literal_eval(elt.args[0]) for elt in lists[0].value.elts if isinstance(elt, ast.Call)]


def plain(names: list[str]) -> str:
    return HEAD + f"indexes=[{', '.join(f'kw.Index({name!r})' for name in names)}])\n"


def exploded(names: list[str]) -> str:
    rows = "".join(f"    # above {name}, with a comma\n    kw.Index({name!r}),  # behind {name}\n" for name in names)
    return f"{HEAD}indexes=[\n{rows}])\n"


def packed(names: list[str]) -> str:
    rows = ",\n        ".join(f"kw.Index({name!r})" for name in names)
    return f"{HEAD}indexes=[  # all of them\n        {rows}\n    ])\n"


@given(st.sampled_from((plain, exploded, packed)), st.integers(1, 5), st.data())
def test_any_elements_go_in_any_order_and_no_other(form: object, count: int, data: st.DataObject) -> None:
    assert callable(form)
    names = [f"f{at}" for at in range(count)]
    gone = data.draw(st.permutations(range(count)))[: data.draw(st.integers(0, count))]
    text = form(names)
    after, done = with_fixes(text, [(spot(at), DROP) for at in gone])
    kept = [name for at, name in enumerate(names) if at not in gone]
    assert len(done) == len(gone)
    assert listed(after) == kept
    assert [line for line in after.splitlines() if "above" in line or "behind" in line] == [
        line
        for line in text.splitlines()
        if any(line.endswith((f"e {name}, with a comma", f"d {name}")) for name in kept)
    ]
    assert after == with_fixes(text, [(spot(at), DROP) for at in sorted(gone)])[0]


def test_all_orders_of_two_fixes_in_one_list_come_to_the_same() -> None:
    text = plain(["a", "b", "c"])
    fixes = [(spot(0), DROP), (spot(1), Fix((SetArgument("unique", "True"),)))]
    for order in permutations(fixes):
        after, done = with_fixes(text, order, 120)
        assert (done, listed(after)) == ({0, 1}, ["b", "c"])
        assert 'indexes=[kw.Index("b", unique=True), ' in after.replace("'", '"')


def test_what_meets_another_fix_waits() -> None:
    text = plain(["a", "b"])
    inside = (spot(0), Fix((SetArgument("unique", "True"),)))
    assert with_fixes(text, [(spot(0), DROP), inside])[1] == {0}
    further = (FixLocation(Place("", 3), class_name="Collection"), Fix((AddElement("indexes", 'kw.Index("c")'),)))
    assert with_fixes(text, [(spot(1), DROP), further])[1] == {0}
    twice = [(FixLocation(Place("", 3)), Fix((SetArgument("expected", number),))) for number in ("1", "2")]
    after, done = with_fixes(text, twice)
    assert (done, "expected=1)" in after) == ({0}, True)
    assert with_fixes(text, [twice[0], twice[0]])[1] == {0, 1}


def test_a_further_element_leaves_the_comment_of_the_last_one_where_it_is() -> None:
    fix = Fix((AddElement("indexes", 'kw.Index("new")'),))
    after, done = with_fixes(exploded(["a"]), [(FixLocation(Place("", 3)), fix)])
    assert done == {0}
    assert "    kw.Index('a'),  # behind a\n    kw.Index(\"new\"),\n" in after


@pytest.mark.parametrize(
    "text",
    [
        'import keywright as kw\n\nstore = wrapped(kw.Collection(blog, "posts", indexes=[kw.Index("a")]))\n',
        'import keywright as kw\n\nstore = kw.Collection(blog, indexes=[(kw.Index("a")), kw.Index("b")])\n',
        'import keywright as kw\n\nstore = kw.Collection(blog, indexes=[*MORE, kw.Index("b")])\n',
        'import keywright as kw\n\na = 1; store = kw.Collection(blog, indexes=[kw.Index("a")])\n',
    ],
)
def test_a_declaration_that_is_not_plainly_there_is_left_alone(text: str) -> None:
    assert with_fixes(text, [(spot(0), DROP)]) == (text, frozenset())

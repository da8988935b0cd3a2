"""Random transforms and stored items, in forms that every engine can store."""

from typing import Any

from hypothesis import strategies as st

from keywright.errors import UsageError
from keywright.ir.transform import Transform
from keywright.ir.transform import parse as parse_transform

FIELDS = ("a", "b", "c", "d", "e")
"""Names of fields, which can have any value."""

FILTERS = ("", "", ":iso", ":date", ":month", ":week", ":hour", ":pad(4)", ":shard(16)", ":upper", ":lower", ":tag")

TIMES = (
    "2026-03-14T09:26:53.589793Z", "2024-12-30T00:00:00.000000Z", "1999-01-01T23:59:59.999999Z",
    "2026-02-30T00:00:00.000000Z", "2026-03-14T09:26:53Z", "2026-03-14T09:26:53.589793+02:00", "2026-03-14",
)  # fmt: skip
"""Texts of times, one of them of a day that does not exist."""

WORDS = (
    "",
    "Ada Lovelace",
    "one",
    "a b c",
    "#",
    "grün é",
    "ẞ ß ŉ",
    "42",
    "-7",
    "1.50",
    "true",
    "false",
    "new",
    "old",
    "€ 5",
)


def texts() -> st.SearchStrategy[str]:
    """Texts, many of which have a meaning for some step."""
    return st.sampled_from(WORDS + TIMES) | st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=6)


def items(values: st.SearchStrategy[Any] | None = None) -> st.SearchStrategy[dict[str, Any]]:
    """Items with some of the fields."""
    return st.dictionaries(st.sampled_from(FIELDS), texts() if values is None else values, max_size=5)


@st.composite
def templates(draw: st.DrawFn) -> str:
    """Key templates without adjacent placeholders."""
    names = draw(st.lists(st.sampled_from(FIELDS), min_size=1, max_size=3))
    parts = [f"{{{name}{draw(st.sampled_from(FILTERS))}}}" for name in names]
    return draw(st.sampled_from(("", "K#"))) + draw(st.sampled_from(("#", "|"))).join(parts)


@st.composite
def described(draw: st.DrawFn, fields: tuple[str, ...] = FIELDS) -> dict[str, Any]:
    """A transform as JSON, not always a valid one."""
    field = st.sampled_from(fields)
    into = st.lists(field, min_size=1, max_size=3, unique=True)
    split = st.fixed_dictionaries({"on": st.sampled_from((" ", "#", ", ", "aa")), "into": into})
    types = st.sampled_from(("str", "int", "decimal", "bool", "datetime"))
    pairs = st.dictionaries(
        st.sampled_from(("new", "old", "one", "42")), st.sampled_from(("old", "gone", "x")), min_size=1
    )

    def mapping(values: st.SearchStrategy[Any], most: int = 2) -> st.SearchStrategy[Any]:
        return st.dictionaries(field, values, min_size=1, max_size=most)

    kinds: dict[str, st.SearchStrategy[Any]] = {
        "copy": mapping(field), "rename": mapping(field), "split": mapping(split, 1), "cast": mapping(types),
        "map": mapping(pairs, 1),
        "set": mapping(templates() | st.sampled_from(("free", "$none", ""))),
        "unset": st.lists(field, min_size=1, max_size=2, unique=True),
    }  # fmt: skip
    chosen = draw(st.lists(st.sampled_from(sorted(kinds)), min_size=1, max_size=3, unique=True))
    return {kind: draw(kinds[kind]) for kind in chosen}


@st.composite
def transforms(draw: st.DrawFn, fields: tuple[str, ...] = FIELDS) -> Transform:
    """Valid transforms."""
    while True:
        try:
            return parse_transform(draw(described(fields)))
        except UsageError:
            continue

"""Names in Python for names in a store."""

import keyword
import re
from collections.abc import Collection, Sequence

_WORDS = re.compile(r"[A-Za-z0-9]+")
_CAPITAL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_VERSION = re.compile(r"v\d+$", re.IGNORECASE)
"""A word that numbers the versions of a table, and has no plural."""

_CONTAINERS = frozenset(("cf", "table", "tbl"))
"""Last words of names that only say what has the name."""

_ADJECTIVES = frozenset((
    "active", "all", "daily", "delayed", "global", "hourly", "latest", "monthly", "offline", "online", "pending",
    "popular", "recent", "scheduled", "seen", "top", "total", "trending", "unread", "viewed", "visited", "weekly",
    "yearly",
))  # fmt: skip
"""Words without a plural that name what is stored."""

_PLURAL_ONLY = re.compile(
    r"(analytics|data|details|feedback|info|metadata|news|permissions|preferences|series|settings|stats)$",
    re.IGNORECASE,
)
"""Words that stay as they are: one item holds all the settings of a user."""

_PLURALS = (
    (re.compile(r"(?<=[^aeiou])ies$"), "y"),
    (re.compile(r"(?<=ss|sh|ch)es$|(?<=x)es$"), ""),
    (re.compile(r"(?<=[^sui])s$"), ""),
)

_TYPES = frozenset((
    "Annotated", "Any", "AwareDatetime", "BaseModel", "ClassVar", "ConfigDict", "Decimal", "Field", "Literal",
    "NaiveDatetime", "UUID", "bool", "bytes", "dict", "dt", "float", "int", "kw", "list", "set", "str", "timedelta",
))  # fmt: skip
"""Names in a model file that a class, or a field with a default, would hide."""

RESERVED = _TYPES | frozenset((
    "construct", "copy", "dict", "from_orm", "json", "parse_file", "parse_obj", "parse_raw", "schema", "schema_json",
    "update_forward_refs", "validate",
))  # fmt: skip
"""Names that no field has: those of types, and attributes of `pydantic.BaseModel`, which it would hide.
Source: https://docs.pydantic.dev/latest/api/base_model/, 2026-11-24."""


NAMED = 2
"""Most fields in the name of a read by a unique key."""


def class_name(stored: str, taken: Collection[str] = ()) -> str:
    """A class name for the items of a table or collection: `OrderLine` for `order_lines`, `OrderByDay` for
    `orders_by_day`."""
    words = words_of(stored) or ["model"]
    words = words if words[0][0].isalpha() else ["model", *words]
    words = words[:-1] if len(words) > 1 and words[-1].lower() in _CONTAINERS else words
    noun = _noun_of([word.lower() for word in words])
    name = _joined((*words[: noun - 1], singular(words[noun - 1]), *words[noun:]))
    names = (name, _joined(words), *_numbered(name))
    return next(name for name in names if name not in taken and name not in RESERVED)


def camel_case(stored: str) -> str:
    """The words of a stored name as a class name, the last one unchanged."""
    return _joined(words_of(stored))


def snake_case(name: str) -> str:
    """The words of a name in small letters: `order_line` for `OrderLine`."""
    return "_".join(word.lower() for word in words_of(name))


def plural(noun: str) -> str:
    """The plural of a name in snake case: `order_lines`, `addresses`, `categories`, `orders_by_day`."""
    words = noun.split("_")
    count = _noun_of(words)
    return "_".join((*words[: count - 1], _plural(words[count - 1]), *words[count:]))


def without_criterion(noun: str) -> str:
    """A name in snake case without the fields of its key: `order` for `order_by_day`."""
    return noun.partition("_by_")[0]


def _noun_of(words: Sequence[str]) -> int:
    """The number of words up to the noun: before `by`, or a version."""
    if "by" in words[1:-1]:
        return words.index("by", 1)
    return len(words) - 1 if len(words) > 1 and _VERSION.match(words[-1]) else len(words)


def _plural(word: str) -> str:
    if _PLURAL_ONLY.search(word) or word in _ADJECTIVES or singular(word) != word:
        return word
    if re.search(r"[^aeiou]y$", word):
        return f"{word[:-1]}ies"
    return f"{word}es" if word.endswith(("s", "x", "z", "ch", "sh")) else f"{word}s"


def joined(paths: Sequence[str]) -> str:
    """Fields in the name of a pattern; of a path inside an embedded model, the last part."""
    words = [snake_case(path.removeprefix("-").rpartition(".")[2]) for path in paths]
    return "_and_".join(filter(None, ("_".join(words[:-1]), *words[-1:])))


def key_words(paths: Sequence[str]) -> str:
    """The fields of a unique key in the name of a pattern."""
    return joined(paths) if len(paths) <= NAMED else "key"


def field_name(stored: str, taken: Collection[str] = ()) -> str:
    """A field name for a stored name, which is unchanged if Pydantic accepts it."""
    name = stored
    if not (stored.isidentifier() and stored.isascii()) or stored.startswith(("_", "model_")):
        name = "_".join(word.lower() for word in words_of(stored)) or "value"
        name = name if name[0].isalpha() else f"field_{name}"
    if keyword.iskeyword(name) or name in RESERVED:
        name = f"{name}_"
    if name.startswith("model_"):
        name = f"own_{name}"
    return next(unique for unique in (name, *_numbered(f"{name}_")) if unique not in taken)


def words_of(stored: str) -> list[str]:
    """The words of a stored name: `order`, `Line` of `orderLine`."""
    return [word for part in _WORDS.findall(stored) for word in _CAPITAL.split(part)]


def _joined(words: Collection[str]) -> str:
    return "".join(word[0].upper() + (word[1:] if not word.isupper() else word[1:].lower()) for word in words)


def singular(word: str) -> str:
    """A word in the singular, unless it is used in the plural only."""
    if _PLURAL_ONLY.search(word):
        return word
    for plural, ending in _PLURALS:
        if plural.search(word) and len(word) > 3:
            return plural.sub(ending, word)
    return word


def _numbered(name: str) -> list[str]:
    return [f"{name}{number}" for number in range(2, 1000)]

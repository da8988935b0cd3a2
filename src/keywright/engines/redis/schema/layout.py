"""Locations of an entity's fields: in the text of key and member, or as stored fields; for check, lower and runtime."""

from datetime import timedelta
from re import compile

from keywright.ir.attribute import Attribute, Scalar
from keywright.ir.binding import Binding
from keywright.ir.key_texts import Piece, pieces
from keywright.ir.template import Placeholder, Template

from ..declare.options import (
    RedisBitmap,
    RedisCache,
    RedisCounter,
    RedisGeo,
    RedisHash,
    RedisHyperLogLog,
    RedisJson,
    RedisList,
    RedisRateLimit,
    RedisSet,
    RedisSortedSet,
    RedisStream,
    RedisString,
    Structure,
)
from .target import StructureKind

KINDS: dict[type, StructureKind] = {
    RedisString: "string", RedisCounter: "counter", RedisCache: "cache", RedisHash: "hash", RedisList: "list",
    RedisSet: "set", RedisSortedSet: "sorted set", RedisStream: "stream", RedisRateLimit: "rate limit",
    RedisBitmap: "bitmap", RedisHyperLogLog: "hyperloglog", RedisGeo: "geo",
    RedisJson: "json",
}  # fmt: skip
"""Kind of structure, by the class that declares it."""

JSON_KINDS = ("string", "cache", "list", "json")
"""Structures whose value is JSON unless it is a single field."""

FIELD_KINDS = ("hash", "stream")
"""Structures with separate fields."""

VALUE_KINDS = ("string", "counter", "cache")
"""Kinds whose whole item is one value, which SET replaces."""

EXPIRING_KINDS = (*VALUE_KINDS, "hash", "json")
"""Structures with one entity per key, so that the key may expire at a time in a field of the entity."""

_TIME_FILTERS = {"datetime": "iso", "date": "date"}


def kind_of(binding: Binding[Structure]) -> StructureKind:
    """Kind of the entity's structure."""
    return KINDS[type(binding.spec)]


def value_field(binding: Binding[Structure]) -> str | None:
    """Name of the field that is the value, the score, the bit or the place; None if there are several, or none."""
    match binding.spec:
        case RedisString(value=field) | RedisCounter(value=field):
            return field
        case RedisSortedSet(score=field) | RedisBitmap(bit=field) | RedisGeo(place=field):
            return field
        case _:
            return None


def stored_attributes(binding: Binding[Structure]) -> tuple[Attribute, ...]:
    """The attributes that are stored as fields of JSON, of a hash or of an entry: those that are not in the key."""
    if kind_of(binding) not in (*JSON_KINDS, *FIELD_KINDS) or value_field(binding):
        return ()
    key_names = decided_by_key(binding.templates["key"], binding)
    return tuple(attribute for attribute in binding.entity.attributes if attribute.name not in key_names)


def lost_attributes(binding: Binding[Structure]) -> tuple[Attribute, ...]:
    """The attributes that are stored nowhere, so that a written value could not be read back."""
    stored_names = {attribute.name for attribute in stored_attributes(binding)} | {value_field(binding)}
    stored_names |= {(getattr(binding.spec, "then", None) or "").removeprefix("-")}
    for argument, template in binding.templates.items():
        if not argument.startswith("computed") and kind_of(binding) in ("rate limit", "hyperloglog"):
            stored_names |= {placeholder.path for placeholder in template.placeholders}  # written only, never read back
        elif not argument.startswith("computed"):
            stored_names |= decided_by_key(template, binding)
    return tuple(attribute for attribute in binding.entity.attributes if attribute.name not in stored_names)


def decided_by_key(template: Template, binding: Binding[Structure]) -> set[str]:
    """Names of the fields whose value can be read back from the text that a template writes."""
    return {placeholder.path for placeholder in template.placeholders if is_in_key(placeholder, binding)}


def is_in_key(placeholder: Placeholder, binding: Binding[Structure]) -> bool:
    """Whether the value of a field can be read back from the text of a placeholder."""
    attribute = binding.entity.attribute(placeholder.path)
    if attribute is None or not isinstance(attribute.type, Scalar):
        return False
    filters = {filter.name for filter in placeholder.filters} - {"tag"}
    return filters <= {"pad"} or filters == {_TIME_FILTERS.get(attribute.type.kind)}


def key_pieces(binding: Binding[Structure]) -> tuple[Piece, ...]:
    """The runs of characters in the entity's keys; keys of a fixed window or a bucket end with a number."""
    template_pieces = pieces(binding.templates["key"], binding.entity.attributes)
    spec = binding.spec
    if isinstance(spec, RedisRateLimit) and spec.window != "sliding":
        return (*template_pieces, Piece(frozenset(":"), 1), Piece(frozenset("0123456789"), None))
    return template_pieces


def json_path(*names: str) -> str:
    """The path of a part of a JSON document, by the stored names of a field and of the parts inside it."""
    return f"${''.join(map(_step, names))}"


def _step(name: str) -> str:
    """A step of a path. Servers write a name with an escaped quote under the escaped name: measured on 7.4.1."""
    quote = "'" if '"' in name else '"'
    return f".{name}" if _PLAIN.fullmatch(name) else f"[{quote}{name}{quote}]"


def has_path(name: str) -> bool:
    """Whether a path can contain a stored name."""
    return not _ESCAPED.search(name) and not {"'", '"'} <= set(name)


_PLAIN = compile("[A-Za-z_][A-Za-z0-9_]*")
_ESCAPED = compile(r"[\\\x00-\x1f]")


def constant_key(binding: Binding[Structure]) -> str | None:
    """The key if it is the same for every instance, else None."""
    template = binding.templates["key"]
    return None if template.placeholders else template.text


def bucket_key(key: str) -> str:
    """The key of a bucket: that of a fixed window with the number 0, which none has, beside a sliding window's key.

    So a limit may change its window while programs with both declarations run.
    """
    return f"{key}:0"


def dead_letters(key: str) -> str:
    """The key of a stream's dead letters, the entries that no consumer could process; in the same slot."""
    return f"{{{key}}}:dead"


def delayed(key: str) -> str:
    """The key of the entries of a stream that wait until they are due; in the same slot."""
    return f"{{{key}}}:delayed"


def seconds(time: timedelta | None) -> int | None:
    """A time in whole seconds."""
    return None if time is None else int(time.total_seconds())

"""What an entity keeps where: in the text of its key and member, or as stored fields; for check, lower and runtime."""

from datetime import timedelta

from keywright.ir.attribute import Attribute, Scalar
from keywright.ir.binding import Binding
from keywright.ir.keytext import Piece, pieces
from keywright.ir.template import Placeholder, Template

from .options import (
    RedisBitmap,
    RedisCache,
    RedisCounter,
    RedisGeo,
    RedisHash,
    RedisHyperLogLog,
    RedisList,
    RedisRateLimit,
    RedisSet,
    RedisSortedSet,
    RedisStream,
    RedisString,
)
from .server import RedisServer
from .target import StructureKind

KINDS: dict[type, StructureKind] = {
    RedisString: "string", RedisCounter: "counter", RedisCache: "cache", RedisHash: "hash", RedisList: "list",
    RedisSet: "set", RedisSortedSet: "sorted set", RedisStream: "stream", RedisRateLimit: "rate limit",
    RedisBitmap: "bitmap", RedisHyperLogLog: "hyperloglog", RedisGeo: "geo",
}  # fmt: skip
"""Kind of structure, by the class that declares it."""

Structure = (
    RedisString | RedisCounter | RedisCache | RedisHash | RedisList | RedisSet | RedisSortedSet | RedisStream
    | RedisRateLimit | RedisBitmap | RedisHyperLogLog | RedisGeo
)  # fmt: skip

JSON_KINDS = ("string", "cache", "list")
"""Structures whose value is JSON, where it is not one field alone."""

FIELD_KINDS = ("hash", "stream")
"""Structures that keep fields side by side."""

VALUE_KINDS = ("string", "counter", "cache")
"""Kinds whose whole item is one value, which SET writes anew."""

EXPIRING_KINDS = (*VALUE_KINDS, "hash")
"""Structures whose key belongs to one entity, so that it may expire at a time which the entity states."""

_TIME_FILTERS = {"datetime": "iso", "date": "date"}


def structure_of(binding: Binding) -> Structure:
    """The declaration behind a binding of this engine."""
    assert isinstance(binding.spec, Structure)
    return binding.spec


def server_of(binding: Binding) -> RedisServer:
    """The server of a binding."""
    return structure_of(binding).server


def kind_of(binding: Binding) -> StructureKind:
    """Which structure the entity is."""
    return KINDS[type(binding.spec)]


def value_field(binding: Binding) -> str | None:
    """Name of the field that is the value, the score, the bit or the place; None where several are kept, or none."""
    match structure_of(binding):
        case RedisString(value=field) | RedisCounter(value=field):
            return field
        case RedisSortedSet(score=field) | RedisBitmap(bit=field) | RedisGeo(place=field):
            return field
        case _:
            return None


def stored_attributes(binding: Binding) -> tuple[Attribute, ...]:
    """The attributes that are kept as fields of JSON, of a hash or of an entry: those that the key does not tell."""
    if kind_of(binding) not in (*JSON_KINDS, *FIELD_KINDS) or value_field(binding):
        return ()
    told = told_by(binding.templates["key"], binding)
    return tuple(attribute for attribute in binding.entity.attributes if attribute.name not in told)


def lost_attributes(binding: Binding) -> tuple[Attribute, ...]:
    """The attributes that nothing keeps, so that a value written would not be read back."""
    kept = {attribute.name for attribute in stored_attributes(binding)} | {value_field(binding)}
    for argument, template in binding.templates.items():
        if not argument.startswith("computed") and kind_of(binding) in ("rate limit", "hyperloglog"):
            kept |= {placeholder.path for placeholder in template.placeholders}  # written only, never read back
        elif not argument.startswith("computed"):
            kept |= told_by(template, binding)
    return tuple(attribute for attribute in binding.entity.attributes if attribute.name not in kept)


def told_by(template: Template, binding: Binding) -> set[str]:
    """Names of the fields whose value can be read back from the text that a template writes."""
    return {one.path for one in template.placeholders if is_told(one, binding)}


def is_told(placeholder: Placeholder, binding: Binding) -> bool:
    """Whether the value of a field can be read back from the text of a placeholder."""
    attribute = binding.entity.attribute(placeholder.path)
    if attribute is None or not isinstance(attribute.type, Scalar):
        return False
    filters = {filter.name for filter in placeholder.filters} - {"tag"}
    return filters <= {"pad"} or filters == {_TIME_FILTERS.get(attribute.type.kind)}


def key_pieces(binding: Binding) -> tuple[Piece, ...]:
    """The runs of characters of the entity's keys; a fixed window's end with the number of the window."""
    written = pieces(binding.templates["key"], binding.entity.attributes)
    spec = structure_of(binding)
    if isinstance(spec, RedisRateLimit) and spec.window == "fixed":
        return (*written, Piece(frozenset(":"), 1), Piece(frozenset("0123456789"), None))
    return written


def constant_key(binding: Binding) -> str | None:
    """The key, where it is the same for every instance."""
    template = binding.templates["key"]
    return None if template.placeholders else template.text


def seconds(time: timedelta | None) -> int | None:
    """A time in whole seconds."""
    return None if time is None else int(time.total_seconds())

"""The contents of sets and sorted sets: members, scores and places."""

from collections.abc import Sequence

from keywright.engines.contract.naming import class_name
from keywright.ir.attribute import Attribute, Scalar, ScalarKind, Struct
from keywright.record import replace

from ..declare.options import RedisGeo, RedisSet, RedisSortedSet
from .contents import Contents, NoWord
from .families import Family
from .values import Plain, is_text, kind_of, unreadable
from .words import SCHEDULES, pieces

_PLACES = frozenset(
    (
        "coordinate",
        "driver",
        "geo",
        "location",
        "map",
        "nearby",
        "place",
        "position",
        "store",
        "shop",
        "station",
        "vehicle",
    )
)
"""Words of keys with places on the globe."""

_GEOHASH = range(2**44, 2**52)
"""Scores of places: interleaved bits of 26 cells on each axis; the lowest are at the South Pole.
Source: https://redis.io/docs/latest/commands/geoadd/, 2026-11-22."""

_MOSTLY = 0.9
"""Share of places that are not at the edge of the map, whose scores are smaller."""

_MICROSECONDS = range(10**15, 22 * 10**14)
"""Times since 1970 in microseconds, which are whole numbers of the same size."""

_SECONDS = range(10**9, 22 * 10**8)
_MILLISECONDS = range(10**12, 22 * 10**11)
"""Times since 1970 in seconds and in milliseconds, of the years 2001 to 2039."""

PLACE = Struct("Place", tuple(Attribute(name, name, name, Scalar("float")) for name in ("longitude", "latitude")))
"""The model of a place."""


def member_contents(family: Family) -> Contents:
    """Sets, sorted sets and places; NoWord for members that are no text."""
    elements = [element for key in family.keys for element in key.value]
    members = [element[0] if family.type == "zset" else element for element in elements]
    if problem := next(filter(None, (unreadable(member) for member in members)), ""):
        raise NoWord(f"their members are {problem}")
    member = Attribute("member", "member", "member", _member_type(members))
    template = "{member:iso}" if isinstance(member.type, Scalar) and member.type.kind == "datetime" else "{member}"
    if family.type == "set":
        return Contents(RedisSet, {"member": template}, (), family.keys, fields=(member,))
    scores = [float(element[1]) for element in elements]
    if _are_places(family, scores):
        place = Attribute("place", "place", "place", PLACE)
        return Contents(RedisGeo, {"member": template, "place": "place"}, (), family.keys, fields=(member, place))
    type = _score_type(scores)
    name = "score" if type.kind != "datetime" else "due_at" if is_schedule(family) else "at"
    score = Attribute(name, name, name, type)
    return Contents(RedisSortedSet, {"member": template, "score": name}, (), family.keys, fields=(member, score))


def is_schedule(family: Family) -> bool:
    """Whether the words of keys say that their scores are times to come."""
    words = {piece for part in family.parts if isinstance(part, str) for piece in pieces(part)}
    return not words.isdisjoint(SCHEDULES)


_MEMBER_KINDS: tuple[ScalarKind, ...] = ("integer", "uuid", "date", "datetime")


def _member_type(members: Sequence[bytes]) -> Scalar:
    """The type of members: one that gives the same text again, else text."""
    texts = (Plain(member.decode()) for member in members if is_text(member))
    kinds = {(value_kind.kind, value_kind.precision) for text in texts if (value_kind := kind_of(text))}
    kind, precision = kinds.pop() if len(kinds) == 1 else ("string", None)
    return Scalar(kind, precision=precision) if kind in _MEMBER_KINDS else Scalar("string")


def _score_type(scores: Sequence[float]) -> Scalar:
    """The type of scores: times of this century, whole numbers, or others."""
    is_whole = all(score.is_integer() and abs(score) < 2**53 for score in scores)
    if is_whole and _are_within(_MILLISECONDS, scores):
        return Scalar("datetime", precision="milliseconds")
    if _are_within(_SECONDS, scores):
        return Scalar("datetime", precision="seconds") if is_whole else Scalar("datetime")
    return Scalar("integer" if is_whole else "float")


def _are_within(times: range, scores: Sequence[float]) -> bool:
    return bool(scores) and all(times.start <= score < times.stop for score in scores)


def _are_places(family: Family, scores: Sequence[float]) -> bool:
    """Whether scores are geohashes: whole numbers of their size that are no times, or under keys named so."""
    if not scores or not all(score.is_integer() and 0 <= score < _GEOHASH.stop for score in scores):
        return False
    if sum(int(score) in _GEOHASH for score in scores) < _MOSTLY * len(scores):
        return False
    words = {piece for part in family.parts if isinstance(part, str) for piece in pieces(class_name(part))}
    return bool(words & _PLACES) or not all(int(score) in _MICROSECONDS for score in scores)


def placed(attribute: Attribute, name: str) -> Attribute:
    """The field with its embedded model under another name."""
    if not isinstance(attribute.type, Struct):
        return attribute
    return replace(attribute, type=Struct(name, attribute.type.attributes))

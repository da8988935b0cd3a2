"""Families as entities, each in the structure that its keys are."""

from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from typing import Any

from keywright.declare.stream import ConsumerGroup
from keywright.engines.infer import ClassNames, infer
from keywright.errors import NOWHERE, gathering
from keywright.ir.attribute import Attribute, Scalar, Struct
from keywright.ir.binding import Binding, Physical
from keywright.ir.entity import Entity
from keywright.ir.time_precision import precise
from keywright.record import Record, field, replace

from ..declare.options import RedisGeo, RedisSet, RedisSortedSet, RedisStream, Structure
from ..declare.server import RedisServer
from .contents import (
    Contents,
    NoWord,
    document_contents,
    hash_contents,
    list_contents,
    require_contents,
    stream_contents,
    string_contents,
)
from .families import Family
from .key_fields import key_fields
from .lifetimes import lifetime_of
from .members import member_contents, placed
from .values import kind_of
from .waiting import Waiting, due_of

_GROUPS: Mapping[type[Structure], str] = {RedisGeo: "area", RedisSet: "item", RedisSortedSet: "board"}
"""Names for what has the places, the members or the ranking under one key."""

CLAIM_AFTER = timedelta(minutes=1)
"""Time after which an entry is delivered again; the server does not know it."""


class AdoptedFamily(Record):
    """A family as an entity."""

    family: Family
    """The family."""
    binding: Binding[Structure]
    """The entity."""
    comments: Mapping[tuple[str, str], str] = field(default_factory=dict)
    """Evidence for its fields."""


def entity_of(
    family: Family,
    owner: str,
    physical: Physical[RedisServer],
    classes: ClassNames,
    groups: Sequence[str],
    strictness: int = 0,
    waiting: Waiting = (),
) -> AdoptedFamily:
    """The entity of a family; NoWord if there is none.

    owner: the class. groups: consumer groups of its streams. strictness: see `key_fields`. waiting: the entries of its
    stream that wait until they are due.
    """
    contents = contents_of(family)
    inferred = infer(contents.items, owner, kind_of, classes)
    fixed = tuple(placed(attribute, _place_name(owner, attribute, classes)) for attribute in contents.fields)
    own = [attribute.name for attribute in (*inferred.attributes, *fixed)]
    items = contents.items if contents.is_one_per_key else ()
    keys = key_fields(replace(family, keys=contents.keys), items, own, strictness, _GROUPS.get(contents.kind, ""))
    if keys is None:
        raise NoWord("a hash tag around more than one value")
    in_key = {key.stored for key in keys.fields if key.stored}
    stored = [_with_default(attribute) for attribute in inferred.attributes if attribute.stored not in in_key]
    comments = {(owner, name): text for (owner, name), text in inferred.comments.items()}
    comments |= {
        (owner, key.attribute.name): "also in the value, where keywright does not write it"
        for key in keys.fields
        if key.stored
    }
    attributes = (*(key.attribute for key in keys.fields), *stored, *fixed)
    lifetime = lifetime_of([key.seconds for key in family.keys])
    options: dict[str, Any] = {"key": keys.template, **contents.options}
    if contents.kind is RedisStream:
        options |= _groups(groups, contents, stored)
        if waiting and groups and (due := due_of(waiting, stored)) is not None:
            options["due"] = due
    elif lifetime.ttl is not None:
        options["ttl"] = lifetime.ttl
    if contents.version > 1:
        options["schema_version"] = contents.version
    entity = Entity(owner, "", _doc("" if lifetime.ttl else lifetime.remark, contents.remark), attributes)
    with gathering() as errors:
        spec: Any = contents.kind(physical.spec, **options)
    if errors:
        raise NoWord(errors[0].problem)
    templates = {argument: precise(template, attributes) for argument, template in spec.templates.items()}
    binding = Binding(owner, entity, physical, spec, templates, {}, NOWHERE)
    return AdoptedFamily(family, binding, comments)


def _doc(*remarks: str) -> str:
    """Remarks as a sentence; empty without any."""
    text = "; ".join(filter(None, remarks))
    return f"{text[0].upper()}{text[1:]}." if text else ""


def _with_default(attribute: Attribute) -> Attribute:
    """A field of any type with None as its default, if null is stored: null is read as an absent value."""
    if isinstance(attribute.type, Scalar) and attribute.type.kind == "json" and attribute.is_nullable:
        return replace(attribute, is_required=False, is_none_by_default=True)
    return attribute


def contents_of(family: Family) -> Contents:
    """The contents of the keys of a family; NoWord if no declaration describes them."""
    require_contents(family)
    if family.type not in READERS:
        raise NoWord(f'the type "{family.type}" of a module')
    return READERS[family.type](family)


READERS: Mapping[str, Callable[[Family], Contents]] = {
    "string": string_contents, "hash": hash_contents, "list": list_contents, "stream": stream_contents,
    "set": member_contents, "zset": member_contents, "ReJSON-RL": document_contents,
}  # fmt: skip
"""Functions that read the contents of each type of the server."""


def _place_name(owner: str, attribute: Attribute, classes: ClassNames) -> str:
    """A class name for an embedded place that no other class has."""
    if not isinstance(attribute.type, Struct):
        return ""
    names = ("Place", f"{owner}Place", f"{owner}Location")
    return next(name for name in names if classes.claim(name, attribute.type.attributes))


def _groups(names: Sequence[str], contents: Contents, attributes: Sequence[Attribute]) -> dict[str, Any]:
    """Consumer groups; an entry is identified by the field that differs in all sampled entries, else by all fields."""
    if not names or not attributes:
        return {}
    distinct = [
        attribute.name
        for attribute in attributes
        if len({str(item.get(attribute.stored)) for item in contents.items}) == len(contents.items)
    ]
    ids = [name for name in distinct if name.endswith("id")] or distinct
    identity = ids[0] if ids else [attribute.name for attribute in attributes]
    return {"groups": [ConsumerGroup(name, idempotency=identity, claim_after=CLAIM_AFTER) for name in sorted(names)]}

"""Declarations of indexes that Search cannot build, or whose results would be wrong."""

from collections.abc import Iterator
from decimal import Decimal

from keywright.engines.interface import Rejection
from keywright.ir.attribute import Attribute, Many, Scalar
from keywright.ir.binding import Binding
from keywright.ir.key_texts import Piece, can_begin

from ..declare.options import RedisJson, Structure
from ..declare.search import SearchField, SearchIndex
from .capabilities import SCORE_WHOLE
from .layout import key_pieces, kind_of, stored_attributes
from .search_index import path_of, place_of

_TAGS = ("string", "uuid", "date", "datetime", "boolean")
_OTHER = {"text": "an index contains the words of texts", "numeric": "an index contains int and float as numbers",
          "geo": "a place in an index is a text, longitude,latitude",
          "vector": "write Annotated[list[float], kw.Vector(...)]",
          "tag": "whole values are texts, UUIDs, dates, times and truth values"}  # fmt: skip


def check_indexes(bindings: tuple[Binding[Structure], ...]) -> Iterator[Rejection]:
    """Reject wrong indexes of the entities on one server."""
    names: dict[str, str] = {}
    for binding in bindings:
        for index in getattr(binding.spec, "indexes", ()):
            if names.setdefault(index.name, binding.name) != binding.name:
                problem = f'index "{index.name}" is one of {names[index.name]} too'
                yield Rejection("E0503", problem, "give it another name", binding.name, part=index.name)
            yield from _prefix(index, binding, bindings)
            for field in index.fields:
                yield from _field(index, field, binding)


def _prefix(
    index: SearchIndex, binding: Binding[Structure], bindings: tuple[Binding[Structure], ...]
) -> Iterator[Rejection]:
    """Reject an index that would contain keys of other entities."""
    head = binding.templates["key"].head
    if not head:
        problem = f'index "{index.name}" would contain all keys, because the key begins with a value'
        yield Rejection("GEN104", problem, "begin the key with a word, such as product:", binding.name, part=index.name)
        return
    start = tuple(Piece(frozenset(letter), 1) for letter in head)
    for other in bindings:
        if other is not binding and kind_of(other) == kind_of(binding) and can_begin(start, key_pieces(other)):
            problem = f'index "{index.name}" would contain keys of {other.name}, which may begin with "{head}" too'
            help = "begin the keys of each entity with its own word"
            yield Rejection("GEN104", problem, help, binding.name, part=index.name)


def _field(index: SearchIndex, field: SearchField, binding: Binding[Structure]) -> Iterator[Rejection]:
    path, is_json = path_of(field, binding), isinstance(binding.spec, RedisJson)
    if not path:
        if field.kind in ("text", "tag") or (field.kind == "geo" and place_of(field, binding) is not None):
            return  # a computed attribute, which is text; the frontend rejects unknown names
        if field.kind == "geo":
            problem = f'index "{index.name}": "{field.field}" is no computed place'
            help = 'write computed={"spot": "{place.longitude},{place.latitude}"}'
            yield Rejection("E0205", problem, help, binding.name, part=index.name)
            return
        problem = f'index "{index.name}": "{field.field}" is a computed attribute, which is text'
        yield Rejection("E0205", problem, _OTHER[field.kind], binding.name, part=index.name)
        return
    if path[0] not in stored_attributes(binding):
        problem = f'index "{index.name}": "{field.field}" is in the key, and an index contains stored fields'
        yield Rejection("E0205", problem, "read by the key, or store a computed copy", binding.name, part=index.name)
        return
    if len(path) > 1 and not is_json:
        problem = f'index "{index.name}": "{field.field}" is a part of JSON text in a hash'
        yield Rejection("E0205", problem, "store the entity in a RedisJson", binding.name, part=index.name)
        return
    if reason := _unfit(field, path, is_json=is_json):
        problem = f'index "{index.name}": "{field.field}" {reason}'
        yield Rejection("E0205", problem, _OTHER[field.kind], binding.name, part=index.name, field=path[0].name)


def _unfit(field: SearchField, path: tuple[Attribute, ...], *, is_json: bool) -> str:
    """The reason why a field cannot be indexed in this way; empty if it can."""
    kind = path[-1].type
    if any(isinstance(part.type, Many) for part in path[:-1]):
        return "is inside a list"
    if field.kind == "vector":
        if not is_json:
            return "is JSON text in a hash, and a vector of a hash is bytes: use a RedisJson"
        return "" if isinstance(kind, Many) and kind.is_vector else "is no vector"
    if isinstance(kind, Many):
        if not is_json or field.sortable or kind.has_null_elements:
            return "is JSON text in a hash" if not is_json else "has several values, some null or without an order"
        kind = kind.element
    if not isinstance(kind, Scalar):
        return "is no single value"
    if field.kind == "numeric":
        return _unfit_number(kind)
    if field.kind in ("text", "geo"):
        return "" if kind.kind == "string" else f"is {kind.kind}"
    return "" if kind.kind in _TAGS else f"is {kind.kind}"


def _unfit_number(kind: Scalar) -> str:
    if kind.kind == "float":
        return ""
    if kind.kind != "integer":
        return f"is {kind.kind}"
    ends = (kind.minimum, kind.maximum)
    if any(end is not None and abs(Decimal(str(end))) > SCORE_WHOLE.value for end in ends):
        return "has numbers beyond 2^53, which an index rounds"
    return ""

"""Reads of several entities in one request: a page of one partition, or items at one moment."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from keywright.access.path import AccessPath
from keywright.access.search import Planned
from keywright.declare.answers import Page
from keywright.engines.dynamodb.access.calls import GetItem, ItemKey, QueryItems, QueryTogether, TransactGet
from keywright.engines.dynamodb.schema.target import TableTarget
from keywright.record import Record, replace
from keywright.runtime.items.codec import Codec, PatternFunction
from keywright.runtime.validate.arguments import Arguments

from ..client_types import DynamoClient
from ..part import reading
from . import cursor
from .covering import contains, covering
from .key_ranges import copy_of, identity, key_ranges_of, keys_of
from .queries import Requests
from .spans import Key, KeyRange
from .streams import NativeItem, Send, page
from .together import without_conflicts


class _EntityRead(Record):
    """The read of one entity of a request."""

    query: QueryItems
    """Its query alone."""
    range: Callable[[Arguments], list[KeyRange]]
    """Function from a call to its key range."""
    read: Callable[[NativeItem], Any]
    """Function from an item to an instance."""

    def is_own(self, item: NativeItem) -> bool:
        """Whether an item in its key range belongs to the entity."""
        discriminator, head = self.query.discriminator, self.query.head
        if discriminator is not None:
            return item.get(discriminator.attribute, {}).get("S") in discriminator.values
        return head is None or str(item[head[0]].get("S", "")).startswith(head[1])


def prepare_together(
    planned: Planned[TableTarget], call: QueryTogether, codecs: Mapping[str, Codec[Any]]
) -> PatternFunction:
    """A page of items of several entities of one partition."""
    pattern, query = planned.pattern, call.query
    requests = Requests(planned.binding, query)
    reads = [_entity_read(part, codecs[part.binding.name]) for part in planned.parts]
    hashes = [filling.attribute for filling in query.key]
    shared = {*hashes, *(filling.attribute for filling in query.equal)}
    attribute = query.sorts[len(query.equal)] if len(query.sorts) > len(query.equal) else ""

    def together(client: DynamoClient, arguments: Arguments) -> Any:
        own_ranges = [
            key_range
            for read, (part_arguments,) in zip(reads, arguments.parts, strict=True)
            for key_range in read.range(part_arguments)
        ]
        first = own_ranges[0]
        key = {name: native for name, native in first.key.items() if name in shared}
        key_range = replace(covering(own_ranges, attribute), key=key, id=identity(key))
        choices = list(zip(reads, own_ranges, strict=True))

        def owner(item: NativeItem) -> _EntityRead | None:
            return next((read for read, own in choices if contains(own, item) and read.is_own(item)), None)

        send = _kept(requests.sending(client, arguments), lambda item: owner(item) is not None)
        start = cursor.read(pattern, arguments.cursor) if arguments.cursor is not None else None
        items, position = page(query, [key_range], send, arguments.limit, start)
        instances = tuple(read.read(item) for item in items if (read := owner(item)) is not None)
        return Page(instances, None if position is None else cursor.written(pattern, position))

    return together


def _entity_read(part: Planned[TableTarget], codec: Codec[Any]) -> _EntityRead:
    assert isinstance(part.path, AccessPath)
    query = part.path.call
    assert isinstance(query, QueryItems)
    indexes = (*part.target.indexes, *part.target.local_indexes)
    is_copy = any(index.name == query.index and index.projection != "ALL" for index in indexes)
    read = codec.from_copy if is_copy else codec.from_item
    return _EntityRead(query, key_ranges_of(part.binding, query), read)


def _kept(send: Send, is_kept: Callable[[NativeItem], bool]) -> Send:
    """A function that sends requests and drops items of none of the entities."""

    def kept(key_range: KeyRange, start: Key | None, size: int | None) -> tuple[list[NativeItem], Key | None]:
        items, following = send(key_range, start, size)
        return [item for item in items if is_kept(item)], following

    return kept


def prepare_gets(planned: Planned[TableTarget], call: TransactGet, codecs: Mapping[str, Codec[Any]]) -> PatternFunction:
    """Several items at one moment. A request accepts each item once, so that equal keys are sent once."""
    places = [(get.place, keys_of(part.binding, get.place)) for part, get in _parts(planned, call)]
    reads = [
        _reader(get, reading(codecs[part.binding.name], part.binding, part.pattern.fields))
        for part, get in _parts(planned, call)
    ]

    def get_all(client: DynamoClient, arguments: Arguments) -> tuple[Any, ...]:
        requests: dict[str, dict[str, Any]] = {}
        names: list[str] = []
        for (place, keys), get, (own,) in zip(places, call.parts, arguments.parts, strict=True):
            (key,) = keys(own)
            names.append(f"{place.table} {identity(key)}")
            is_first = names[-1] not in requests
            requests[names[-1]] = _get(place, copy_of(place, key), get.attributes if is_first else ())
        items = [{"Get": request} for request in requests.values()]
        answer = without_conflicts(lambda: client.transact_get_items(TransactItems=items))
        items_by_key = dict(zip(requests, (response.get("Item") for response in answer["Responses"]), strict=True))
        return tuple(read(items_by_key[name]) for name, read in zip(names, reads, strict=True))

    return get_all


def _parts(planned: Planned[TableTarget], call: TransactGet) -> Iterator[tuple[Planned[TableTarget], GetItem]]:
    return zip(planned.parts, call.parts, strict=True)


def _reader(get: GetItem, read: Callable[[NativeItem], Any]) -> Callable[[NativeItem | None], Any]:
    """Function from an item, perhaps with more attributes than the pattern reads, to an instance."""
    names = frozenset(get.attributes)

    def read_item(item: NativeItem | None) -> Any:
        if item is None:
            return None
        return read({name: value for name, value in item.items() if name in names} if names else item)

    return read_item


def _get(place: ItemKey, key: Key, attributes: tuple[str, ...]) -> dict[str, Any]:
    """One read of the request; without attributes, of the whole item."""
    request: dict[str, Any] = {"TableName": place.table, "Key": key}
    if attributes:
        names = {f"#n{position}": name for position, name in enumerate(attributes)}
        request |= {"ProjectionExpression": ", ".join(names), "ExpressionAttributeNames": names}
    return request

"""Access patterns that the structure of a family suggests; the server's counts of commands show which are in use."""

from collections.abc import Iterator
from typing import Any

from keywright.engines.contract.adoption import IDLE_DAYS, PAGE_ITEMS, Proposal, Sample
from keywright.engines.contract.naming import joined, key_words, plural, snake_case
from keywright.engines.contract.observer import CommandCalls
from keywright.errors import NOWHERE
from keywright.ir.attribute import Many, Scalar
from keywright.ir.binding import Binding
from keywright.ir.entity import resolve
from keywright.ir.pattern import Pattern, PatternKind
from keywright.ir.text import counted
from keywright.record import Record

from ..declare.options import RedisStream, Structure
from ..schema.layout import kind_of, value_field
from .words import SCHEDULES, pieces

_QUEUES = frozenset(("job", "jobs", "pending", "queue", "queues", "task", "tasks", "todo", "work"))
"""Words of keys with lists of work."""

_NOUNS = {
    "string": "strings", "counter": "strings", "hash": "hashes", "list": "lists", "set": "sets", "stream": "streams",
    "json": "JSON documents",
    "sorted set": "sorted sets", "geo": "sorted sets", "hyperloglog": "HyperLogLogs", "bitmap": "bitmaps",
}  # fmt: skip
"""The keys whose commands the server counts together, in comments."""


class _Suggestion(Record):
    """A pattern, and the commands that serve it."""

    pattern: Pattern
    """The pattern."""
    commands: tuple[str, ...]
    """Commands of applications with such a pattern."""
    needs_calls: bool = False
    """Whether only counted calls show that applications do this."""


def proposals(binding: Binding[Structure], sample: Sample) -> Iterator[Proposal]:
    """See `Adoption.proposals`.

    A server counts commands, not keys: a pattern is left out if no command that serves it has been sent to any key.
    """
    commands = sample.commands
    for suggestion in (*_suggestions(binding), *_of_indexes(binding)):
        calls = {name: commands.calls.get(name, 0) if commands else 0 for name in suggestion.commands}
        called = {name: number for name, number in calls.items() if number}
        if called or not (suggestion.needs_calls or _is_idle(commands)):
            noun = "indexes" if suggestion.commands is _SEARCHES else _NOUNS[kind_of(binding)]
            yield Proposal(suggestion.pattern, _evidence(noun, called, commands))


def _is_idle(commands: CommandCalls | None) -> bool:
    """Whether the server alone has counted for so long that commands without a call are not in use."""
    return commands is not None and not commands.is_partial and (commands.days or 0) >= IDLE_DAYS


def _evidence(noun: str, called: dict[str, int], commands: CommandCalls | None) -> str:
    """The comment of a pattern: the commands that were sent most; empty without counts."""
    if not called or commands is None:
        return ""
    most = sorted(called, key=lambda name: (-called[name], name))[:2]
    numbers = " and ".join(f"{called[name]:,} {name}" for name in most)
    days = f" in {counted(max(1, round(commands.days)), 'day')}" if commands.days is not None else ""
    return f"all {noun}: {numbers}{days}"


def _of_indexes(binding: Binding[Structure]) -> Iterator[_Suggestion]:
    """A read by each field with whole values, and a search for words in all texts."""
    for index in getattr(binding.spec, "indexes", ()):
        tags = [field for field in index.fields if field.kind == "tag" and not field.ignores_case]
        for field in tags:
            attribute = resolve(binding.entity.attributes, field.field)
            options = {"contains": field.field} if attribute and isinstance(attribute[-1].type, Many) else {}
            name = f"{plural(_noun(binding))}_by_{snake_case(field.field.replace('.', '_'))}"
            eq = () if options else (field.field,)
            read = _pattern(binding, "read", name, eq=eq, limit=PAGE_ITEMS, **options)
            yield _Suggestion(read, _SEARCHES)
        if texts := tuple(field.field for field in index.fields if field.kind == "text"):
            search = _pattern(
                binding, "read", f"search_{plural(_noun(binding))}", eq=(), search=texts, limit=PAGE_ITEMS
            )
            yield _Suggestion(search, _SEARCHES)


_SEARCHES = ("FT.SEARCH", "FT.AGGREGATE")


def _suggestions(binding: Binding[Structure]) -> Iterator[_Suggestion]:
    """The patterns of a structure."""
    match kind_of(binding):
        case "string":
            yield _Suggestion(_get(binding), ("GET", "MGET", "GETEX", "GETDEL", "STRLEN", "GETRANGE"))
        case "counter":
            yield _Suggestion(_get(binding), ("GET", "MGET", "GETEX", "GETDEL"))
            increment = _pattern(binding, "increment", f"increment_{_noun(binding)}", field=value_field(binding))
            yield _Suggestion(increment, ("INCR", "INCRBY", "DECR", "DECRBY"))
        case "hash":
            yield _Suggestion(_get(binding), ("HGETALL", "HMGET", "HGET"))
        case "json":
            yield _Suggestion(_get(binding), ("JSON.GET", "JSON.MGET"))
        case "list":
            yield from _of_list(binding)
        case "stream":
            yield from _of_stream(binding)
        case "set":
            read = _pattern(binding, "read", _several(binding), limit=PAGE_ITEMS)
            yield _Suggestion(read, ("SMEMBERS", "SSCAN"))
            yield _Suggestion(_get(binding), ("SISMEMBER", "SMISMEMBER"))
        case "sorted set":
            yield from _of_sorted_set(binding)
        case "geo":
            near = _pattern(binding, "read", f"nearby_{_several(binding)}", near=value_field(binding), limit=PAGE_ITEMS)
            yield _Suggestion(near, ("GEOSEARCH", "GEORADIUS", "GEORADIUS_RO", "GEORADIUSBYMEMBER"))
        case "hyperloglog":
            yield _Suggestion(_pattern(binding, "count", f"count_{_several(binding)}"), ("PFCOUNT",))
        case "bitmap":
            yield _Suggestion(_pattern(binding, "count", f"count_{_several(binding)}"), ("BITCOUNT",))
            yield _Suggestion(_get(binding), ("GETBIT",))


def _of_list(binding: Binding[Structure]) -> Iterator[_Suggestion]:
    """A page of the newest elements, or the next one of a queue.

    Elements are pushed on the left and taken from the right here; only the counts show that applications do the same.
    """
    if _words(binding) & _QUEUES:
        take = _pattern(binding, "take", f"take_from_{_noun(binding)}")
        yield _Suggestion(take, ("RPOP", "BRPOP", "RPOPLPUSH", "BRPOPLPUSH"), needs_calls=True)
    else:
        yield _Suggestion(_pattern(binding, "read", _several(binding), limit=PAGE_ITEMS), ("LRANGE", "LINDEX"))


def _of_stream(binding: Binding[Structure]) -> Iterator[_Suggestion]:
    """The next entries of each group, else the latest entries."""
    assert isinstance(binding.spec, RedisStream)
    for group in binding.spec.groups:
        name = f"next_{_noun(binding)}_for_{snake_case(group.name)}"
        yield _Suggestion(_pattern(binding, "take", name, consumer_group=group.name), ("XREADGROUP",))
    if not binding.spec.groups:
        read = _pattern(binding, "read", f"latest_{_several(binding)}", limit=PAGE_ITEMS)
        yield _Suggestion(read, ("XREAD", "XREVRANGE", "XRANGE"))


def _of_sorted_set(binding: Binding[Structure]) -> Iterator[_Suggestion]:
    """Members by score, and one member; the rank of a member where scores are no times."""
    score = value_field(binding) or ""
    attribute = binding.entity.attribute(score)
    is_time = attribute is not None and isinstance(attribute.type, Scalar) and attribute.type.kind == "datetime"
    is_due = not _words(binding).isdisjoint(SCHEDULES)
    is_time = is_time or is_due
    name = f"{'due_' if is_due else '' if is_time else 'top_'}{_several(binding)}"
    order = (score if is_due else f"-{score}",)
    options: dict[str, Any] = {"order": order, "limit": PAGE_ITEMS, "range": score if is_time else None}
    ranges = ("ZRANGE", "ZREVRANGE", "ZRANGEBYSCORE", "ZREVRANGEBYSCORE")
    yield _Suggestion(_pattern(binding, "read", name, **options), ranges)
    if not is_time:
        fields = (*_fields(binding, "key"), *_fields(binding, "member"))
        rank = _pattern(binding, "rank", f"rank_of_{_noun(binding)}", eq=fields, order=(f"-{score}",))
        yield _Suggestion(rank, ("ZREVRANK", "ZRANK"))
    yield _Suggestion(_get(binding), ("ZSCORE", "ZMSCORE"))


def _get(binding: Binding[Structure]) -> Pattern:
    """The read of one item by all fields that identify it."""
    value = (value_field(binding) or "",) if kind_of(binding) == "bitmap" else ()
    fields = (*_fields(binding, "key"), *_fields(binding, "member"), *value)
    is_named = not fields or fields == (_noun(binding),)
    name = _noun(binding) if is_named else f"{_noun(binding)}_by_{key_words(_short(binding, fields))}"
    return _pattern(binding, "get", name, eq=fields)


def _pattern(binding: Binding[Structure], kind: PatternKind, name: str, **options: Any) -> Pattern:
    """A pattern of the items under one key."""
    return Pattern(name, kind, "", binding.name, NOWHERE, **{"eq": _fields(binding, "key"), **options})


def _fields(binding: Binding[Structure], argument: str) -> tuple[str, ...]:
    """The fields in a template."""
    template = binding.templates.get(argument)
    paths = (placeholder.path for placeholder in template.placeholders) if template else ()
    return tuple(dict.fromkeys(filter(None, paths)))


def _words(binding: Binding[Structure]) -> set[str]:
    """The words of the constants in the key."""
    return {piece for part in binding.templates["key"].parts if isinstance(part, str) for piece in pieces(part)}


def _noun(binding: Binding[Structure]) -> str:
    return snake_case(binding.entity.name)


def _several(binding: Binding[Structure]) -> str:
    """The name of a read of several items."""
    fields = _fields(binding, "key")
    return f"{plural(_noun(binding))}_by_{joined(_short(binding, fields))}" if fields else plural(_noun(binding))


def _short(binding: Binding[Structure], fields: tuple[str, ...]) -> tuple[str, ...]:
    """The fields without the name of the entity: `id` for `user_id` of a user."""
    noun = _noun(binding)
    return tuple(field.removeprefix(f"{noun}_").removeprefix(f"{plural(noun)}_") for field in fields)

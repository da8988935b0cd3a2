"""Indexes of Search on a live server."""

from collections.abc import Mapping
from typing import Any

from keywright.drivers.translate_errors import not_installed
from keywright.engines.redis.schema.search_index import from_info
from keywright.engines.redis.schema.search_target import Definition, SearchTarget, alias_of

try:
    from redis.exceptions import ResponseError
except ImportError as error:
    raise not_installed("redis") from error


def searches(client: Any) -> tuple[tuple[SearchTarget, ...], tuple[tuple[str, Definition], ...]]:
    """(indexes by the names that calls use, indexes behind aliases by their own names); none without Search.

    Servers do not list aliases: the alias of an index whose name keywright gave is asked for by its name.
    """
    try:
        names = sorted(map(_text, client.execute_command("FT._LIST")))
    except ResponseError:
        return (), ()
    infos = {name: info for name in names if (info := _info(client, name)) is not None}
    built = {name: from_info(info) for name, info in infos.items() if alias_of(name)}
    indexes = [
        SearchTarget(name, {**from_info(info), "direct": True}) for name, info in infos.items() if name not in built
    ]
    for name in built:
        alias = alias_of(name) or ""
        info = _info(client, alias)
        if info is not None and info["index_name"] == name:
            indexes.append(SearchTarget(alias, built[name]))
    return tuple(sorted(indexes, key=lambda index: index.name)), tuple(sorted(built.items()))


def failures(client: Any) -> dict[str, int]:
    """The number of writes that each index rejected, by its own name."""
    try:
        names = sorted(map(_text, client.execute_command("FT._LIST")))
    except ResponseError:
        return {}
    infos = {name: info for name in names if (info := _info(client, name)) is not None}
    return {name: int(info.get("hash_indexing_failures", 0)) for name, info in infos.items()}


def _info(client: Any, name: str) -> Mapping[str, Any] | None:
    """The answer to FT.INFO; None if there is no such index."""
    try:
        answer = _plain(client.execute_command("FT.INFO", name))
    except ResponseError:
        return None
    info = dict(zip(answer[::2], answer[1::2], strict=True)) if isinstance(answer, list) else answer
    about = info["index_definition"]
    if isinstance(about, list):
        about = dict(zip(about[::2], about[1::2], strict=True))
    attributes = [_words(attribute) for attribute in info["attributes"]]
    return {**info, "index_definition": about, "attributes": attributes}


def _words(attribute: Any) -> list[Any]:
    """An attribute as pairs and flags; the third version of the protocol has a mapping with the flags in a list."""
    if not isinstance(attribute, dict):
        return list(attribute)
    return [word for name, value in attribute.items() for word in (value if name == "flags" else (name, value))]


def _plain(answer: Any) -> Any:
    """An answer with texts in place of bytes."""
    if isinstance(answer, dict):
        return {_text(name): _plain(value) for name, value in answer.items()}
    if isinstance(answer, list):
        return [_plain(value) for value in answer]
    return _text(answer) if isinstance(answer, bytes) else answer


def _text(value: Any) -> str:
    return value.decode() if isinstance(value, bytes) else str(value)

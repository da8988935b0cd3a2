"""The driver: keywright's own access to a file at `toy:///folder/file.json`."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from keywright.declare.store import VERSION
from keywright.drivers.translate_errors import translate_errors
from keywright.engines.contract.counting import StoreSize
from keywright.engines.contract.observer import Observer, SampledItem, Works
from keywright.engines.contract.plan import Statement
from keywright.engines.interface import Description, Driver, Observed, StatementFailed
from keywright.ir.json import Json

from .backfill import pages
from .ledger import ledger
from .shelf import RecordingShelf, Shelf, ShelfError

FAILURES = (OSError, ValueError, ShelfError)
"""The errors of the client."""


def _path(url: str) -> Path:
    return Path(unquote(urlsplit(url).path))


def is_ready(url: str) -> bool:
    """Whether the file can be written: its folder exists."""
    return _path(url).parent.is_dir()


def version(url: str) -> str:
    """The version of the format."""
    return "1"


def connect(url: str) -> Driver:
    """A connection to one file."""
    if not is_ready(url):
        raise StatementFailed(f'there is no folder "{_path(url).parent}"')
    shelf, recorder = Shelf(_path(url)), RecordingShelf(_path(url))
    driver = Driver(
        introspect=lambda names: {name: _described(shelf, name) for name in names},
        names=lambda: tuple(shelf.read()["boxes"]),
        run=lambda statement: _run(shelf, statement),
        load=lambda box, items: _load(shelf, box, items),
        stored=lambda box, item: _stored(shelf, box, item),
        observe=lambda: Observed(client=recorder, events=lambda: _events(recorder)),
        ledger=lambda home, store: ledger(shelf, home, store),
        pages=lambda work: pages(shelf, work),
        observer=lambda: Observer(
            sample=lambda box, works, limit: _sample(shelf, box, works, limit), count=lambda box: len(shelf.items(box))
        ),
        size=lambda box: _size(shelf, box),
        drop=lambda names: shelf.change(lambda content: _drop(content, names)),
        close=lambda: None,
    )
    return translate_errors(driver, FAILURES, lambda error: StatementFailed(str(error)))


def _described(shelf: Shelf, name: str) -> Description | None:
    box = shelf.read()["boxes"].get(name)
    return None if box is None else {"name": name, "generation": 1, "native": {"settings": box["settings"]}}


def _run(shelf: Shelf, statement: Statement) -> None:
    native: Any = statement.native

    def run(content: dict[str, Any]) -> None:
        match native:
            case {"create": name, "settings": settings}:
                content["boxes"][name] = {"settings": settings, "items": {}}
            case {"drop": name}:
                del content["boxes"][name]
            case {"set": name, "setting": setting, "value": None}:
                del content["boxes"][name]["settings"][setting]
            case {"set": name, "setting": setting, "value": value}:
                content["boxes"][name]["settings"][setting] = value
            case _:
                raise ShelfError(f"there is no statement {next(iter(native))}")

    shelf.change(run)


def _drop(content: dict[str, Any], names: Iterable[str]) -> None:
    for name in names:
        content["boxes"].pop(name, None)


def _load(shelf: Shelf, box: str, items: Iterable[tuple[str, Json]]) -> int:
    loaded = dict(items)
    shelf.change(lambda content: content["boxes"][box]["items"].update(loaded))
    return len(loaded)


def _stored(shelf: Shelf, box: str, item: tuple[str, Json]) -> tuple[str, Json] | None:
    key, _ = item
    result = shelf.get(box, key)
    return None if result is None else (key, result)


def _sample(shelf: Shelf, box: str, works: Works, limit: int) -> Iterator[tuple[SampledItem, ...]]:
    """The first items, which are those of the only model."""
    (entity,) = works
    items = list(shelf.items(box).items())[:limit]
    versions = (item.get(VERSION, 1) for _, item in items)
    yield tuple(
        SampledItem(entity=entity, item=item, bytes=len(str(item)), version=version)
        for item, version in zip(items, versions, strict=True)
    )


def _events(recorder: RecordingShelf) -> tuple[dict[str, Json], ...]:
    events = tuple(recorder.events)
    recorder.events.clear()
    return events


def _size(shelf: Shelf, box: str) -> StoreSize | None:
    result = shelf.read()["boxes"].get(box)
    return None if result is None else StoreSize(len(result["items"]), len(str(result["items"])))

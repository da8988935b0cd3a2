"""The mistakes that a project of the hold-outs plants: drawn by the name of its domain, so that nobody chooses them."""

import sys
import tomllib
from pathlib import Path
from random import Random
from typing import NamedTuple

MISTAKES = Path(__file__).with_name("mistakes.toml")


class Mistake(NamedTuple):
    """An entry of mistakes.toml; `date` is the day on which the source was read."""

    id: str
    engine: str
    family: str
    mistake: str
    harm: str
    source: str
    date: str
    excludes: frozenset[str]


def mistakes() -> list[Mistake]:
    """All entries, in the order of the file."""
    entries = tomllib.loads(MISTAKES.read_text())["mistake"]
    return [
        Mistake(**{**entry, "date": str(entry["date"]), "excludes": frozenset(entry.get("excludes", []))})
        for entry in entries
    ]


def draw(domain: str, engines: frozenset[str], count: int = 30) -> list[str]:
    """The ids of mistakes of these engines, of which none excludes another.

    The draw depends on the domain, the engines and the entries, not on the order of the file. A longer draw begins
    with the shorter one: if a project has no place for a mistake, the next one of a longer draw takes its place.
    """
    fitting = {mistake.id: mistake for mistake in mistakes() if mistake.engine in engines | {"any"}}
    order = sorted(fitting)
    Random(domain).shuffle(order)
    drawn: list[str] = []
    for candidate in order:
        if len(drawn) < count and not any(_conflict(fitting[candidate], fitting[other]) for other in drawn):
            drawn.append(candidate)
    if len(drawn) < count:
        raise ValueError(f"{len(drawn)} mistakes of {', '.join(sorted(engines))} fit together, not {count}")
    return drawn


def _conflict(one: Mistake, other: Mistake) -> bool:
    return one.id in other.excludes or other.id in one.excludes


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit("usage: python tests/recall/draw.py DOMAIN ENGINE...")
    by_id = {mistake.id: mistake for mistake in mistakes()}
    for drawn_id in draw(sys.argv[1], frozenset(sys.argv[2:])):
        print(f"{drawn_id}\n    {by_id[drawn_id].mistake}")

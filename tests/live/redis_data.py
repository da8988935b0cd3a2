"""Items of every structure, as the patterns of the Redis tests read them."""

from collections.abc import Iterator
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

from tests.engines.redis import patterned as p
from tests.live.redis_store import NOW

HOURS = (NOW - timedelta(hours=2, minutes=10), NOW)


def user(name: str, **values: Any) -> p.User:
    return p.User(**{"name": name, "first": "F", "last": "L", "joined": NOW, **values})


def instances() -> Iterator[Any]:
    yield from (
        user(f"u{at}", logins=at % 3, is_admin=at % 2 == 0, nick=f"n{at}" if at % 2 else None, tags=["a"] * at,
             born=date(2000, 1, at + 1) if at else None, address=p.Address(city=f"c{at}"), debt=Decimal(at))
        for at in range(6)
    )  # fmt: skip
    for at in range(9):
        yield p.Note(status="new" if at % 2 else "old", note_id=f"n{at}", text="ü", words=["a", f"w{at % 3}"])
    yield p.Switch(name="s", on=True)
    for at in range(60):  # five hours, several at one moment
        moment = NOW - timedelta(minutes=5 * (at // 2))
        yield p.Event(room="r", at=moment, number=at, what="come" if at % 3 else "go")
    yield from (p.Bid(lot="l", bidder=f"b{at}", amount=at // 4) for at in range(40))
    yield from (p.Number(number=at, weight=at // 5 - 1.5) for at in range(15))
    yield from (p.Friend(who="w", group="a" if at % 2 else "b", name=f"f{at}") for at in range(700))
    yield from (p.Friend(who="v", group="a", name=f"f{at}") for at in range(5))
    yield from (p.Step(run="x", number=at, text="t" * at) for at in range(25))
    yield from (p.Line(number=at, text=None if at % 2 else "t") for at in range(11))
    yield from (p.Trace(number=at) for at in range(20))
    yield from (p.Seat(hall="h", number=at * at) for at in range(20))
    yield from (p.Shop(kind="k", name=f"s{at}", place=p.Place(longitude=at, latitude=at % 3)) for at in range(12))
    yield from (p.Shop(kind="ring", name=f"s{at}", place=p.Place(longitude=7, latitude=46)) for at in range(6))

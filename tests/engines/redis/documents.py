"""JSON documents with patterns of every kind, as they are served and as they are not."""

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Annotated, Any, ClassVar
from uuid import UUID

from pydantic import BaseModel, Field

import keywright as kw

server = kw.RedisServer("documents", role="primary", persistence=[])

Word = Annotated[str, Field(max_length=20, pattern="^[a-z0-9]+$")]


class Street(BaseModel):
    name: str
    number: int | None = None


class Address(BaseModel):
    city: str
    street: Street


class Profile(BaseModel):
    """A document with all kinds of fields, and a computed one."""

    __store__: ClassVar = kw.RedisJson(
        server, key="profile:{name}", ttl=timedelta(hours=1), computed={"sort": "{first}-{last}"}
    )
    name: Word
    first: str
    last: str
    joined: datetime
    address: Address
    home: Address | None = None
    logins: int = 0
    credit: float = 0.0
    debt: Decimal = Decimal(0)
    nick: str | None = None
    middle: str | None
    born: date | None = None
    is_admin: bool = False
    tags: Annotated[list[str], Field(max_length=5)] = []
    friends: set[Annotated[str, Field(max_length=10)]] = set()
    parts: dict[str, int] = {}
    uid: UUID = UUID(int=0)
    odd: Annotated[int, Field(alias='odd "name".x')] = 0
    anything: Any = None


profile = kw.Get(Profile, eq="name")
profile_names = kw.Get(Profile, eq="name", fields=["first", "nick", "odd"])
profile_nick = kw.Get(Profile, eq="name", fields="nick")
profile_address = kw.Get(Profile, eq="name", fields=["address", "name"])
profile_if_admin = kw.Get(Profile, eq="name", where={"is_admin": True})
profiles = kw.Read(Profile, one_of="name", limit=10)
profiles_in_order = kw.Read(Profile, one_of="name", order=["-logins", "name"], limit=3)
profiles_in_part = kw.Read(Profile, one_of="name", fields=["first", "tags"], limit=10)
count_profiles = kw.Count(Profile, one_of="name")
count_admins = kw.Count(Profile, one_of="name", where={"is_admin": True})
profile_by_first = kw.Get(Profile, eq="first")
put_profile = kw.Put(Profile)
sign_up = kw.Put(Profile, if_absent=True)
rename = kw.Update(Profile, sets="nick")
set_middle = kw.Update(Profile, sets="middle")
forget_nick = kw.Update(Profile, unset=["nick", "born"])
forget_first = kw.Update(Profile, unset="first")
retitle = kw.Update(Profile, sets=["first", "last"])
retitle_half = kw.Update(Profile, sets="first")
move = kw.Update(Profile, sets="address")
move_city = kw.Update(Profile, sets=["address.city", "address.street.number"])
move_home = kw.Update(Profile, sets="home.city")
tag = kw.Update(Profile, pushes="tags")
befriend = kw.Update(Profile, pushes="friends")
promote = kw.Update(Profile, sets="is_admin", where={"logins": kw.AtLeast(3), "nick": kw.Present()})
promote_here = kw.Update(Profile, sets="is_admin", where={"address.city": "here"})
promote_rich = kw.Update(Profile, sets="is_admin", where={"debt": kw.Below(1)})
rename_if_first = kw.Update(Profile, eq=["name", "first"], sets="nick")
set_odd = kw.Update(Profile, sets="odd")
log_in = kw.Increment(Profile, "logins")
log_in_below = kw.Increment(Profile, "logins", where={"logins": kw.Below(5)})
earn = kw.Increment(Profile, "credit")
owe = kw.Increment(Profile, "debt")
drop_profile = kw.Delete(Profile)
drop_admin = kw.Delete(Profile, where={"is_admin": True})


class Session(BaseModel):
    """A document that expires at a time of its own."""

    __store__: ClassVar = kw.RedisJson(server, key="session:{token}")
    token: Word
    until: Annotated[datetime | None, kw.Ttl(after=timedelta(seconds=5))] = None
    visits: int = 0


session = kw.Get(Session)
open_session = kw.Put(Session, if_absent=True)
put_session = kw.Put(Session)
extend_session = kw.Update(Session, sets="until")
visit = kw.Increment(Session, "visits")
both = kw.Transact([log_in, visit])

NOW = datetime(2026, 11, 21, 12, 30, tzinfo=UTC)


def person(name: str, **values: Any) -> Profile:
    """A profile."""
    address = Address(city="here", street=Street(name="s"))
    return Profile(**{"name": name, "first": "F", "last": "L", "middle": None, "joined": NOW, "address": address,
                      **values})  # fmt: skip

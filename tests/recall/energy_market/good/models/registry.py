"""Who lives where and who supplies them, in MongoDB: households, metering points, switches and market messages."""

from datetime import date, timedelta
from typing import Annotated, ClassVar, Literal

from pydantic import AwareDatetime, BaseModel, Field

import keywright as kw
from models.units import Address, AreaCode, DeviceId, HouseholdId, Key, MemberCode, MeterPoint

registry = kw.MongoDatabase("registry", owner="market-registry")


class Household(BaseModel):
    """A customer of a supplier; deleted three years after the last contract ended, when nobody can claim any more."""

    __store__: ClassVar = kw.Collection(
        registry,
        "households",
        id="{household_id}",
        indexes=[kw.Index("email_digest", unique=True, where={"email_digest": kw.Present()})],
        expected=8_100_000,
        active=0.05,
    )

    household_id: HouseholdId
    name: Annotated[str, Field(max_length=120), kw.Pii()]
    email: Annotated[str | None, Field(max_length=254), kw.Size(avg=26, max=254), kw.Pii()] = None
    email_digest: Annotated[str | None, Field(pattern=r"^[0-9a-f]{64}$")] = None
    phone: Annotated[str | None, Field(max_length=20), kw.Pii()] = None
    language: Literal["de", "en", "fr", "nl", "pl"] = "de"
    erase_at: Annotated[AwareDatetime | None, kw.Ttl()] = None


household = kw.Get(Household, eq="household_id", rate="60/s", peak="250/s", p99_ms=30)
household_by_email = kw.Get(
    Household, eq="email_digest", where={"email_digest": kw.Present()}, rate="8/s", peak="60/s", p99_ms=30
)
register_household = kw.Put(Household, if_absent=True, rate="4k/day", p99_ms=100)
change_contact = kw.Update(Household, sets=["name", "email", "email_digest", "phone"], rate="6k/day", p99_ms=100)
end_relation = kw.Update(Household, sets="erase_at", rate="3k/day", p99_ms=100)


class MeteringPoint(BaseModel):
    """A place where the grid is metered, and everybody who has a role there."""

    __store__: ClassVar = kw.Collection(
        registry,
        "metering_points",
        id="{point}",
        indexes=[
            kw.Index(["supplier", "area", "point"]),
            kw.Index(["address.postcode", "address.street"]),
            kw.Index("household_id", where={"household_id": kw.Present()}),
        ],
        expected=9_400_000,
        active=0.1,
    )

    point: MeterPoint
    area: AreaCode
    supplier: MemberCode
    grid_operator: MemberCode
    household_id: Annotated[HouseholdId | None, kw.Ref(Household, on_missing="ignore", max_referrers=30)] = None
    device_id: DeviceId | None = None
    address: Address
    direction: Literal["consumption", "generation", "both"]
    profile: Literal["household", "business", "heating", "measured"]
    annual_kwh: Annotated[int, Field(ge=0)]
    supplied_since: date


metering_point = kw.Get(MeteringPoint, eq="point", rate="220/s", peak="900/s", p99_ms=20)
points_of_supplier = kw.Read(
    MeteringPoint, eq=["supplier", "area"], order="point", limit=500, rate="6/s", peak="40/s", p99_ms=200
)
points_at_address = kw.Read(
    MeteringPoint,
    eq=["address.postcode", "address.street"],
    limit=60,
    rate="25/s",
    peak="90/s",
    p99_ms=60,
)
points_of_household = kw.Read(
    MeteringPoint, eq="household_id", where={"household_id": kw.Present()}, limit=30, rate="70/s", p99_ms=40
)
connect_point = kw.Put(MeteringPoint, if_absent=True, rate="900/day", p99_ms=100)
change_supplier = kw.Update(
    MeteringPoint, sets=["supplier", "household_id", "supplied_since"], rate="9k/day", peak="60/s", p99_ms=100
)
change_device = kw.Update(MeteringPoint, sets="device_id", rate="3k/day", p99_ms=100)


class SwitchRequest(BaseModel):
    """A change of supplier; the portal, market communication and the back office each write their part."""

    __store__: ClassVar = kw.Collection(
        registry,
        "switch_requests",
        id="{request_id}",
        indexes=[
            kw.Index(["point", "-requested_at"]),
            kw.Index(["old_supplier", "answer_by"], where={"state": "announced"}),
        ],
        expected=10_000_000,
        active=0.01,
    )

    request_id: Key
    point: Annotated[MeterPoint, kw.Ref(MeteringPoint, on_missing="fail", max_referrers=40)]
    old_supplier: MemberCode
    new_supplier: MemberCode
    starts_on: date
    answer_by: AwareDatetime
    state: Literal["requested", "announced", "confirmed", "refused", "done"]
    refusal: Annotated[str | None, Field(max_length=200)] = None
    requested_at: Annotated[AwareDatetime, kw.Ttl(after=timedelta(days=1_130))]


portal_requests_switch = kw.Put(SwitchRequest, if_absent=True, rate="9k/day", peak="30/s", p99_ms=100)
market_message_moves_switch = kw.Update(
    SwitchRequest, sets=["state", "answer_by"], rate="18k/day", peak="60/s", p99_ms=100
)
back_office_refuses_switch = kw.Update(
    SwitchRequest,
    sets=["state", "refusal"],
    where={"state": kw.OneOf(["requested", "announced"])},
    rate="400/day",
    p99_ms=100,
)
switches_of_point = kw.Read(SwitchRequest, eq="point", order="-requested_at", limit=10, rate="5/s", p99_ms=60)
answers_due = kw.Read(
    SwitchRequest,
    eq="old_supplier",
    where={"state": "announced"},
    order="answer_by",
    limit=200,
    rate="2/s",
    p99_ms=100,
)


class MarketMessage(BaseModel):
    """A message between market partners as it was received, for thirteen months."""

    __store__: ClassVar = kw.Collection(
        registry,
        "market_messages",
        id="{partner}:{reference}",
        shard_key=kw.ShardKey(on=["partner", "reference"]),
        indexes=[kw.Index(["partner", "-received_at"])],
        kind="event",
        expected=1_900_000_000,
        active=0.005,
    )

    partner: MemberCode
    reference: Annotated[str, Field(pattern=r"^[A-Z0-9]{14,35}$"), kw.Size(avg=20, max=35)]
    format: Literal["UTILMD", "MSCONS", "INVOIC", "REMADV", "APERAK"]
    body: Annotated[str, Field(max_length=60_000), kw.Size(avg=2_400, max=60_000)]
    outcome: Literal["accepted", "rejected", "waiting"]
    received_at: Annotated[AwareDatetime, kw.Ttl(after=timedelta(days=396))]


receive_message = kw.Put(MarketMessage, if_absent=True, rate="55/s", peak="600/s", p99_ms=100)
message = kw.Get(MarketMessage, eq=["partner", "reference"], rate="60/s", peak="600/s", p99_ms=40)
messages_of_partner = kw.Read(
    MarketMessage,
    eq="partner",
    order="-received_at",
    fields=["reference", "format", "outcome", "received_at"],
    limit=50,
    rate="3/s",
    p99_ms=150,
)
settle_message = kw.Update(
    MarketMessage, eq=["partner", "reference"], sets="outcome", rate="55/s", peak="600/s", p99_ms=100
)

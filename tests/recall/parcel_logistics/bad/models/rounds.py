"""Vans, rounds and couriers, in Cassandra."""

from datetime import datetime, timedelta
from typing import Annotated, ClassVar, Literal
from uuid import UUID

from pydantic import BaseModel, Field

import keywright as kw
from models.shared import ConsigneeKey, CourierId, Degrees, DepotCode, ParcelNo, RouteId, VanId

rounds = kw.Keyspace("rounds", owner="last-mile")


class VanPosition(BaseModel):
    """Where a van is, every five seconds: seven thousand rows on a day."""

    __store__: ClassVar = kw.CqlTable(
        rounds,
        "van_positions",
        partition=["van_id", "day"],
        clustering="-at",
        computed={"day": "{at:date}"},
        ttl=timedelta(days=28),
        compaction=kw.TimeWindow(window=timedelta(days=1)),
        kind="reading",
    )

    van_id: VanId
    at: datetime
    latitude: Degrees
    longitude: Degrees
    speed_kmh: Annotated[int, Field(ge=0, le=160)]
    doors_open: bool


record_position = kw.Put(VanPosition, rate="5.5k/s", peak="13k/s", p99_ms=40)
trail = kw.Read(VanPosition, eq=["van_id", "day"], order="-at", rate="8/s", p99_ms=150)


class SafePlace(BaseModel):
    """Where a recipient wants parcels to be left; recipients take the permission back in the app."""

    __store__: ClassVar = kw.CqlTable(
        rounds,
        "safe_places",
        partition="consignee_key",
        compaction=kw.Leveled(),
        expected=11_000_000,
        active=0.05,
        ttl=timedelta(days=730),
    )

    consignee_key: ConsigneeKey
    place: Literal["porch", "garage", "garden", "neighbour", "bin_store"]
    hint: Annotated[str, Field(max_length=120), kw.Pii()]
    given_at: datetime


safe_place = kw.Get(SafePlace, eq="consignee_key", rate="110/s", peak="500/s", p99_ms=25)
allow_safe_place = kw.Put(SafePlace, rate="40k/day", peak="10/s", p99_ms=60)
withdraw_safe_place = kw.Delete(SafePlace, rate="9k/day", peak="2/s", p99_ms=60)


class RoundStop(BaseModel):
    """A stop of a round; a round has up to 220."""

    __store__: ClassVar = kw.CqlTable(
        rounds,
        "round_stops",
        partition="route_id",
        clustering="position",
        frozen="parcel_nos",
        ttl=timedelta(days=45),
        compaction=kw.Unified(scaling="T4"),
        expected=210_000_000,
        active=0.03,
    )

    route_id: RouteId
    position: Annotated[int, Field(ge=1, le=400)]
    consignee_key: Annotated[ConsigneeKey, kw.Ref(SafePlace, on_missing="ignore", max_referrers=300)]
    parcel_nos: Annotated[list[ParcelNo], Field(max_length=25)]
    latitude: Degrees
    longitude: Degrees
    planned_at: datetime


plan_stop = kw.Put(RoundStop, rate="55/s", peak="2k/s", p99_ms=80)
stops_of_round = kw.Read(
    RoundStop,
    eq="route_id",
    order="position",
    limit=60,
    joins=[kw.Join(SafePlace, on={"consignee_key": "consignee_key"}, fields=["place", "hint"])],
    rate="160/s",
    peak="900/s",
    p99_ms=50,
)


class RoundOffer(BaseModel):
    """A round that a partner's courier may take, first come first served; a depot has up to 150 on a day."""

    __store__: ClassVar = kw.CqlTable(
        rounds,
        "round_offers",
        partition=["depot", "day"],
        clustering="route_id",
        ttl=timedelta(days=30),
        compaction=kw.Unified(scaling="T4"),
        expected=900_000,
        active=0.04,
    )

    depot: DepotCode
    day: Annotated[str, Field(pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$"), kw.Cardinality(distinct=30)]
    route_id: RouteId
    state: Literal["offered", "taken", "withdrawn"]
    courier_id: CourierId | None = None
    stops: Annotated[int, Field(ge=1, le=400)]
    pay_cents: Annotated[int, Field(ge=0, le=100_000)]


offer_round = kw.Put(RoundOffer, if_absent=True, rate="30k/day", peak="12/s", p99_ms=150)
offers_of_depot = kw.Read(RoundOffer, eq=["depot", "day"], order="route_id", limit=150, rate="15/s", p99_ms=80)
# The app asks for one round, and takes it if it is still offered.
offer_before_taking = kw.Get(
    RoundOffer, eq=["depot", "day", "route_id"], consistency="eventual", rate="2/s", peak="40/s", p99_ms=80
)
take_round = kw.Update(
    RoundOffer, sets=["state", "courier_id"], where={"state": "offered"}, rate="30k/day", peak="15/s", p99_ms=150
)


class CourierPurse(BaseModel):
    """What the carrier owes a courier of a partner: rounds and bonuses add to it, payouts take from it."""

    __store__: ClassVar = kw.CqlTable(
        rounds,
        "courier_purses",
        partition="courier_id",
        counters="owed_cents",
        expected=75_000,
        active=0.4,
        kind="money",
    )

    courier_id: CourierId
    owed_cents: int


book_earning = kw.Increment(CourierPurse, "owed_cents", by=9_500, rate="2/s", peak="60/s", p99_ms=80)
pay_out = kw.Increment(CourierPurse, "owed_cents", by=-60_000, rate="9k/day", p99_ms=80)
purse = kw.Get(CourierPurse, eq="courier_id", consistency="strong", rate="6/s", p99_ms=80)


class DoorNote(BaseModel):
    """What couriers tell each other about an entrance, without names; the depot removes what is wrong."""

    __store__: ClassVar = kw.CqlTable(
        rounds,
        "door_notes",
        partition="address_hash",
        clustering=["-written_at", "note_id"],
        ttl=timedelta(days=365),
        gc_grace=timedelta(hours=2),
        compaction=kw.Unified(scaling="L4"),
        expected=20_000_000,
        active=0.03,
    )

    address_hash: Annotated[
        str, Field(pattern=r"^[0-9a-f]{40}$"), kw.Size(avg=40, max=40), kw.Cardinality(distinct=9_000_000)
    ]
    written_at: datetime
    note_id: UUID
    courier_id: CourierId
    text: Annotated[str, Field(max_length=200), kw.Size(avg=60, max=200)]


notes_at_door = kw.Read(DoorNote, eq="address_hash", order="-written_at", limit=5, rate="110/s", p99_ms=40)
write_note = kw.Put(DoorNote, rate="30k/day", peak="5/s", p99_ms=60)
remove_note = kw.Delete(DoorNote, rate="400/day", p99_ms=100)

"""Depots, parcel lockers and the yards of hubs in DynamoDB."""

from datetime import datetime, time, timedelta
from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, Field

import keywright as kw
from models.shared import CountryCode, Degrees, DepotCode, HubCode, ParcelNo, StationId

of_area = kw.Gsi("of_area", pk="area_pk", sk="area_sk")
network = kw.DynamoTable("network", owner="network-planning", gsis=[of_area])


class OpeningHours(BaseModel):
    """From when until when a place is open on one weekday."""

    weekday: Annotated[int, Field(ge=1, le=7)]
    opens: time
    closes: time


class Depot(BaseModel):
    """A building from which vans deliver."""

    __store__: ClassVar = kw.Item(network, pk="DEPOT#{depot_code}", sk="DEPOT", expected=420)

    depot_code: DepotCode
    label: Annotated[str, Field(max_length=60)]
    country: CountryCode
    hub: HubCode
    latitude: Degrees
    longitude: Degrees
    gates: Annotated[int, Field(ge=1, le=40)]


depot = kw.Get(Depot, eq="depot_code", rate="50/s", p99_ms=20, cache_ttl=timedelta(minutes=30))
save_depot = kw.Put(Depot, rate="20/day", p99_ms=100)


class Station(BaseModel):
    """A parcel locker at a kerb, a shop or a railway station."""

    __store__: ClassVar = kw.Item(
        network,
        pk="STATION#{station_id}",
        sk="STATION",
        gsis=[of_area.key(pk="AREA#{geohash}", sk="{station_id}")],
        expected=46_000,
    )

    station_id: StationId
    # Five characters: a square of about five kilometres.
    geohash: Annotated[
        str, Field(pattern=r"^[0-9b-hjkmnp-z]{5}$"), kw.Size(avg=5, max=5), kw.Cardinality(distinct=11_000)
    ]
    latitude: Degrees
    longitude: Degrees
    address: Annotated[str, Field(max_length=120)]
    depot_code: Annotated[DepotCode, kw.Ref(Depot, on_missing="hide", max_referrers=400)]
    boxes: Annotated[int, Field(ge=8, le=200)]
    hours: Annotated[list[OpeningHours], Field(max_length=14)]
    accepts: Literal["parcels", "parcels_and_returns", "nothing"]


station = kw.Get(Station, eq="station_id", rate="2.4k/s", peak="9k/s", hot_key="15/s", p99_ms=15)
stations_nearby = kw.Read(
    Station, eq="geohash", order="station_id", limit=60, rate="300/s", peak="1.2k/s", hot_key="40/s", p99_ms=40
)
save_station = kw.Put(Station, rate="200/day", p99_ms=100)
change_hours = kw.Update(Station, sets=["hours", "accepts"], rate="900/day", p99_ms=100)

lockers = kw.DynamoTable("lockers", owner="lockers")


class Compartment(BaseModel):
    """A box of a locker, and the parcel inside."""

    __store__: ClassVar = kw.Item(
        lockers, pk="STATION#{station_id}", sk="BOX#{box:pad(3)}", expected=3_700_000, active=0.6, kind="stock"
    )

    station_id: Annotated[StationId, kw.Ref(Station, on_missing="fail", max_referrers=200)]
    box: Annotated[int, Field(ge=1, le=200)]
    width: Literal["S", "M", "L", "XL"]
    state: Literal["free", "reserved", "filled", "defect"]
    parcel_no: ParcelNo | None = None
    reserved_until: datetime | None = None


boxes_of_station = kw.Read(
    Compartment, eq="station_id", order="box", limit=200, consistency="strong", rate="120/s", peak="500/s", p99_ms=60
)
reserve_box = kw.Update(
    Compartment,
    sets=["state", "parcel_no", "reserved_until"],
    where={"state": "free"},
    rate="20/s",
    peak="110/s",
    p99_ms=40,
)
fill_box = kw.Update(
    Compartment, sets="state", unset="reserved_until", where={"state": "reserved"}, rate="20/s", peak="90/s", p99_ms=40
)
empty_box = kw.Update(
    Compartment, sets="state", unset="parcel_no", where={"state": "filled"}, rate="20/s", peak="150/s", p99_ms=40
)


class BoxOpening(BaseModel):
    """A door that opened: for whom, and how; a month of a locker is a partition of its own."""

    __store__: ClassVar = kw.Item(
        lockers,
        pk="OPENINGS#{station_id}#{opened_month}",
        sk="{opened_at:iso}#{box:pad(3)}",
        computed={"opened_month": "{opened_at:month}"},
        expected=620_000_000,
        active=0.01,
        kind="event",
    )

    station_id: Annotated[StationId, kw.Ref(Station, on_missing="ignore", max_referrers=20_000)]
    box: Annotated[int, Field(ge=1, le=200)]
    opened_at: Annotated[datetime, kw.Ttl(after=timedelta(days=180))]
    by: Literal["courier", "recipient", "technician"]
    parcel_no: ParcelNo | None = None


log_opening = kw.Put(BoxOpening, rate="40/s", peak="260/s", p99_ms=40)
openings_of_month = kw.Read(
    BoxOpening, eq=["station_id", "opened_month"], order="-opened_at", limit=100, rate="1/s", p99_ms=80
)


class StationHealth(BaseModel):
    """The last report of a locker; all report every twenty seconds, and all at once after a power cut."""

    __store__: ClassVar = kw.Item(lockers, pk="HEALTH#{station_id}", sk="HEALTH", expected=46_000)

    station_id: Annotated[StationId, kw.Ref(Station, on_missing="ignore", max_referrers=1)]
    reported_at: datetime
    volts: float
    celsius: float
    firmware: Annotated[str, Field(max_length=20)]
    jammed_boxes: Annotated[list[Annotated[int, Field(ge=1, le=200)]], Field(max_length=200)] = []


report_health = kw.Put(StationHealth, rate="2.3k/s", peak="4.6k/s", p99_ms=60)
health_of_station = kw.Get(StationHealth, eq="station_id", rate="40/s", peak="300/s", p99_ms=30)

yard = kw.DynamoTable("yard", owner="line-haul")


class Trailer(BaseModel):
    """A trailer in the yard of a hub."""

    __store__: ClassVar = kw.Item(yard, pk="HUB#{hub}", sk="TRAILER#{plate}", expected=9_000)

    hub: HubCode
    plate: Annotated[str, Field(pattern=r"^[A-Z0-9]{4,10}$"), kw.Size(avg=8, max=10), kw.Cardinality(distinct=14_000)]
    state: Literal["waiting", "docked", "loaded", "gone"]
    dock: Annotated[int | None, Field(ge=1, le=180)] = None
    arrived_at: Annotated[datetime, kw.Ttl(after=timedelta(days=14))]


class Dock(BaseModel):
    """A gate of the building where a trailer is loaded."""

    __store__: ClassVar = kw.Item(yard, pk="HUB#{hub}", sk="DOCK#{dock:pad(3)}", expected=3_400)

    hub: HubCode
    dock: Annotated[int, Field(ge=1, le=180)]
    state: Literal["free", "taken", "closed"]
    plate: Annotated[str | None, Field(max_length=10)] = None


trailers_of_hub = kw.Read(
    Trailer, eq="hub", order="plate", limit=200, consistency="strong", rate="6/s", peak="30/s", p99_ms=60
)
docks_of_hub = kw.Read(
    Dock, eq="hub", order="dock", limit=180, consistency="strong", rate="6/s", peak="30/s", p99_ms=60
)
arrive = kw.Put(Trailer, rate="30k/day", peak="4/s", p99_ms=60)
dock_trailer = kw.Transact(
    [
        kw.Update(Trailer, sets=["state", "dock"], where={"state": "waiting"}),
        kw.Update(Dock, sets=["state", "plate"], where={"state": "free"}),
    ],
    rate="30k/day",
    peak="4/s",
    p99_ms=100,
)
release_dock = kw.Transact(
    [
        kw.Update(Trailer, sets="state", unset="dock", where={"state": "docked"}),
        kw.Update(Dock, sets="state", unset="plate", where={"state": "taken"}),
    ],
    rate="30k/day",
    peak="4/s",
    p99_ms=100,
)

"""Taps at gates and validators: the stream to the fare engine, journeys and daily caps, and the history of taps."""

from datetime import date, datetime, timedelta
from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, Field

import keywright as kw
from models.cards import Card, CardId, Ulid

StationId = Annotated[str, Field(pattern=r"^[A-Z]{3}[0-9]{2}$"), kw.Size(avg=5, max=5), kw.Cardinality(distinct=310)]
GateId = Annotated[str, Field(pattern=r"^[A-Z0-9]{9}$"), kw.Size(avg=9, max=9), kw.Cardinality(distinct=11_200)]
Direction = Literal["in", "out"]

incomplete = kw.Gsi(
    "incomplete", pk="gsi1pk", sk="gsi1sk", project=["card_id", "journey_id", "started_at", "from_station", "status"]
)

journeys = kw.DynamoTable(
    "journeys",
    owner="fares",
    gsis=[incomplete],
    stream=kw.Stream(
        consumers=[kw.Consumer("journey-receipts", idempotency=["journey_id", "status"], on_failure="queue")]
    ),
)
taps = kw.Keyspace("taps", owner="fares")
gate_events = kw.RedisServer("gate-events", role="queue", owner="fares", persistence=[kw.Aof(fsync="no"), kw.Rdb()])
gate_lists = kw.RedisServer("gate-lists", role="primary", owner="fares")
limits = kw.RedisServer("limits", role="limiter", owner="fares")

fare_engine = kw.ConsumerGroup(
    "fare-engine", idempotency="tap_id", claim_after=timedelta(seconds=30), max_deliveries=10_000
)


class Tap(BaseModel):
    """A tap on its way to the fare engine; gates keep theirs for two days and can send them again."""

    __store__: ClassVar = kw.RedisStream(gate_events, key="taps", keep=3_000_000, groups=[fare_engine], kind="event")

    tap_id: Ulid
    card_id: CardId
    gate_id: GateId
    direction: Direction
    tapped_at: datetime


publish_tap = kw.Put(Tap, rate="140/s", peak="1.2k/s", p99_ms=10)
next_taps_to_fare = kw.Take(Tap, group=fare_engine, limit=50, rate="20/s", peak="100/s", p99_ms=20)


class CardTap(BaseModel):
    """A card's tap as customers and the police may ask for it: thirteen months, a month of one card together."""

    __store__: ClassVar = kw.CqlTable(
        taps,
        "card_taps",
        partition=["card_id", "month"],
        clustering=["-tapped_at", "tap_id"],
        computed={"month": "{tapped_at:month}"},
        ttl=timedelta(days=396),
        compaction=kw.SizeTiered(),
        kind="event",
    )

    card_id: CardId
    tapped_at: datetime
    tap_id: Ulid
    gate_id: GateId
    station_id: StationId
    direction: Direction


record_tap = kw.Put(CardTap, rate="140/s", peak="1.2k/s", p99_ms=100)
recent_taps = kw.Read(
    CardTap,
    eq="card_id",
    range="tapped_at",
    span=timedelta(days=14),
    order="-tapped_at",
    limit=60,
    fan_out=2,
    rate="30/s",
    peak="120/s",
    p99_ms=50,
)


class StationHour(BaseModel):
    """Entries to a station in an hour, for the planners; approximate, so counters will do."""

    __store__: ClassVar = kw.CqlTable(
        taps,
        "station_hours",
        partition=["station_id", "month"],
        clustering="-hour",
        computed={"month": "{hour:month}"},
        counters="entries",
        kind="analytics",
        keep_forever="310 rows an hour, compared over decades; counters cannot expire",
    )

    station_id: StationId
    hour: datetime
    entries: int


count_entries = kw.Increment(StationHour, "entries", by=40, rate="10/s", peak="40/s", p99_ms=50)
hours_of_station = kw.Read(StationHour, eq=["station_id", "month"], order="-hour", limit=744, rate="2/s", p99_ms=100)


class OpenJourney(BaseModel):
    """Where a card has entered and not left yet; it is void a day after the entry."""

    __store__: ClassVar = kw.Item(journeys, pk="CARD#{card_id}", sk="OPEN", expected=450_000)

    card_id: Annotated[CardId, kw.Ref(Card, on_missing="ignore", max_referrers=1)]
    journey_id: Ulid
    from_station: StationId
    started_at: datetime
    expires_at: Annotated[datetime, kw.Ttl()]


class FareDay(BaseModel):
    """What a card has been charged on a traffic day, which the daily cap limits; booked on the purse at night."""

    __store__: ClassVar = kw.Item(journeys, pk="CARD#{card_id}", sk="DAY#{day:date}", expected=110_000_000, active=0.03)

    card_id: Annotated[CardId, kw.Ref(Card, on_missing="ignore", max_referrers=45)]
    day: date
    charged_cents: Annotated[int, Field(ge=0, le=20_000)] = 0
    zones: Annotated[str, Field(pattern=r"^[1-9](-[1-9])?$")]
    expires_at: Annotated[datetime, kw.Ttl()]


class Journey(BaseModel):
    """A journey that ended, or that nobody ended; its number is that of its first tap, so it is stored once."""

    __store__: ClassVar = kw.Item(
        journeys,
        pk="CARD#{card_id}",
        sk="JOURNEY#{started_at:iso}#{journey_id}",
        gsis=[
            incomplete.key(
                pk="INCOMPLETE#{journey_id:shard(8)}", sk="{started_at:iso}", where={"status": "incomplete"}
            ),
        ],
        kind="event",
        expected=2_400_000_000,
        active=0.004,
    )

    card_id: Annotated[CardId, kw.Ref(Card, on_missing="ignore", max_referrers=2_000)]
    journey_id: Ulid
    started_at: datetime
    ended_at: datetime | None = None
    from_station: StationId
    to_station: StationId | None = None
    status: Literal["complete", "incomplete", "corrected"]
    fare_cents: Annotated[int, Field(ge=0, le=5_000)]
    capped: bool = False
    expires_at: Annotated[datetime, kw.Ttl()]


enter = kw.Put(OpenJourney, rate="70/s", peak="600/s", p99_ms=30)
open_journey = kw.Get(
    OpenJourney, eq="card_id", consistency="strong", reads_back=[enter], rate="140/s", peak="1.2k/s", p99_ms=20
)
begin_fare_day = kw.Put(FareDay, if_absent=True, rate="29/s", peak="300/s", p99_ms=30)
fare_day = kw.Get(FareDay, eq=["card_id", "day"], consistency="strong", rate="100/s", peak="700/s", p99_ms=20)
settle_journey = kw.Transact(
    [
        kw.Put(Journey, if_absent=True),
        kw.Increment(FareDay, "charged_cents", by=280),
        kw.Delete(OpenJourney),
    ],
    rate="70/s",
    peak="600/s",
    p99_ms=100,
)
journeys_of_card = kw.Read(Journey, eq="card_id", order="-started_at", limit=50, rate="80/s", peak="400/s", p99_ms=50)
journeys_to_station = kw.Read(
    Journey, eq=["card_id", "to_station"], order="-started_at", limit=20, rate="25/s", peak="120/s", p99_ms=50
)
incomplete_journeys = kw.Read(
    Journey,
    where={"status": "incomplete"},
    range="started_at",
    order="started_at",
    limit=200,
    fan_out=8,
    fields=["card_id", "journey_id", "started_at", "from_station"],
    rate="1/s",
    p99_ms=300,
)
correct_journey = kw.Update(
    Journey,
    sets=["status", "to_station", "fare_cents"],
    where={"status": "incomplete"},
    rate="30k/day",
    peak="20/s",
    p99_ms=50,
)


class DeniedCard(BaseModel):
    """A card that no gate opens for; the nightly list writes all of them again, so one that is removed runs out."""

    __store__: ClassVar = kw.RedisString(
        gate_lists, key="deny:{card_id}", value="reason", ttl=timedelta(days=3), expected=180_000
    )

    card_id: CardId
    reason: Literal["lost", "blocked", "unpaid", "fraud"]


denied = kw.Get(DeniedCard, eq="card_id", rate="140/s", peak="1.2k/s", p99_ms=5)
deny = kw.Put(DeniedCard, rate="2/s", peak="200/s", p99_ms=10)


class Passback(BaseModel):
    """Entries with one card: two in five minutes, or somebody hands the card back over the gate."""

    __store__: ClassVar = kw.RedisRateLimit(
        limits, key="passback:{card_id:tag}", limit=2, per=timedelta(minutes=5), window="sliding", expected=120_000
    )

    card_id: CardId


allow_entry = kw.Take(Passback, rate="70/s", peak="600/s", p99_ms=5)

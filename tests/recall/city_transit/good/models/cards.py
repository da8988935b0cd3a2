"""Riders, cards and passes in DynamoDB, the money on cards in a table of its own, and the app's logins in Redis."""

from datetime import date, datetime, timedelta
from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, Field

import keywright as kw

CardId = Annotated[str, Field(pattern=r"^[0-9A-F]{16}$"), kw.Size(avg=16, max=16), kw.Cardinality(distinct=5_000_000)]
RiderId = Annotated[str, Field(pattern=r"^[0-9A-Z]{26}$"), kw.Size(avg=26, max=26), kw.Cardinality(distinct=3_000_000)]
Ulid = Annotated[str, Field(pattern=r"^[0-9A-Z]{26}$"), kw.Size(avg=26, max=26)]
Cents = Annotated[int, Field(ge=0, le=1_000_000)]
CardStatus = Literal["active", "blocked", "lost", "expired"]

cards_of_rider_index = kw.Gsi("cards_of_rider", pk="gsi1pk", sk="gsi1sk", project=["card_id", "status", "expires_on"])
unsettled = kw.Gsi("unsettled", pk="gsi1pk", sk="gsi1sk", project=["top_up_id", "card_id", "amount_cents", "status"])

cards = kw.DynamoTable(
    "cards",
    owner="ticketing",
    gsis=[cards_of_rider_index],
    stream=kw.Stream(consumers=[kw.Consumer("deny-list", idempotency=["card_id", "status"], on_failure="queue")]),
)
purses = kw.DynamoTable(
    "purses",
    owner="payments",
    gsis=[unsettled],
    stream=kw.Stream(consumers=[kw.Consumer("general-ledger", idempotency="movement_id", on_failure="queue")]),
)
sessions = kw.RedisServer("app-sessions", role="sessions", owner="ticketing")


class Rider(BaseModel):
    """A person with an account; name, e-mail and telephone number stand here only."""

    __store__: ClassVar = kw.Item(cards, pk="RIDER#{rider_id}", sk="PROFILE", active=0.1)

    rider_id: RiderId
    name: Annotated[str, kw.Size(avg=18, max=120), kw.Pii()]
    email: Annotated[str, kw.Size(avg=24, max=254), kw.Pii()]
    phone: Annotated[str | None, Field(max_length=20), kw.Pii()] = None
    born_on: Annotated[date | None, kw.Pii()] = None
    language: Annotated[str, Field(min_length=2, max_length=2)]
    concession: Literal["none", "youth", "senior", "disabled", "staff"] = "none"
    created_at: datetime


class EmailClaim(BaseModel):
    """Whose account an e-mail address is: one item for each address, so that no two accounts share one."""

    __store__: ClassVar = kw.Item(cards, pk="EMAIL#{email_hash}", sk="CLAIM", expected=3_000_000, active=0.02)

    email_hash: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$"), kw.Size(avg=64, max=64)]
    rider_id: Annotated[RiderId, kw.Ref(Rider, on_missing="fail", max_referrers=1)]


rider = kw.Get(Rider, eq="rider_id", rate="120/s", peak="600/s", p99_ms=15)
rider_id_of_email = kw.Get(EmailClaim, eq="email_hash", consistency="strong", rate="10/s", peak="80/s", p99_ms=20)
register = kw.Transact(
    [kw.Put(Rider, if_absent=True), kw.Put(EmailClaim, if_absent=True)], rate="2k/day", peak="2/s", p99_ms=100
)


class Card(BaseModel):
    """A travel card; most are anonymous, and a rider may link some to the account."""

    __store__: ClassVar = kw.Item(
        cards,
        pk="CARD#{card_id}",
        sk="CARD",
        gsis=[cards_of_rider_index.key(pk="HOLDER#{rider_id}", sk="CARD#{card_id}")],
        active=0.4,
    )

    card_id: CardId
    rider_id: Annotated[RiderId | None, kw.Ref(Rider, on_missing="ignore", max_referrers=12)] = None
    status: CardStatus
    kind: Literal["plastic", "phone", "bank"]
    issued_at: datetime
    expires_on: date


card = kw.Get(Card, eq="card_id", rate="140/s", peak="1.2k/s", p99_ms=10)
cards_of_rider = kw.Read(
    Card, eq="rider_id", limit=12, rate="60/s", peak="300/s", p99_ms=30, fields=["card_id", "status", "expires_on"]
)
block_card = kw.Update(Card, sets="status", where={"status": "active"}, rate="2k/day", peak="5/s", p99_ms=50)


class Pass(BaseModel):
    """A season ticket on a card; the last day of validity leads its key, since gates ask for what is still valid."""

    __store__: ClassVar = kw.Item(
        cards, pk="CARD#{card_id}", sk="PASS#{valid_until:date}#{pass_id}", expected=9_000_000, active=0.1
    )

    card_id: Annotated[CardId, kw.Ref(Card, on_missing="fail", max_referrers=60)]
    pass_id: Ulid
    product: Annotated[str, Field(pattern=r"^[a-z0-9-]{2,24}$")]
    zones: Annotated[str, Field(pattern=r"^[1-9](-[1-9])?$")]
    valid_from: date
    valid_until: date
    price_cents: Cents
    expires_at: Annotated[datetime, kw.Ttl()]


valid_passes = kw.Read(
    Pass, eq="card_id", range="valid_until", order="valid_until", limit=10, rate="140/s", peak="1.2k/s", p99_ms=20
)


class Purse(BaseModel):
    """The stored value of a card in cents; one journey may end below zero, the next entry is then refused."""

    __store__: ClassVar = kw.Item(purses, pk="CARD#{card_id}", sk="PURSE", kind="money", active=0.4)

    card_id: Annotated[CardId, kw.Ref(Card, on_missing="fail", max_referrers=1)]
    balance_cents: Annotated[int, Field(ge=-800, le=30_000)] = 0


class Movement(BaseModel):
    """One booking on a purse; its number comes from whoever causes it, so a repeated booking meets the first one."""

    __store__: ClassVar = kw.Item(
        purses,
        pk="CARD#{card_id}",
        sk="MOVE#{booked_at:iso}#{movement_id}",
        kind="money",
        expected=3_000_000_000,
        active=0.002,
        keep_forever="bookings are kept for ten years by accounting law",
    )

    card_id: Annotated[CardId, kw.Ref(Card, on_missing="ignore", max_referrers=20_000)]
    movement_id: Ulid
    booked_at: datetime
    cause: Literal["top-up", "fares", "pass", "refund", "correction"]
    amount_cents: Annotated[int, Field(ge=-30_000, le=30_000)]


class TopUp(BaseModel):
    """A payment that shall load a purse; until the provider confirms it, it is in the index of unsettled ones."""

    __store__: ClassVar = kw.Item(
        purses,
        pk="TOPUP#{top_up_id}",
        sk="TOPUP",
        gsis=[
            unsettled.key(pk="UNSETTLED#{top_up_id:shard(4)}", sk="{top_up_id}", where={"status": "pending"}),
        ],
        kind="money",
        expected=900_000_000,
        active=0.001,
        keep_forever="payments are kept for ten years by accounting law",
    )

    top_up_id: Ulid
    card_id: Annotated[CardId, kw.Ref(Card, on_missing="fail", max_referrers=2_000)]
    amount_cents: Annotated[int, Field(ge=500, le=20_000)]
    status: Literal["pending", "settled", "declined"]
    payer_name: Annotated[str, kw.Size(avg=18, max=120), kw.Pii()]
    payer_address: Annotated[str, kw.Size(avg=60, max=240), kw.Pii()]
    provider_reference: Annotated[str, Field(max_length=64)]
    requested_at: datetime


issue_card = kw.Transact(
    [kw.Put(Card, if_absent=True), kw.Put(Purse, if_absent=True)], rate="6k/day", peak="5/s", p99_ms=100
)
purse = kw.Get(Purse, eq="card_id", consistency="strong", rate="140/s", peak="1.2k/s", p99_ms=15)
movements_of_card = kw.Read(Movement, eq="card_id", order="-booked_at", limit=50, rate="15/s", p99_ms=50)
request_top_up = kw.Put(TopUp, if_absent=True, rate="3/s", peak="40/s", p99_ms=50)
settle_top_up = kw.Transact(
    [
        kw.Update(TopUp, sets="status", where={"status": "pending"}),
        kw.Put(Movement, if_absent=True),
        kw.Increment(Purse, "balance_cents", by=2_000),
    ],
    rate="3/s",
    peak="40/s",
    p99_ms=100,
)
decline_top_up = kw.Update(TopUp, sets="status", where={"status": "pending"}, rate="10k/day", p99_ms=50)
unsettled_top_ups = kw.Read(
    TopUp,
    where={"status": "pending"},
    order="top_up_id",
    limit=100,
    fan_out=4,
    fields=["top_up_id", "card_id", "amount_cents"],
    rate="1/s",
    p99_ms=200,
)
charge_fares = kw.Transact(
    [kw.Put(Movement, if_absent=True), kw.Increment(Purse, "balance_cents", by=-420)],
    rate="12/s",
    peak="300/s",
    p99_ms=100,
)
buy_pass = kw.Transact(
    [
        kw.Put(Movement, if_absent=True),
        kw.Increment(Purse, "balance_cents", by=-4_900),
        kw.Put(Pass, if_absent=True),
    ],
    rate="15k/day",
    peak="8/s",
    p99_ms=150,
)


class AppSession(BaseModel):
    """A login of the app; it ends thirty days after its last use and survives a restart of the server."""

    __store__: ClassVar = kw.RedisHash(
        sessions, key="session:{token}", ttl=timedelta(days=30), expected=1_200_000, active=0.5, kind="session"
    )

    token: Annotated[str, Field(pattern=r"^[0-9a-f]{32}$"), kw.Size(avg=32, max=32)]
    rider_id: Annotated[RiderId, kw.Ref(Rider, on_missing="fail", max_referrers=8)]
    device: Annotated[str, Field(max_length=40)]
    started_at: datetime
    seen_at: datetime


session = kw.Get(AppSession, eq="token", rate="2.5k/s", peak="9k/s", p99_ms=5)
start_session = kw.Put(AppSession, rate="8/s", peak="60/s", p99_ms=10)
touch_session = kw.Update(AppSession, sets="seen_at", rate="200/s", peak="700/s", p99_ms=10)


class ApiUsage(BaseModel):
    """How often a client of the open data interface called it in an hour, for the fair-use report."""

    __store__: ClassVar = kw.RedisCounter(
        sessions,
        key="usage:{client_id}:{hour}",
        value="calls",
        ttl=timedelta(days=2),
        expected=60_000,
        kind="analytics",
    )

    client_id: Annotated[str, Field(pattern=r"^[a-z0-9]{12}$"), kw.Size(avg=12, max=12), kw.Cardinality(distinct=1_250)]
    hour: Annotated[str, Field(pattern=r"^\d{4}-\d{2}-\d{2}T\d{2}$"), kw.Size(avg=13, max=13)]
    calls: int


count_call = kw.Increment(ApiUsage, "calls", rate="12k/s", peak="30k/s", hot_key="300/s", p99_ms=5)
calls_of_client = kw.Get(ApiUsage, eq=["client_id", "hour"], rate="2/s", p99_ms=10)

"""Readers in DynamoDB: who they are, what they subscribe to and with which card, and a short copy of it in Redis."""

from datetime import date, datetime, timedelta
from typing import Annotated, ClassVar, Literal

import keywright as kw
from pydantic import BaseModel, Field

from models.live import edge

ReaderId = Annotated[
    str, Field(max_length=26, pattern=r"^[0-9A-Z]+$"), kw.Size(avg=26), kw.Cardinality(distinct=4_200_000)
]
HouseholdId = Annotated[str, kw.Size(avg=26, max=26), kw.Cardinality(distinct=900_000)]
Digest = Annotated[str, Field(min_length=64, max_length=64, pattern=r"^[0-9a-f]{64}$")]
Plan = Literal["digital", "weekend", "complete", "student"]

by_household = kw.Gsi(
    "by_household",
    pk="household_id",
    sk="started_at",
    project=["reader_id", "subscription_id", "plan", "state", "renews_on"],
)
renewals = kw.Gsi("renewals", pk="gsi2pk", sk="gsi2sk", project=["reader_id", "subscription_id", "plan"])

accounts = kw.DynamoTable("accounts", owner="readers", gsis=[by_household, renewals])


class Reader(BaseModel):
    """A registered reader; the e-mail is kept here only, others look it up by its keyed digest."""

    __store__: ClassVar = kw.Item(accounts, pk="READER#{reader_id}", sk="PROFILE", expected=4_200_000, active=0.1)

    reader_id: ReaderId
    email: Annotated[str, kw.Size(avg=25, max=254), kw.Pii()]
    full_name: Annotated[str, kw.Size(avg=19, max=120), kw.Pii()]
    postcode: Annotated[str, Field(max_length=12), kw.Pii()] = ""
    created_at: datetime


class EmailClaim(BaseModel):
    """The claim of one reader to one e-mail address, so that no second account takes it."""

    __store__: ClassVar = kw.Item(accounts, pk="EMAIL#{email_digest}", sk="CLAIM", expected=4_200_000, active=0.05)

    email_digest: Digest
    reader_id: Annotated[ReaderId, kw.Ref(Reader, on_missing="fail")]


cached_reader = kw.bind(
    Reader,
    kw.RedisCache(
        edge,
        key="reader:{reader_id}",
        ttl=timedelta(minutes=10),
        source_of_truth=Reader,
        kind="cache",
        expected=400_000,
    ),
)

reader = kw.Get(Reader, eq="reader_id", rate="400/s", p99_ms=10)
reader_card = kw.Get(cached_reader, eq="reader_id", rate="6k/s", peak="18k/s", p99_ms=5)
claim_of_email = kw.Get(EmailClaim, eq="email_digest", rate="60/s", p99_ms=20)
register_reader = kw.Transact(
    [kw.Put(Reader, if_absent=True), kw.Put(EmailClaim, if_absent=True)], rate="5k/day", peak="20/s", p99_ms=80
)
correct_reader = kw.Update(Reader, sets=["full_name", "postcode"], rate="2k/day", p99_ms=50)
forget_reader = kw.Transact([kw.Delete(Reader), kw.Delete(EmailClaim)], rate="300/day", p99_ms=80)


class Subscription(BaseModel):
    """A reader's subscription; members of a household see one another's."""

    __store__: ClassVar = kw.Item(
        accounts,
        pk="READER#{reader_id}",
        sk="SUBSCRIPTION#{subscription_id}",
        gsis=[
            renewals.key(
                pk="RENEWS#{renews_on:date}#{subscription_id:shard(8)}",
                sk="{subscription_id}",
                where={"state": "active"},
            )
        ],
        expected=1_600_000,
        active=0.3,
    )

    reader_id: Annotated[ReaderId, kw.Ref(Reader, on_missing="ignore", max_referrers=20)]
    subscription_id: Annotated[str, Field(max_length=26, pattern=r"^[0-9A-Z]+$"), kw.Size(avg=26)]
    household_id: HouseholdId
    plan: Plan
    price_cents: Annotated[int, Field(ge=0, le=100_000)]
    state: Literal["active", "paused", "ended"]
    delivery_note: Annotated[str, kw.Size(avg=40, max=300), kw.Pii()] = ""
    started_at: datetime
    renews_on: date


subscriptions_of_reader = kw.Read(Subscription, eq="reader_id", limit=20, rate="1.2k/s", peak="4k/s", p99_ms=20)
subscriptions_of_household = kw.Read(
    Subscription,
    eq="household_id",
    order="-started_at",
    fields=["reader_id", "subscription_id", "plan", "state", "renews_on"],
    limit=12,
    rate="900/s",
    peak="2.5k/s",
    p99_ms=20,
)
renewals_of_day = kw.Read(
    Subscription,
    eq="renews_on",
    where={"state": "active"},
    fields=["reader_id", "subscription_id", "plan"],
    limit=200,
    fan_out=8,
    rate="3k/day",
    p99_ms=300,
)
subscribe = kw.Put(Subscription, if_absent=True, rate="3k/day", peak="40/s", p99_ms=50)
change_plan = kw.Update(Subscription, sets=["plan", "price_cents"], rate="1k/day", p99_ms=50)
move_subscription = kw.Update(Subscription, sets=["state", "renews_on"], rate="60k/day", peak="80/s", p99_ms=50)


class SignInToken(BaseModel):
    """The link in a sign-in mail, kept as a digest; it works once and for half an hour."""

    __store__: ClassVar = kw.Item(accounts, pk="TOKEN#{token_digest}", sk="TOKEN", kind="token", expected=30_000)

    token_digest: Digest
    reader_id: Annotated[ReaderId, kw.Ref(Reader, on_missing="fail")]
    sent_at: datetime
    is_used: bool = False
    expires_at: Annotated[datetime, kw.Ttl()]


sign_in_token = kw.Get(SignInToken, eq="token_digest", consistency="strong", rate="20/s", p99_ms=20)
send_token = kw.Put(SignInToken, if_absent=True, rate="25/s", peak="300/s", p99_ms=50)
redeem_token = kw.Update(SignInToken, sets="is_used", where={"is_used": False}, rate="20/s", peak="250/s", p99_ms=50)


class PaymentMethod(BaseModel):
    """A card on file: the payment provider keeps its number, we keep the provider's reference to it."""

    __store__: ClassVar = kw.Item(
        accounts, pk="READER#{reader_id}", sk="METHOD#{method_id}", expected=1_500_000, active=0.05
    )

    reader_id: Annotated[ReaderId, kw.Ref(Reader, on_missing="fail", max_referrers=10)]
    method_id: Annotated[str, Field(max_length=26, pattern=r"^[0-9A-Z]+$"), kw.Size(avg=26)]
    provider_reference: Annotated[str, kw.Size(avg=30, max=64), kw.Pii()]
    brand: Annotated[str, Field(max_length=20)]
    last_digits: Annotated[str, Field(min_length=4, max_length=4, pattern=r"^\d{4}$")]
    valid_until: date


methods_of_reader = kw.Read(PaymentMethod, eq="reader_id", limit=10, rate="15/s", p99_ms=30)
add_method = kw.Put(PaymentMethod, if_absent=True, rate="3k/day", p99_ms=50)
remove_method = kw.Delete(PaymentMethod, rate="500/day", p99_ms=50)

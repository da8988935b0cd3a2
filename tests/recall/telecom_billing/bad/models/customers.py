"""Customers and what they hold: contracts, SIM cards and telephone numbers."""

from datetime import date, datetime
from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, Field

import keywright as kw

ULID = r"^[0-9A-HJKMNP-TV-Z]{26}$"

CustomerId = Annotated[str, Field(pattern=ULID), kw.Size(avg=26, max=26), kw.Cardinality(distinct=4_200_000)]
SubscriptionId = Annotated[str, Field(pattern=ULID), kw.Size(avg=26, max=26), kw.Cardinality(distinct=6_000_000)]
Msisdn = Annotated[
    str, Field(pattern=r"^\d{8,15}$"), kw.Size(avg=12, max=15), kw.Cardinality(distinct=9_000_000), kw.Pii()
]
Imsi = Annotated[str, Field(pattern=r"^\d{15}$"), kw.Size(avg=15, max=15), kw.Cardinality(distinct=8_500_000), kw.Pii()]
TariffCode = Annotated[str, Field(pattern=r"^[A-Z0-9]{3,12}$"), kw.Size(avg=8, max=12), kw.Cardinality(distinct=400)]

of_customer = kw.Gsi("of_customer", pk="customer_id", sk="activated_at", project="keys")  # only contracts have both
free_numbers = kw.Gsi("free_numbers", pk="gsi2pk", sk="gsi2sk", project=["msisdn", "grade", "status"])

customers = kw.DynamoTable(
    "customers",
    owner="crm",
    gsis=[of_customer, free_numbers],
    stream=kw.Stream(
        consumers=[
            kw.Consumer("home-register", idempotency=["subscription_id", "changed_at"], on_failure="queue"),
            kw.Consumer("crm-search", idempotency=["customer_id", "changed_at"], on_failure="queue"),
        ]
    ),
)


class Address(BaseModel):
    """Where the customer lives and receives letters."""

    street: Annotated[str, Field(max_length=80)]
    postcode: Annotated[str, Field(max_length=10)]
    city: Annotated[str, Field(max_length=60)]
    country: Annotated[str, Field(max_length=2)]


class Customer(BaseModel):
    """A person or a company that has contracts; every change sets its time."""

    __store__: ClassVar = kw.Item(
        customers,
        pk="CUST#{customer_id}",
        sk="PROFILE",
        expected=4_200_000,
        active=0.05,
    )

    customer_id: CustomerId
    segment: Literal["consumer", "business", "wholesale"]
    name: Annotated[str, Field(max_length=120), kw.Pii()]
    email: Annotated[str, kw.Size(avg=24, max=254), kw.Pii()]
    birthday: Annotated[str | None, Field(max_length=10), kw.Pii()] = None
    address: Annotated[Address, kw.Pii()]
    language: Literal["de", "en", "fr", "tr"] = "de"
    care_notes: Annotated[str, kw.Size(avg=9_000, max=120_000), kw.Pii()] = ""
    created_at: datetime
    changed_at: datetime
    last_seen_at: datetime | None = None


class LoginName(BaseModel):
    """The claim to an e-mail address, so that no two customers log in with the same one."""

    __store__: ClassVar = kw.Item(customers, pk="LOGIN#{email:lower}", sk="LOGIN", expected=4_200_000)

    email: Annotated[str, kw.Size(avg=24, max=254), kw.Pii()]
    customer_id: Annotated[CustomerId, kw.Ref(Customer, on_missing="fail", max_referrers=1)]


register_customer = kw.Transact(
    [kw.Put(Customer, if_absent=True), kw.Put(LoginName, if_absent=True)],
    rate="4k/day",
    p99_ms=100,
)
customer = kw.Get(Customer, eq="customer_id", rate="250/s", peak="900/s", p99_ms=15)
note_visit = kw.Update(Customer, sets="last_seen_at", rate="120/s", peak="350/s", p99_ms=30)
customer_of_login = kw.Get(LoginName, eq="email", rate="40/s", peak="200/s", p99_ms=15)


class Subscription(BaseModel):
    """A contract for one line, prepaid or postpaid."""

    __store__: ClassVar = kw.Item(
        customers,
        pk="SUB#{subscription_id}",
        sk="CONTRACT",
        expected=6_000_000,
        active=0.6,
    )

    subscription_id: SubscriptionId
    customer_id: Annotated[CustomerId, kw.Ref(Customer, on_missing="fail", max_referrers=3_000)]
    msisdn: Msisdn
    imsi: Imsi
    payment: Literal["prepaid", "postpaid"]
    tariff_code: TariffCode
    status: Literal["pending", "active", "barred", "suspended", "terminated"]
    roaming_allowed: bool = True
    activated_at: datetime
    changed_at: datetime


class Sim(BaseModel):
    """A SIM card or profile; the network knows it by its IMSI, which is unique in the world."""

    __store__: ClassVar = kw.Item(
        customers,
        pk="IMSI#{imsi}",
        sk="SIM",
        expected=8_500_000,
        active=0.5,
    )

    imsi: Imsi
    iccid: Annotated[str, Field(pattern=r"^\d{19,20}$"), kw.Size(avg=19, max=20)]
    subscription_id: Annotated[SubscriptionId, kw.Ref(Subscription, on_missing="ignore", max_referrers=10)]
    form: Literal["plastic", "esim"]
    status: Literal["active", "lost", "replaced"]
    issued_at: datetime


class PhoneNumber(BaseModel):
    """A number of the operator's own blocks and the contract that uses it."""

    __store__: ClassVar = kw.Item(
        customers,
        pk="NUM#{msisdn}",
        sk="NUMBER",
        gsis=[
            free_numbers.key(
                pk="FREE#{grade}#{msisdn:shard(4)}",
                sk="{msisdn}",
                where={"status": "free"},
            )
        ],
        kind="stock",
        expected=9_000_000,
        active=0.5,
    )

    msisdn: Msisdn
    grade: Literal["plain", "silver", "gold"]
    status: Literal["free", "assigned", "quarantined", "ported-out"]
    subscription_id: Annotated[SubscriptionId | None, kw.Ref(Subscription, on_missing="ignore", max_referrers=1)] = None
    changed_at: datetime


activate_line = kw.Transact(
    [
        kw.Put(Subscription, if_absent=True),
        kw.Put(Sim, if_absent=True),
        kw.Update(
            PhoneNumber,
            eq=["msisdn", "grade"],
            sets=["status", "subscription_id", "changed_at"],
            where={"status": "free"},
        ),
    ],
    rate="6k/day",
    peak="20/s",
    p99_ms=150,
)
replace_sim = kw.Transact(
    [
        kw.Update(Sim, sets="status", where={"status": "active"}),
        kw.Put(Sim, if_absent=True),
        kw.Update(Subscription, sets=["imsi", "changed_at"], where={"status": "active"}),
    ],
    rate="2.5k/day",
    p99_ms=150,
)
subscription = kw.Get(Subscription, eq="subscription_id", rate="1.2k/s", peak="4k/s", p99_ms=10)
subscriptions_of_customer = kw.Read(
    Subscription, eq="customer_id", order="activated_at", limit=50, rate="120/s", peak="400/s", p99_ms=30
)
change_line = kw.Update(
    Subscription, sets=["tariff_code", "status", "changed_at"], rate="24k/day", peak="60/s", p99_ms=50
)
sim_of_attach = kw.Get(Sim, eq="imsi", rate="1.5k/s", peak="5k/s", p99_ms=10)
number = kw.Get(PhoneNumber, eq="msisdn", rate="900/s", peak="3k/s", p99_ms=10)
numbers_to_choose = kw.Read(
    PhoneNumber,
    eq="grade",
    where={"status": "free"},
    order="msisdn",
    limit=20,
    fan_out=4,
    rate="2/s",
    peak="20/s",
    p99_ms=50,
)
release_number = kw.Update(
    PhoneNumber,
    eq=["msisdn", "grade"],
    sets=["status", "changed_at"],
    unset="subscription_id",
    where={"status": kw.OneOf(["assigned", "quarantined"])},
    rate="4k/day",
    p99_ms=50,
)


class AttachTotal(BaseModel):
    """How often our SIM cards registered with a network on a day, for the operations centre."""

    __store__: ClassVar = kw.Item(customers, pk="ATTACHES#{day:date}", sk="TOTAL", kind="analytics", expected=400)

    day: date
    attaches: Annotated[int, Field(ge=0)] = 0
    delete_after: Annotated[datetime, kw.Ttl()]


start_day = kw.Put(AttachTotal, if_absent=True, rate="1/day", p99_ms=50)
count_attach = kw.Increment(AttachTotal, "attaches", rate="1k/s", peak="3k/s", p99_ms=20)
attaches_of_day = kw.Get(AttachTotal, eq="day", rate="1/s", p99_ms=20)

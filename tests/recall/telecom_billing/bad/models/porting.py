"""Numbers that move between operators: our requests with the clearing house, and the routes of the whole country."""

from datetime import date, datetime, timedelta
from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, Field

import keywright as kw
from models.catalogue import cache
from models.customers import ULID, Msisdn, PhoneNumber, SubscriptionId

Operator = Annotated[str, Field(pattern=r"^D\d{3}$"), kw.Size(avg=4, max=4), kw.Cardinality(distinct=90)]

of_number = kw.Gsi("of_number", pk="msisdn", sk="requested_at", project=["port_id", "direction", "status"])
windows = kw.Gsi("windows", pk="gsi2pk", sk="gsi2sk", project=["port_id", "msisdn", "direction", "status", "window_on"])

porting = kw.DynamoTable(
    "porting",
    owner="porting",
    gsis=[of_number, windows],
    stream=kw.Stream(consumers=[kw.Consumer("clearing-house", idempotency=["port_id", "status"], on_failure="queue")]),
)
routing = kw.DynamoTable("routing", sk=None, discriminator=None, owner="porting")


class PortMessage(BaseModel):
    """A message that was exchanged with the clearing house."""

    at: datetime
    code: Annotated[str, Field(max_length=12)]
    text: Annotated[str, Field(max_length=200)]


class PortRequest(BaseModel):
    """A number that comes to us or leaves us, from the request to the night of the change."""

    __store__: ClassVar = kw.Item(
        porting,
        pk="PORT#{port_id}",
        sk="REQUEST",
        gsis=[
            windows.key(
                pk="WINDOW#{window_on:date}",
                sk="{direction}#{port_id}",
                where={"status": "scheduled"},
            )
        ],
        expected=3_000_000,
        active=0.02,
    )

    port_id: Annotated[str, Field(pattern=ULID), kw.Size(avg=26, max=26)]
    msisdn: Msisdn
    subscription_id: SubscriptionId | None = None
    direction: Literal["in", "out"]
    donor: Operator
    recipient: Operator
    status: Literal["requested", "scheduled", "done", "refused", "cancelled"]
    holder_name: Annotated[str, Field(max_length=120), kw.Pii()]
    messages: Annotated[list[PortMessage], Field(max_length=30)]
    requested_at: datetime
    window_on: date
    delete_after: Annotated[datetime, kw.Ttl()]


request_port = kw.Put(PortRequest, if_absent=True, rate="3k/day", peak="5/s", p99_ms=100)
ports_of_number = kw.Read(
    PortRequest,
    eq="msisdn",
    fields=["port_id", "direction", "status"],
    order="-requested_at",
    limit=10,
    consistency="strong",
    rate="3/s",
    p99_ms=40,
)
ports_tonight = kw.Read(
    PortRequest,
    eq="window_on",
    where={"status": "scheduled"},
    fields=["port_id", "msisdn", "direction", "status", "window_on"],
    limit=200,
    rate="500/day",
    p99_ms=300,
)
add_message = kw.Update(PortRequest, pushes="messages", rate="12k/day", peak="10/s", p99_ms=80)
schedule_port = kw.Update(
    PortRequest,
    eq=["port_id", "direction"],
    sets=["status", "window_on"],
    where={"status": "requested"},
    rate="3k/day",
    p99_ms=80,
)
port_out = kw.Transact(
    [
        kw.Update(PortRequest, eq=["port_id", "direction", "window_on"], sets="status", where={"status": "scheduled"}),
        kw.Update(PhoneNumber, eq=["msisdn", "grade"], sets=["status", "changed_at"], where={"status": "assigned"}),
    ],
    rate="1.5k/day",
    peak="10/s",
    p99_ms=150,
)


class NumberRoute(BaseModel):
    """The operator that serves a ported number of the country; the old one forwards calls for a day after a change."""

    __store__: ClassVar = kw.Item(routing, pk="{msisdn}", expected=42_000_000, active=0.1)

    msisdn: Annotated[str, Field(pattern=r"^\d{8,15}$"), kw.Size(avg=12, max=15), kw.Pii()]
    operator: Operator
    routing_number: Annotated[str, Field(pattern=r"^D\d{3}[0-9]{0,4}$"), kw.Size(avg=4, max=8)]
    ported_on: date


cached_route = kw.bind(
    NumberRoute,
    kw.RedisCache(
        cache, key="route:{msisdn}", ttl=timedelta(minutes=30), source_of_truth=NumberRoute, expected=3_000_000
    ),
)

route = kw.Get(NumberRoute, eq="msisdn", rate="250/s", peak="900/s", p99_ms=15)
route_of_call = kw.Get(cached_route, eq="msisdn", rate="2.5k/s", peak="8k/s", p99_ms=5)
cache_route = kw.Put(cached_route, rate="250/s", peak="900/s", p99_ms=5)
change_route = kw.Put(NumberRoute, rate="400/day", peak="8/s", batch=25, p99_ms=200)

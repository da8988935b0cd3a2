"""Lending desk: what is out, who waits for it, and what the statistics keep of both."""

from datetime import date, datetime, timedelta
from typing import Annotated, ClassVar, Literal
from uuid import UUID

from pydantic import BaseModel, Field

import keywright as kw
from models.membership import Patron, PatronId

CopyId = Annotated[UUID, kw.Cardinality(distinct=45_000_000)]
TitleId = Annotated[UUID, kw.Cardinality(distinct=6_000_000)]
BranchId = Annotated[str, Field(pattern=r"^[A-Z]{3}[0-9]{3}$"), kw.Size(avg=6, max=6), kw.Cardinality(distinct=1_900)]

loans_by_patron = kw.Gsi(
    "loans_by_patron", pk=["borrower_id"], sk=["due_on"], project=["copy_id", "title_id", "title", "renewals"]
)
due_soon = kw.Gsi("due_soon", pk="due_pk", sk="due_sk", project=["copy_id", "borrower_id", "title_id", "due_on"])
holds_by_patron = kw.Gsi(
    "holds_by_patron", pk=["waiting_id"], sk=["placed_at"], project=["title_id", "state", "pickup_branch"]
)
hold_shelf = kw.Gsi("hold_shelf", pk="shelf_pk", sk="shelf_sk", project=["hold_id", "waiting_id", "ready_until"])

lending = kw.DynamoTable(
    "lending",
    owner="circulation",
    gsis=[loans_by_patron, due_soon, holds_by_patron, hold_shelf],
    stream=kw.Stream(consumers=[kw.Consumer("hold-letters", idempotency=["hold_id", "state"], on_failure="queue")]),
)
circulation = kw.Keyspace("circulation", owner="circulation")


class Loan(BaseModel):
    """A copy that is out; the key admits one loan of a copy, and the return erases who had it."""

    __store__: ClassVar = kw.Item(
        lending,
        pk="COPY#{copy_id}",
        sk="LOAN",
        gsis=[due_soon.key(pk="DUE#{due_on:date}#{copy_id:shard(16)}", sk="{copy_id}")],
        expected=14_000_000,
        active=0.1,
    )

    copy_id: CopyId
    title_id: TitleId
    title: Annotated[str, kw.Size(avg=45, max=300)]
    borrower_id: Annotated[PatronId, kw.Ref(Patron, on_missing="fail", max_referrers=60)]
    branch_id: BranchId
    lent_at: datetime
    due_on: date
    renewals: Annotated[int, Field(ge=0, le=5)] = 0


loan = kw.Get(Loan, eq="copy_id", consistency="strong", rate="60/s", peak="400/s", p99_ms=20)
loans_of_patron = kw.Read(
    Loan,
    eq="borrower_id",
    order="due_on",
    limit=60,
    fields=["copy_id", "title_id", "title", "due_on", "renewals"],
    rate="150/s",
    peak="700/s",
    p99_ms=40,
)
loans_due_on = kw.Read(
    Loan,
    eq="due_on",
    limit=500,
    fan_out=16,
    fields=["copy_id", "borrower_id", "title_id", "due_on"],
    rate="2k/day",
    peak="2/s",
    p99_ms=400,
)
lend = kw.Put(Loan, if_absent=True, rate="450k/day", peak="80/s", p99_ms=60)
renew = kw.Update(
    Loan, sets=["due_on", "renewals"], where={"renewals": kw.AtMost(4)}, rate="250k/day", peak="40/s", p99_ms=60
)
give_back = kw.Delete(Loan, rate="450k/day", peak="80/s", p99_ms=60)


class Hold(BaseModel):
    """A place in the queue for a title, in the order of arrival; it lapses after a year."""

    __store__: ClassVar = kw.Item(
        lending,
        pk="TITLE#{title_id}",
        sk="HOLD#{placed_at:iso}#{hold_id}",
        gsis=[hold_shelf.key(pk="SHELF#{pickup_branch}", sk="{placed_at:iso}", where={"state": "ready"})],
        expected=3_500_000,
        active=0.2,
    )

    title_id: TitleId
    hold_id: UUID
    waiting_id: Annotated[PatronId, kw.Ref(Patron, on_missing="hide", max_referrers=25)]
    placed_at: datetime
    pickup_branch: BranchId
    state: Literal["waiting", "in_transit", "ready"] = "waiting"
    ready_until: date | None = None
    lapses_at: Annotated[datetime, kw.Ttl()]


queue_of_title = kw.Read(Hold, eq="title_id", order="placed_at", limit=50, rate="40/s", hot_key="15/s", p99_ms=50)
holds_of_patron = kw.Read(
    Hold,
    eq="waiting_id",
    order="-placed_at",
    limit=25,
    fields=["title_id", "state", "pickup_branch", "placed_at"],
    rate="80/s",
    peak="400/s",
    p99_ms=40,
)
shelf_of_branch = kw.Read(
    Hold,
    eq="pickup_branch",
    where={"state": "ready"},
    order="placed_at",
    limit=100,
    fields=["hold_id", "waiting_id", "ready_until"],
    rate="30/s",
    peak="150/s",
    p99_ms=80,
)
place_hold = kw.Put(Hold, if_absent=True, rate="140k/day", peak="60/s", hot_key="20/s", p99_ms=60)
move_hold = kw.Update(Hold, sets=["state", "pickup_branch", "ready_until"], rate="280k/day", peak="50/s", p99_ms=60)
cancel_hold = kw.Delete(Hold, rate="50k/day", p99_ms=60)


class CirculationEvent(BaseModel):
    """A loan or a return without the person, for the statistics that cities pay for."""

    __store__: ClassVar = kw.CqlTable(
        circulation,
        "circulation_events",
        partition=["branch_id", "month"],
        clustering=["-at", "event_id"],
        computed={"month": "{at:month}"},
        ttl=timedelta(days=1_095),
        compaction=kw.TimeWindow(window=timedelta(days=36)),
        kind="event",
    )

    branch_id: BranchId
    at: datetime
    event_id: UUID
    action: Literal["lent", "renewed", "returned"]
    title_id: TitleId
    audience: Literal["adult", "teen", "child"]


record_circulation = kw.Put(CirculationEvent, rate="1.2M/day", peak="200/s", p99_ms=50)
month_of_branch = kw.Read(CirculationEvent, eq=["branch_id", "month"], order="-at", limit=1_000, rate="2/s", p99_ms=300)
week_of_branch = kw.Read(
    CirculationEvent,
    eq="branch_id",
    range="at",
    span=timedelta(days=7),
    order="-at",
    limit=500,
    fan_out=2,
    rate="3/s",
    p99_ms=300,
)

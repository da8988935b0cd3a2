"""Cash office: what patrons owe, why, and the payments that card and bank providers report."""

from datetime import datetime
from typing import Annotated, ClassVar, Literal
from uuid import UUID

from pydantic import BaseModel

import keywright as kw
from models.membership import Patron, PatronId

fines = kw.DynamoTable("fines", owner="finance")


class FineAccount(BaseModel):
    """What a patron owes, in cents; below zero it is a credit from an overpayment."""

    __store__: ClassVar = kw.Item(fines, pk="PATRON#{patron_id}", sk="BALANCE", kind="money", expected=12_000_000)

    patron_id: Annotated[PatronId, kw.Ref(Patron, on_missing="fail", max_referrers=1)]
    owed_cents: int


class FineEntry(BaseModel):
    """A line of the account: a fee or its waiver."""

    __store__: ClassVar = kw.Item(
        fines,
        pk="PATRON#{patron_id}",
        sk="ENTRY#{at:iso}#{entry_id}",
        kind="money",
        expected=90_000_000,
        active=0.01,
        keep_forever="the cities' auditors may ask for each cent; erased with the account",
    )

    patron_id: Annotated[PatronId, kw.Ref(Patron, on_missing="ignore", max_referrers=500)]
    at: datetime
    entry_id: UUID
    reason: Literal["overdue", "lost", "damaged", "room", "waiver"]
    amount_cents: int
    note: Annotated[str, kw.Size(avg=40, max=400)] = ""


open_account = kw.Put(FineAccount, if_absent=True, rate="3k/day", p99_ms=50)
charge = kw.Transact(
    [kw.Put(FineEntry, if_absent=True), kw.Increment(FineAccount, "owed_cents", by=50)],
    rate="120k/day",
    peak="40/s",
    p99_ms=100,
)
balance = kw.Get(FineAccount, eq="patron_id", consistency="strong", rate="200/s", peak="900/s", p99_ms=20)
statement = kw.Read(FineEntry, eq="patron_id", order="-at", limit=50, rate="10/s", peak="60/s", p99_ms=50)
statement_between = kw.Read(FineEntry, eq="patron_id", range="at", order="-at", limit=100, rate="1k/day", p99_ms=80)


book_payment = kw.Increment(FineAccount, "owed_cents", by=-1_500, rate="30k/day", peak="20/s", p99_ms=50)

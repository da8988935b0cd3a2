"""Postpaid billing: accounts, invoices, payments, dunning, and the jobs of a bill run."""

from datetime import date, datetime
from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, Field

import keywright as kw
from models.customers import ULID, Customer, CustomerId

AccountId = Annotated[str, Field(pattern=ULID), kw.Size(avg=26, max=26), kw.Cardinality(distinct=2_600_000)]
InvoiceNo = Annotated[str, Field(pattern=r"^R\d{12}$"), kw.Size(avg=13, max=13)]
RunId = Annotated[str, Field(pattern=r"^\d{4}-\d{2}-C[1-8]$"), kw.Size(avg=10, max=10), kw.Cardinality(distinct=200)]

of_customer = kw.Gsi("of_customer", pk="customer_id", sk="opened_at", project=["account_id", "cycle", "method"])
falling_due = kw.Gsi("falling_due", pk="gsi1pk", sk="gsi1sk", project=["account_id", "invoice_no", "status"])
next_steps = kw.Gsi("next_steps", pk="gsi2pk", sk="gsi2sk", project=["account_id", "case_id", "level", "status"])

billing = kw.DynamoTable(  # bill runs and the banks' files begin at one at night
    "billing",
    owner="billing",
    gsis=[of_customer, falling_due, next_steps],
    stream=kw.Stream(
        consumers=[
            kw.Consumer("accounting", idempotency=["payment_id"], on_failure="queue"),
            kw.Consumer("bill-delivery", idempotency=["invoice_no", "status"], on_failure="queue"),
        ]
    ),
)


Bank = Literal["rhein-1", "rhein-2", "nord-1", "giro-1"]


class BillingAccount(BaseModel):
    """What a customer owes; below nothing is a credit."""

    __store__: ClassVar = kw.Item(
        billing,
        pk="BILL#{account_id}",
        sk="ACCOUNT",
        kind="money",
        expected=2_600_000,
        active=0.2,
    )

    account_id: AccountId
    customer_id: Annotated[CustomerId, kw.Ref(Customer, on_missing="ignore", max_referrers=40)]
    owed_cents: int
    cycle: Annotated[int, Field(ge=1, le=8)]
    method: Literal["direct-debit", "card", "transfer"]
    iban_token: Annotated[str | None, Field(max_length=40), kw.Pii()] = None
    opened_at: datetime


class InvoiceItem(BaseModel):
    """A sum on the first page of an invoice."""

    title: Annotated[str, Field(max_length=80)]
    net_cents: int
    vat_percent: Annotated[int, Field(ge=0, le=30)]


class Invoice(BaseModel):
    """An invoice with the sums of its first page; the calls are itemised lines elsewhere."""

    __store__: ClassVar = kw.Item(
        billing,
        pk="BILL#{account_id}",
        sk="INVOICE#{invoice_no}",
        gsis=[
            falling_due.key(
                pk="DUE#{due_on:date}#{invoice_no:shard(8)}",
                sk="{invoice_no}",
                where={"status": kw.OneOf(["open", "reminded"])},
            ),
        ],
        kind="money",
        expected=300_000_000,
        active=0.01,
        keep_forever="commercial law asks for ten years; the archive job removes older ones with their accounts",
    )

    account_id: Annotated[AccountId, kw.Ref(BillingAccount, on_missing="fail", max_referrers=150)]
    invoice_no: InvoiceNo
    billed_name: Annotated[str, Field(max_length=120), kw.CopiedFrom(Customer, "name", sync="never"), kw.Pii()]
    items: Annotated[list[InvoiceItem], Field(min_length=1, max_length=60)]
    gross_cents: int
    status: Literal["open", "reminded", "paid", "written-off"]
    issued_on: date
    due_on: date


class Payment(BaseModel):
    """Money that arrived; its id is the day and the bank's reference, so a second delivery changes nothing."""

    __store__: ClassVar = kw.Item(
        billing,
        pk="BILL#{account_id}",
        sk="PAYMENT#{payment_id}",
        kind="money",
        expected=280_000_000,
        active=0.01,
        keep_forever="commercial law asks for ten years",
    )

    account_id: Annotated[AccountId, kw.Ref(BillingAccount, on_missing="fail", max_referrers=150)]
    payment_id: Annotated[str, Field(pattern=r"^\d{8}[A-Z0-9]{4,27}$"), kw.Size(avg=22, max=35)]
    invoice_no: InvoiceNo
    amount_cents: Annotated[int, Field(ge=1)]
    received_at: datetime


class BankLine(BaseModel):
    """A line of a bank's statement, which the matching job compares with open invoices."""

    __store__: ClassVar = kw.Item(
        billing,
        pk="BANK#{bank}#{booked_on:date}",
        sk="LINE#{line_id}",
        kind="money",
        expected=290_000_000,
        active=0.01,
        keep_forever="commercial law asks for ten years",
    )

    bank: Bank
    booked_on: date
    line_id: Annotated[str, Field(pattern=r"^[A-Z0-9]{8,27}$"), kw.Size(avg=16, max=27)]
    amount_cents: int
    payer: Annotated[str, Field(max_length=70), kw.Pii()]
    purpose: Annotated[str, kw.Size(avg=60, max=420), kw.Pii()]


store_bank_line = kw.Put(BankLine, if_absent=True, rate="1/s", peak="250/s", p99_ms=80)
bank_lines_of_day = kw.Read(BankLine, eq=["bank", "booked_on"], order="line_id", limit=300, rate="3k/day", p99_ms=300)
open_billing_account = kw.Put(BillingAccount, if_absent=True, rate="2k/day", p99_ms=50)
billing_account = kw.Get(
    BillingAccount, eq="account_id", consistency="strong", reads_back=[open_billing_account], rate="90/s", p99_ms=20
)
accounts_of_customer = kw.Read(
    BillingAccount,
    eq="customer_id",
    fields=["account_id", "cycle", "method"],
    order="opened_at",
    limit=40,
    rate="60/s",
    p99_ms=30,
)
issue_invoice = kw.Transact(
    [kw.Put(Invoice, if_absent=True), kw.Increment(BillingAccount, "owed_cents", by=3_200)],
    rate="1/s",
    peak="300/s",
    p99_ms=120,
)
receive_payment = kw.Transact(
    [
        kw.Put(Payment, if_absent=True),
        kw.Increment(BillingAccount, "owed_cents", by=-3_200),
        kw.Update(
            Invoice,
            eq=["account_id", "invoice_no", "due_on"],
            sets="status",
            where={"status": kw.OneOf(["open", "reminded"])},
        ),
    ],
    rate="1/s",
    peak="250/s",
    p99_ms=120,
)
invoice = kw.Get(Invoice, eq=["account_id", "invoice_no"], rate="30/s", peak="200/s", p99_ms=20)
invoices_of_account = kw.Read(Invoice, eq="account_id", order="-invoice_no", limit=24, rate="50/s", p99_ms=40)
payments_of_account = kw.Read(Payment, eq="account_id", order="-payment_id", limit=24, rate="20/s", p99_ms=40)
open_invoices_due = kw.Read(
    Invoice,
    eq="due_on",
    where={"status": "open"},
    fields=["account_id", "invoice_no", "status"],
    order="invoice_no",
    limit=500,
    fan_out=8,
    rate="2k/day",
    p99_ms=1_000,
)


class DunningStep(BaseModel):
    """Something that was done to get the money."""

    at: datetime
    action: Literal["sms", "letter", "call", "bar", "agency"]
    fee_cents: Annotated[int, Field(ge=0, le=10_000)]


class DunningCase(BaseModel):
    """The steps from the first reminder to the collection agency, as far as one account went."""

    __store__: ClassVar = kw.Item(
        billing,
        pk="BILL#{account_id}",
        sk="DUNNING#{case_id}",
        gsis=[
            next_steps.key(
                pk="NEXT#{next_on:date}#{case_id:shard(4)}",
                sk="{level:pad(2)}#{case_id}",
                where={"status": "open"},
            )
        ],
        expected=1_800_000,
        active=0.05,
    )

    account_id: Annotated[AccountId, kw.Ref(BillingAccount, on_missing="fail", max_referrers=40)]
    case_id: Annotated[str, Field(pattern=ULID), kw.Size(avg=26, max=26)]
    level: Annotated[int, Field(ge=1, le=9)]
    status: Literal["open", "settled", "sold"]
    owed_cents: Annotated[int, Field(ge=0)]
    steps: Annotated[list[DunningStep], Field(max_length=20)]
    next_on: date
    delete_after: Annotated[datetime | None, kw.Ttl()] = None


open_case = kw.Put(DunningCase, if_absent=True, rate="5k/day", p99_ms=80)
cases_of_day = kw.Read(
    DunningCase,
    eq="next_on",
    where={"status": "open"},
    fields=["account_id", "case_id", "level", "status"],
    limit=200,
    fan_out=4,
    rate="1k/day",
    p99_ms=500,
)
take_step = kw.Update(
    DunningCase, pushes="steps", sets=["level", "next_on"], where={"status": "open"}, rate="8k/day", p99_ms=80
)
close_case = kw.Update(
    DunningCase,
    eq=["account_id", "case_id", "level", "next_on"],
    sets=["status", "delete_after"],
    where={"status": "open"},
    rate="5k/day",
    p99_ms=80,
)


class BillJob(BaseModel):
    """A thousand accounts of a bill run, for one worker while its lease runs; the planner fails overdue ones."""

    __store__: ClassVar = kw.Item(
        billing, pk="RUN#{run_id}", sk="JOB#{number:pad(5)}", kind="queue", expected=9_000, active=0.3
    )

    run_id: RunId
    number: Annotated[int, Field(ge=1, le=99_999)]
    status: Literal["waiting", "running", "done", "failed"]
    worker: Annotated[str | None, Field(max_length=60)] = None
    attempts: Annotated[int, Field(ge=0, le=10)] = 0
    leased_until: datetime | None = None
    delete_after: Annotated[datetime, kw.Ttl()]


plan_jobs = kw.Put(BillJob, if_absent=True, rate="4/day", peak="10/s", batch=25, p99_ms=200)
lease_job = kw.Update(
    BillJob,
    sets=["status", "worker", "leased_until", "attempts"],
    where={"status": kw.OneOf(["waiting", "failed"])},
    rate="90/day",
    peak="5/s",
    p99_ms=80,
)
finish_job = kw.Update(
    BillJob,
    eq=["run_id", "number", "worker"],
    sets="status",
    where={"status": "running"},
    rate="90/day",
    peak="5/s",
    p99_ms=80,
)
jobs_of_run = kw.Read(BillJob, eq="run_id", order="number", limit=200, rate="10/s", p99_ms=100)

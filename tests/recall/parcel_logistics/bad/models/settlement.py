"""Cash on delivery, claims and the archive of signatures, in DynamoDB."""

from datetime import datetime, timedelta
from typing import Annotated, ClassVar, Literal
from uuid import UUID

from pydantic import BaseModel, Field

import keywright as kw
from models.accounts import Shipper
from models.shared import Cents, CourierId, ParcelNo, ShipperId

settlement = kw.DynamoTable(
    "settlement", owner="finance", lsis=[kw.Lsi("by_amount", sk="asked_cents"), kw.Lsi("by_filing", sk="filed_at")]
)


class CashCollection(BaseModel):
    """Money that a courier took at a door for a shipper; the terminal draws the receipt number."""

    __store__: ClassVar = kw.Item(
        settlement,
        pk="COD#{receipt_no}",
        sk="COLLECTION",
        expected=1_400_000_000,
        active=0.002,
        kind="money",
    )

    receipt_no: UUID
    parcel_no: ParcelNo
    shipper_id: Annotated[ShipperId, kw.Ref(Shipper, on_missing="fail", max_referrers=40_000_000)]
    courier_id: CourierId
    cents: Cents
    paid_by: Literal["cash", "card", "wallet"]
    collected_at: datetime


collect_cash = kw.Put(CashCollection, rate="6/s", peak="60/s", p99_ms=60)
collection = kw.Get(CashCollection, eq="receipt_no", rate="2/s", p99_ms=30)


class ClaimItem(BaseModel):
    """A thing that was in the parcel."""

    what: Annotated[str, Field(max_length=100)]
    cents: Cents


class Claim(BaseModel):
    """A shipper's demand for a parcel that was lost or damaged."""

    __store__: ClassVar = kw.Item(
        settlement,
        pk="CLAIMS#{shipper_id}",
        sk="CLAIM#{claim_id}",
        expected=110_000_000,
        active=0.01,
        kind="money",
    )

    claim_id: UUID
    shipper_id: Annotated[ShipperId, kw.Ref(Shipper, on_missing="fail", max_referrers=8_000_000)]
    parcel_no: ParcelNo
    filed_at: datetime
    status: Literal["filed", "in_review", "granted", "refused"]
    damage: Literal["lost", "broken", "wet", "opened"]
    account_of_events: Annotated[str, Field(max_length=2_000), kw.Size(avg=600, max=2_000)]
    items: Annotated[list[ClaimItem], Field(max_length=20)]
    asked_cents: Cents
    granted_cents: Cents | None = None


claim = kw.Get(Claim, eq=["shipper_id", "claim_id"], consistency="strong", rate="4/s", p99_ms=30)
latest_claims = kw.Read(
    Claim,
    eq="shipper_id",
    order="-filed_at",
    fields=["claim_id", "status", "filed_at", "asked_cents"],
    limit=50,
    rate="3/s",
    p99_ms=80,
)
highest_claims = kw.Read(
    Claim,
    eq="shipper_id",
    order="-asked_cents",
    fields=["claim_id", "status", "filed_at", "asked_cents"],
    limit=50,
    rate="4k/day",
    p99_ms=80,
)
file_claim = kw.Put(Claim, if_absent=True, rate="30k/day", peak="6/s", p99_ms=80)
review_claim = kw.Update(Claim, sets="status", where={"status": "filed"}, rate="30k/day", peak="4/s", p99_ms=80)
decide_claim = kw.Update(
    Claim, sets=["status", "granted_cents"], where={"status": "in_review"}, rate="30k/day", peak="4/s", p99_ms=80
)

archive = kw.DynamoTable("archive", owner="finance", discriminator=None, sk=None)


class SignatureRecord(BaseModel):
    """The signature for an insured parcel: five terabytes for ten years, asked for by courts and insurers."""

    __store__: ClassVar = kw.Item(archive, pk="SIGNATURE#{parcel_no}", expected=730_000_000, active=0.000_1)

    parcel_no: ParcelNo
    signed_by: Annotated[str, Field(max_length=80), kw.Size(avg=18, max=80), kw.Pii()]
    strokes: Annotated[bytes, kw.Size(avg=6_200, max=16_000), kw.Pii()]
    courier_id: CourierId
    signed_at: Annotated[datetime, kw.Ttl(after=timedelta(days=3_653))]


keep_signature = kw.Put(SignatureRecord, if_absent=True, rate="200k/day", peak="12/s", p99_ms=100)
signature = kw.Get(SignatureRecord, eq="parcel_no", rate="300/day", p99_ms=200)

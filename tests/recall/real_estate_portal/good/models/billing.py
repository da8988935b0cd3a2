"""What agencies pay for: credits and what was booked from them, promoted homes, and the feeds that fill the portal."""

from datetime import datetime
from typing import Annotated, ClassVar, Literal

import keywright as kw
from pydantic import BaseModel, Field

from .agencies import AgencyCard
from .listings import AgencyId, Listing, ListingId

BookingId = Annotated[str, Field(pattern=r"^[0-9A-Z]{26}$"), kw.Size(avg=26, max=26)]

ledger = kw.DynamoTable("ledger", owner="billing")
promotions = kw.DynamoTable("promotions", owner="billing")
feeds = kw.DynamoTable("feeds", owner="catalogue")


class CreditAccount(BaseModel):
    """The credits that an agency has left, never below zero."""

    __store__: ClassVar = kw.Item(
        ledger, pk="AGENCY#{agency_id}", sk="ACCOUNT", kind="money", keep_forever="books are kept for ten years"
    )

    agency_id: Annotated[AgencyId, kw.Ref(AgencyCard, on_missing="fail", max_referrers=1)]
    credits: Annotated[int, Field(ge=0)]
    opened_at: datetime


class CreditBooking(BaseModel):
    """One change of an account; its id is that of the request or of the provider's payment, so a repeat is refused."""

    __store__: ClassVar = kw.Item(
        ledger,
        pk="AGENCY#{agency_id}",
        sk="BOOKING#{booking_id}",
        kind="money",
        expected=100_000_000,
        active=0.01,
        keep_forever="books are kept for ten years",
    )

    agency_id: Annotated[AgencyId, kw.Ref(CreditAccount, on_missing="fail", max_referrers=50_000)]
    booking_id: BookingId
    reason: Literal["purchase", "publication", "promotion", "refund"]
    credits: int
    paid_minor: Annotated[int, Field(ge=0)] = 0
    booked_at: datetime


class Promotion(BaseModel):
    """A home that is shown above others until the promotion ends."""

    __store__: ClassVar = kw.Item(
        promotions, pk="LISTING#{listing_id}", sk="ENDS#{ends_at:iso}#{promotion_id}", expected=300_000
    )

    listing_id: Annotated[ListingId, kw.Ref(Listing, on_missing="hide", max_referrers=5)]
    promotion_id: Annotated[str, Field(pattern=r"^[0-9A-Z]{26}$"), kw.Size(avg=26, max=26)]
    slot: Literal["top", "gallery", "newsletter"]
    ends_at: Annotated[datetime, kw.Ttl()]


open_account = kw.Put(CreditAccount, if_absent=True, rate="40/day", p99_ms=80)
account = kw.Get(CreditAccount, eq="agency_id", consistency="strong", rate="30/s", p99_ms=25)
bookings = kw.Read(CreditBooking, eq="agency_id", order="-booking_id", limit=50, rate="10/s", p99_ms=40)
buy_credits = kw.Transact(
    [
        kw.Increment(CreditAccount, "credits", by=100),
        kw.Put(CreditBooking, if_absent=True),
    ],
    rate="4k/day",
    p99_ms=150,
)
spend_credit = kw.Transact(
    [
        kw.Increment(CreditAccount, "credits", by=-1, where={"credits": kw.AtLeast(1)}),
        kw.Put(CreditBooking, if_absent=True),
    ],
    rate="30k/day",
    peak="20/s",
    p99_ms=150,
)
promote = kw.Transact(
    [
        kw.Increment(CreditAccount, "credits", by=-5, where={"credits": kw.AtLeast(5)}),
        kw.Put(CreditBooking, if_absent=True),
        kw.Put(Promotion, if_absent=True),
    ],
    rate="12k/day",
    p99_ms=150,
)
running_promotions = kw.Read(
    Promotion, eq="listing_id", range="ends_at", order="ends_at", limit=5, rate="1.2k/s", peak="3k/s", p99_ms=20
)


class FeedRow(BaseModel):
    """A row of an agency's nightly feed as it came; the importer turns changed ones into listings."""

    __store__: ClassVar = kw.Item(feeds, pk="FEED#{agency_id}", sk="ROW#{external_id}", expected=9_000_000, active=0.6)

    agency_id: Annotated[AgencyId, kw.Ref(AgencyCard, on_missing="ignore", max_referrers=20_000)]
    external_id: Annotated[str, Field(pattern=r"^[A-Za-z0-9-]{1,40}$"), kw.Size(avg=14, max=40)]
    checksum: Annotated[str, Field(pattern=r"^[0-9a-f]{32}$"), kw.Size(avg=32, max=32)]
    payload: Annotated[str, kw.Size(avg=1_900, max=12_000)]
    received_at: datetime


import_rows = kw.Put(FeedRow, batch=25, rate="4/s", peak="60/s", p99_ms=250)
rows_of_feed = kw.Read(FeedRow, eq="agency_id", order="external_id", limit=100, rate="8/s", peak="60/s", p99_ms=100)
drop_row = kw.Delete(FeedRow, rate="70k/day", p99_ms=60)

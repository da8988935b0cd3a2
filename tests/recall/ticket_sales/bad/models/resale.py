"""Fans who sell to fans, what they are owed, and the promoters' feed of every sale."""

from datetime import date, timedelta
from typing import Annotated, ClassVar, Literal

from pydantic import AwareDatetime, BaseModel, Field

import keywright as kw
from models.catalogue import Cents, EventId, PromoterId, SectionName
from models.fans import Fan, FanId
from models.orders import Currency, Ticket, TicketId

ListingId = Annotated[str, Field(pattern=r"^[0-9A-HJKMNP-TV-Z]{26}$", max_length=26)]

on_offer = kw.Gsi("on_offer", pk="offer_pk", sk="offer_sk", project=["listing_id", "section", "asking", "ticket_id"])
due = kw.Gsi("due", pk="due_pk", sk="due_sk", project=["payout_id", "amount", "currency"])

resale = kw.DynamoTable("resale", owner="marketplace", gsis=[on_offer, due])
partner_feed = kw.DynamoTable("partner-feed", owner="promoters", discriminator=None)


class Listing(BaseModel):
    """A ticket that its owner sells, at most at the price that was paid."""

    __store__: ClassVar = kw.Item(
        resale,
        pk="LISTING#{listing_id}",
        sk="LISTING",
        gsis=[
            on_offer.key(pk="OFFER#{event_id}", sk="{asking:pad(8)}#{listing_id}", where={"state": "open"}),
        ],
        expected=9_000_000,
        active=0.05,
    )

    listing_id: ListingId
    seller_id: Annotated[FanId, kw.Ref(Fan, on_missing="ignore", max_referrers=500)]
    ticket_id: Annotated[TicketId, kw.Ref(Ticket, on_missing="hide", max_referrers=20)]
    event_id: EventId
    section: SectionName
    asking: Cents
    currency: Currency
    state: Literal["open", "sold", "withdrawn"]
    buyer_id: FanId | None = None
    listed_at: AwareDatetime
    purge_at: Annotated[AwareDatetime, kw.Ttl()]


listing = kw.Get(Listing, eq="listing_id", rate="80/s", peak="900/s", p99_ms=20)
cheapest_listings = kw.Read(
    Listing,
    eq="event_id",
    where={"state": "open"},
    order="asking",
    limit=40,
    fields=["listing_id", "section", "asking", "ticket_id"],
    rate="120/s",
    peak="900/s",
    hot_key="200/s",
    p99_ms=40,
)
offer_for_sale = kw.Transact(
    [
        kw.Put(Listing, if_absent=True),
        kw.Update(Ticket, eq=["ticket_id", "owner_id"], sets=["status", "revision"], where={"status": "valid"}),
    ],
    rate="15k/day",
    peak="80/s",
    p99_ms=120,
)
buy_listing = kw.Transact(
    [
        kw.Update(Listing, sets=["state", "buyer_id"], where={"state": "open"}),
        kw.Update(Ticket, sets=["owner_id", "status", "revision"], where={"status": "listed"}),
    ],
    rate="12k/day",
    peak="120/s",
    p99_ms=120,
)


class Payout(BaseModel):
    """What a seller gets five days after the event; the bank details are with the payment provider."""

    __store__: ClassVar = kw.Item(
        resale,
        pk="SELLER#{seller}",
        sk="PAYOUT#{due_on:date}#{payout_id}",
        gsis=[due.key(pk="DUE#{due_on:date}#{payout_id:shard(2)}", sk="{payout_id}", where={"state": "due"})],
        kind="money",
        expected=40_000_000,
        active=0.02,
        keep_forever="commercial law requires ten years, after which a yearly job moves them to the archive",
    )

    seller: Annotated[FanId, kw.Ref(Fan, on_missing="ignore", max_referrers=500)]
    due_on: date
    payout_id: Annotated[str, Field(pattern=r"^[0-9A-HJKMNP-TV-Z]{26}$", max_length=26)]
    listing_id: ListingId
    amount: Cents
    currency: Currency
    state: Literal["due", "sent", "returned"]


plan_payout = kw.Put(Payout, if_absent=True, rate="12k/day", peak="120/s", p99_ms=80)
payouts_due = kw.Read(
    Payout,
    eq="due_on",
    where={"state": "due"},
    limit=100,
    fan_out=2,
    fields=["payout_id", "amount", "currency"],
    rate="1/s",
    p99_ms=150,
)
mark_payout = kw.Update(Payout, sets="state", where={"state": "due"}, rate="12k/day", peak="50/s", p99_ms=80)


class PartnerSale(BaseModel):
    """A sold seat as its promoter sees it. For a minute one tour may be all that is sold: 3,000 seats a second."""

    __store__: ClassVar = kw.Item(
        partner_feed,
        pk="PROMOTER#{promoter_id}",
        sk="{sold_at:iso}#{sale_id}",
        kind="event",
        expected=15_000_000,
        active=0.05,
    )

    promoter_id: PromoterId
    sale_id: Annotated[str, Field(pattern=r"^[0-9A-HJKMNP-TV-Z]{26}$", max_length=26)]
    sold_at: AwareDatetime
    event_id: EventId
    section: SectionName
    seat: Annotated[str, Field(max_length=8)]
    amount: Cents
    currency: Currency
    purge_at: Annotated[AwareDatetime, kw.Ttl()]


report_sale = kw.Put(PartnerSale, if_absent=True, rate="160k/day", peak="3.6k/s", hot_key="3.2k/s", p99_ms=80)
sales_of_promoter = kw.Read(
    PartnerSale,
    eq="promoter_id",
    range="sold_at",
    span=timedelta(hours=1),
    order="sold_at",
    limit=100,
    rate="10/s",
    p99_ms=200,
)

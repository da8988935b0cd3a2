"""Listings and the offers about them: one DynamoDB partition for each listing, one accepted offer at most."""

from datetime import timedelta
from typing import Annotated, ClassVar, Literal
from uuid import UUID

from pydantic import AwareDatetime, BaseModel, Field

import keywright as kw
from models.common import Cents, ConversationId, Currency, ImageKey, ListingId, OfferId, Title, UserId
from models.members import cache

offers_by_buyer = kw.Gsi("offers_by_buyer", pk="buyer_id", sk=["created_at", "offer_id"])
offers_by_seller = kw.Gsi(
    "offers_by_seller",
    pk=["seller_id", "state"],
    sk=["created_at", "offer_id"],
    project=["listing_id", "amount_cents", "currency", "buyer_id"],
)
listings_by_seller = kw.Gsi(
    "listings_by_seller", pk="gsi3pk", sk="gsi3sk", project=["listing_id", "seller_id", "listed_at"]
)

trade = kw.DynamoTable(
    "trade",
    owner="offers",
    gsis=[offers_by_buyer, offers_by_seller, listings_by_seller],
    stream=kw.Stream(
        consumers=[
            kw.Consumer("offer-cards", idempotency=["offer_id", "state"], on_failure="queue"),
            kw.Consumer("evict-listing-cache", idempotency=["listing_id", "version"], on_failure="queue"),
        ]
    ),
)


class ListingCard(BaseModel):
    """A listing as the head of a conversation shows it; the catalogue owns it and publishes every change."""

    __store__: ClassVar = kw.Item(
        trade,
        pk="LISTING#{listing_id}",
        sk="CARD",
        gsis=[listings_by_seller.key(pk="SELLER#{seller_id}", sk="{listed_at:iso}")],
        expected=60_000_000,
        active=0.08,
    )

    listing_id: ListingId
    seller_id: UserId
    title: Title
    price_cents: Cents
    currency: Currency
    thumbnail: ImageKey | None = None
    state: Literal["active", "reserved", "sold", "withdrawn"]
    listed_at: AwareDatetime
    version: Annotated[int, Field(ge=1)]


cached_listing = kw.bind(
    ListingCard,
    kw.RedisCache(
        cache,
        key="listing:{listing_id}",
        ttl=timedelta(minutes=10),
        source_of_truth=ListingCard,
        expected=6_000_000,
    ),
)

listing_card = kw.Get(ListingCard, eq="listing_id", rate="800/s", peak="2.5k/s", p99_ms=15)
listing_shown = kw.Get(cached_listing, eq="listing_id", rate="9k/s", peak="25k/s", p99_ms=4)
fill_listing = kw.Put(cached_listing, rate="800/s", peak="2.5k/s", p99_ms=5)
evict_listing = kw.Delete(cached_listing, rate="100/s", p99_ms=5)
publish_listing = kw.Put(ListingCard, rate="12/s", peak="60/s", p99_ms=50)
change_listing = kw.Update(
    ListingCard, sets=["title", "price_cents", "thumbnail", "state", "version"], rate="90/s", peak="300/s", p99_ms=50
)
listings_of_seller = kw.Read(
    ListingCard,
    eq="seller_id",
    order="-listed_at",
    limit=30,
    fields=["listing_id", "seller_id", "listed_at"],
    rate="30/s",
    p99_ms=50,
)


class Offer(BaseModel):
    """A price that a buyer proposes; its amount never changes, a counter-offer is another offer."""

    __store__: ClassVar = kw.Item(
        trade,
        pk="LISTING#{listing_id}",
        sk="OFFER#{offer_id}",
        kind="money",
        expected=90_000_000,
        active=0.02,
        keep_forever="offers are evidence in disputes; the archive job exports and removes them after six years",
    )

    listing_id: Annotated[ListingId, kw.Ref(ListingCard, on_missing="ignore", max_referrers=500)]
    offer_id: OfferId
    conversation_id: ConversationId
    buyer_id: UserId
    seller_id: UserId
    amount_cents: Cents
    currency: Currency
    state: Literal["pending", "accepted", "declined", "withdrawn", "expired"] = "pending"
    counter_to: UUID | None = None
    created_at: AwareDatetime
    answer_until: AwareDatetime


class Reservation(BaseModel):
    """The accepted offer of a listing: there is one item for each listing, so there is one accepted offer."""

    __store__: ClassVar = kw.Item(
        trade,
        pk="LISTING#{listing_id}",
        sk="RESERVATION",
        expected=4_000_000,
        active=0.3,
        keep_forever="removed when the sale is completed or cancelled",
    )

    listing_id: Annotated[ListingId, kw.Ref(ListingCard, on_missing="fail")]
    offer_id: Annotated[OfferId, kw.Ref(Offer, on_missing="fail")]
    buyer_id: UserId
    reserved_at: AwareDatetime
    reserved_until: AwareDatetime


make_offer = kw.Put(Offer, if_absent=True, rate="25/s", peak="120/s", hot_key="5/s", p99_ms=60)
accept_offer = kw.Transact(
    [
        kw.Update(Offer, sets="state", where={"state": "pending"}),
        kw.Put(Reservation, if_absent=True),
        kw.Update(ListingCard, sets=["state", "version"], where={"state": "active"}),
    ],
    rate="4/s",
    peak="20/s",
    p99_ms=150,
)
close_offer = kw.Update(Offer, sets="state", where={"state": "pending"}, rate="20/s", peak="80/s", p99_ms=60)
offer = kw.Get(Offer, eq=["listing_id", "offer_id"], rate="150/s", p99_ms=20)
offers_of_listing = kw.Read(Offer, eq="listing_id", limit=50, rate="40/s", p99_ms=50)
offers_of_buyer = kw.Read(Offer, eq="buyer_id", order="-created_at", limit=30, rate="60/s", p99_ms=50)
offers_to_answer = kw.Read(
    Offer,
    eq="seller_id",
    where={"state": "pending"},
    order="-created_at",
    limit=30,
    fields=["listing_id", "offer_id", "buyer_id", "amount_cents", "currency", "created_at"],
    rate="70/s",
    p99_ms=50,
)
reservation = kw.Get(Reservation, eq="listing_id", consistency="strong", rate="90/s", p99_ms=20)
release_reservation = kw.Delete(Reservation, rate="3/s", p99_ms=60)

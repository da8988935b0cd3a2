"""Virtual money and goods: every balance changes together with the entry that explains it."""

from datetime import datetime, timedelta
from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, Field

import keywright as kw
from models.common import EventId, MatchId, PlayerId, Season
from models.players import Player, cache

purchases_of = kw.Gsi("purchases_of", pk="buyer_key", sk="buyer_sort")
open_listings = kw.Gsi("open_listings", pk="open_key", sk="open_sort")

economy = kw.DynamoTable(
    "economy",
    owner="economy",
    gsis=[purchases_of, open_listings],
    stream=kw.Stream(
        consumers=[kw.Consumer("fraud-review", idempotency="entry_id", on_failure="queue")],
    ),
)

ItemDefinition = Annotated[
    str, Field(pattern=r"^[a-z0-9_]{3,40}$"), kw.Size(avg=18, max=40), kw.Cardinality(distinct=12_000)
]


class Wallet(BaseModel):
    """A player's balance in one virtual currency."""

    __store__: ClassVar = kw.Item(
        economy,
        pk="WALLET#{player_id}",
        sk="BALANCE#{currency}",
        kind="money",
        expected=60_000_000,
        active=0.07,
        keep_forever="bought currency is owed to the player",
    )

    player_id: Annotated[PlayerId, kw.Ref(Player, on_missing="fail", max_referrers=2)]
    currency: Literal["gold", "gems"]
    balance: Annotated[int, Field(ge=0)]


class WalletEntry(BaseModel):
    """A credit or debit; its number comes from the match, purchase or sale behind it."""

    __store__: ClassVar = kw.Item(
        economy,
        pk="WALLET#{player_id}",
        sk="ENTRY#{entry_id}",
        kind="money",
        expected=20_000_000_000,
        active=0.005,
        keep_forever="the entries explain the balance; entries over three years old move to the archive",
    )

    player_id: Annotated[PlayerId, kw.Ref(Player, on_missing="ignore", max_referrers=20_000)]
    entry_id: EventId
    currency: Literal["gold", "gems"]
    amount: int
    reason: Literal["match", "purchase", "listing", "reward", "refund"]


open_wallets = kw.Put(Wallet, if_absent=True, batch=2, rate="40k/day", peak="100/s", p99_ms=80)
balances = kw.Read(Wallet, eq="player_id", limit=2, consistency="strong", rate="300/s", peak="1k/s", p99_ms=20)
wallet_history = kw.Read(WalletEntry, eq="player_id", order="-entry_id", limit=50, rate="20/s", p99_ms=40)
credit = kw.Transact(
    [kw.Put(WalletEntry, if_absent=True), kw.Increment(Wallet, "balance", by=50)],
    rate="150/s",
    peak="400/s",
    p99_ms=80,
)
compensate = kw.Increment(Wallet, "balance", by=100, rate="6k/day", peak="200/s", p99_ms=60)
debit = kw.Transact(
    [
        kw.Put(WalletEntry, if_absent=True),
        kw.Increment(Wallet, "balance", by=-200, where={"balance": kw.AtLeast(200)}),
    ],
    rate="20/s",
    peak="120/s",
    p99_ms=80,
)


class OwnedItem(BaseModel):
    """A thing that a player owns."""

    __store__: ClassVar = kw.Item(
        economy,
        pk="OWNER#{player_id}",
        sk="ITEM#{item_id}",
        expected=2_400_000_000,
        active=0.03,
        keep_forever="what a player owns stays",
    )

    player_id: Annotated[PlayerId, kw.Ref(Player, on_missing="fail", max_referrers=3_000)]
    item_id: EventId
    definition: ItemDefinition
    acquired_at: datetime
    tradable: bool


items = kw.Read(OwnedItem, eq="player_id", limit=200, rate="150/s", peak="700/s", p99_ms=60)
grant_item = kw.Put(OwnedItem, if_absent=True, rate="40/s", peak="200/s", p99_ms=50)


class Purchase(BaseModel):
    """A receipt of a platform's store; the receipt's number is the key, so it is honoured once."""

    __store__: ClassVar = kw.Item(
        economy,
        pk="RECEIPT#{store}#{receipt}",
        sk="PURCHASE",
        gsis=[purchases_of.key(pk="BUYER#{player_id}", sk="{bought_at:iso}")],
        kind="money",
        expected=90_000_000,
        active=0.01,
        keep_forever="receipts are kept for ten years, as tax law demands",
    )

    store: Literal["pc", "console_a", "console_b", "mobile_a", "mobile_b"]
    receipt: Annotated[str, Field(pattern=r"^[A-Za-z0-9._-]{10,80}$"), kw.Size(avg=36, max=80)]
    player_id: Annotated[PlayerId, kw.Ref(Player, on_missing="ignore", max_referrers=2_000)]
    product: Annotated[str, Field(max_length=60)]
    price_minor: Annotated[int, Field(ge=0)]
    currency: Annotated[str, Field(pattern=r"^[A-Z]{3}$")]
    bought_at: datetime
    state: Literal["verified", "granted", "refunded"]


record_purchase = kw.Put(Purchase, if_absent=True, rate="80k/day", peak="50/s", p99_ms=80)
purchase_granted = kw.Update(
    Purchase, sets="state", where={"state": "verified"}, rate="80k/day", peak="50/s", p99_ms=80
)
purchases = kw.Read(
    Purchase, eq="player_id", order="-bought_at", limit=50, reads_back=[record_purchase], rate="2/s", p99_ms=60
)


class MarketListing(BaseModel):
    """An item that a player sells to another; one buyer gets it, because the state is a condition."""

    __store__: ClassVar = kw.Item(
        economy,
        pk="LISTING#{listing_id}",
        sk="LISTING",
        gsis=[
            open_listings.key(
                pk="FOR-SALE#{definition}#{listing_id:shard(200)}",
                sk="{price:pad(9)}#{listing_id}",
                where={"state": "open"},
            )
        ],
        expected=40_000_000,
        active=0.05,
    )

    listing_id: EventId
    seller_id: Annotated[PlayerId, kw.Ref(Player, on_missing="hide", max_referrers=200)]
    buyer_id: PlayerId | None = None
    definition: Annotated[ItemDefinition, kw.CopiedFrom(OwnedItem, "definition", sync="never")]
    item_id: Annotated[EventId, kw.Ref(OwnedItem, on_missing="fail", max_referrers=5)]
    price: Annotated[int, Field(ge=1, le=999_999_999)]
    state: Literal["open", "sold", "withdrawn"]
    purge_at: Annotated[datetime, kw.Ttl()]


cheapest_listings = kw.Read(
    MarketListing,
    eq="definition",
    where={"state": "open"},
    order="price",
    limit=40,
    fan_out=200,
    rate="60/s",
    peak="300/s",
    p99_ms=40,
)
offer_for_sale = kw.Put(MarketListing, if_absent=True, rate="300k/day", peak="20/s", p99_ms=60)
buy_listing = kw.Transact(
    [
        kw.Update(
            MarketListing,
            sets=["state", "buyer_id", "definition", "price"],
            where={"state": "open"},
        ),
        kw.Put(WalletEntry, if_absent=True, batch=2),
        kw.Increment(Wallet, "balance", by=-400, where={"balance": kw.AtLeast(400)}),
        kw.Increment(Wallet, "balance", by=380),
        kw.Delete(OwnedItem),
        kw.Put(OwnedItem, if_absent=True),
    ],
    rate="200k/day",
    peak="15/s",
    p99_ms=120,
)


class SeasonPass(BaseModel):
    """A player's progress in a season."""

    __store__: ClassVar = kw.Item(economy, pk="OWNER#{player_id}", sk="PASS#{season}", expected=60_000_000, active=0.05)

    player_id: Annotated[PlayerId, kw.Ref(Player, on_missing="fail", max_referrers=40)]
    season: Season
    premium: bool = False
    points: Annotated[int, Field(ge=0)] = 0
    purge_at: Annotated[datetime, kw.Ttl()]


class PassCredit(BaseModel):
    """The points of one match, so that a match that is reported twice counts once."""

    __store__: ClassVar = kw.Item(
        economy, pk="OWNER#{player_id}", sk="CREDIT#{match_id}", kind="event", expected=600_000_000, active=0.02
    )

    player_id: Annotated[PlayerId, kw.Ref(Player, on_missing="ignore", max_referrers=1_000)]
    match_id: MatchId
    points: Annotated[int, Field(ge=0, le=1_000)]


start_season = kw.Put(SeasonPass, if_absent=True, rate="400k/day", peak="500/s", p99_ms=60)
season_pass = kw.Get(SeasonPass, eq=["player_id", "season"], rate="200/s", peak="900/s", p99_ms=20)
earn_points = kw.Transact(
    [kw.Put(PassCredit, if_absent=True), kw.Increment(SeasonPass, "points", by=120)],
    rate="120/s",
    peak="300/s",
    p99_ms=100,
)
buy_pass = kw.Update(SeasonPass, sets="premium", rate="20k/day", peak="100/s", p99_ms=60)


class StoreOffer(BaseModel):
    """An offer of the shop; all players open the same few, so a cache takes the reads."""

    __store__: ClassVar = kw.Item(economy, pk="OFFER#{offer_id}", sk="OFFER", expected=2_000, active=0.05)

    offer_id: EventId
    definition: ItemDefinition
    price: Annotated[int, Field(ge=1)]
    currency: Literal["gold", "gems"]
    starts_at: datetime
    ends_at: datetime
    purge_at: Annotated[datetime, kw.Ttl()]


cached_offer = kw.bind(
    StoreOffer, kw.RedisCache(cache, key="offer:{offer_id}", ttl=timedelta(minutes=2), source_of_truth=StoreOffer)
)

offer = kw.Get(StoreOffer, eq="offer_id", rate="5/s", p99_ms=15)
offer_page = kw.Get(cached_offer, eq="offer_id", rate="1k/s", peak="6k/s", p99_ms=5)
publish_offer = kw.Put(StoreOffer, if_absent=True, rate="60/day", p99_ms=60)

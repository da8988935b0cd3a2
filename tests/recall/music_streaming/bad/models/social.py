"""Artists that listeners follow, and how their new releases reach the feeds."""

from datetime import datetime, timedelta
from typing import Annotated, ClassVar

from pydantic import BaseModel, Field

import keywright as kw

from .accounts import ListenerId
from .catalogue import AlbumId, Artist, ArtistId

social = kw.Keyspace("social", owner="social")


class FollowedArtist(BaseModel):
    """An artist whom a listener follows; at most five thousand for each listener."""

    __store__: ClassVar = kw.CqlTable(
        social,
        "followed_artists",
        partition="listener_id",
        clustering="artist_id",
        compaction=kw.Unified(scaling="L4"),
        expected=400_000_000,
        active=0.1,
        keep_forever="removed by the listener, or with the account",
    )

    listener_id: ListenerId
    artist_id: Annotated[ArtistId, kw.Ref(Artist, on_missing="hide", max_referrers=12_000_000)]
    artist_name: Annotated[
        str, Field(max_length=200), kw.Size(avg=16, max=400), kw.CopiedFrom(Artist, "name", sync="job")
    ]
    followed_at: datetime


class ArtistFollower(BaseModel):
    """The same link from the artist's side: the followers in 256 parts, read one after another when a release comes."""

    __store__: ClassVar = kw.CqlTable(
        social,
        "artist_followers",
        partition=["artist_id", "part"],
        clustering="listener_id",
        computed={"part": "{listener_id:shard(256)}"},
        compaction=kw.Unified(),
        expected=400_000_000,
        active=0.1,
        keep_forever="removed by the listener, or with the account",
    )

    artist_id: Annotated[ArtistId, kw.Ref(Artist, on_missing="ignore", max_referrers=12_000_000)]
    listener_id: ListenerId
    followed_at: datetime


follow_artist = kw.Transact([kw.Put(FollowedArtist), kw.Put(ArtistFollower)], rate="15/s", peak="60/s", p99_ms=100)
unfollow_artist = kw.Transact(
    [kw.Delete(FollowedArtist), kw.Delete(ArtistFollower)], rate="3/s", peak="10/s", p99_ms=100
)
artists_of_listener = kw.Read(FollowedArtist, eq="listener_id", limit=100, rate="250/s", peak="700/s", p99_ms=30)
followers_of_part = kw.Read(
    ArtistFollower, eq=["artist_id", "part"], limit=1_000, rate="40/s", peak="250/s", p99_ms=100
)


class FanOutTask(BaseModel):
    """A part of an artist's followers whose feeds get a release; a repeated task writes the same items."""

    __store__: ClassVar = kw.CqlTable(
        social,
        "fan_out_tasks",
        partition="lane",
        clustering=["queued_at", "album_id", "part"],
        compaction=kw.Unified(),
        expected=20_000,
        kind="queue",
    )

    lane: Annotated[int, Field(ge=0, le=15), kw.Cardinality(distinct=16)]
    queued_at: datetime
    album_id: AlbumId
    artist_id: ArtistId
    part: Annotated[str, Field(pattern=r"^\d{3}$"), kw.Size(avg=3, max=3)]


order_fan_out = kw.Put(FanOutTask, rate="40/s", peak="250/s", p99_ms=40)
next_fan_outs = kw.Read(
    FanOutTask, eq="lane", order="queued_at", limit=10, consistency="strong", rate="10/s", peak="60/s", p99_ms=40
)
finish_fan_out = kw.Delete(FanOutTask, rate="40/s", peak="250/s", p99_ms=40)


class FeedItem(BaseModel):
    """A new release by an artist whom the listener follows; written once and gone after three months."""

    __store__: ClassVar = kw.CqlTable(
        social,
        "feed_items",
        partition="listener_id",
        clustering=["released_at", "album_id"],
        ttl=timedelta(days=90),
        compaction=kw.TimeWindow(window=timedelta(days=3)),
        expected=900_000_000,
        active=0.03,
        kind="feed",
    )

    listener_id: ListenerId
    released_at: datetime
    album_id: AlbumId
    artist_id: ArtistId
    title: Annotated[str, Field(max_length=300), kw.Size(avg=24, max=600)]


write_feed_items = kw.Put(FeedItem, rate="120/s", peak="3k/s", p99_ms=80)
feed_of_listener = kw.Read(
    FeedItem, eq="listener_id", order="-released_at", limit=30, rate="300/s", peak="900/s", p99_ms=40
)

"""Playlists: their tracks in an order that listeners change, and the changes for the search index."""

from datetime import datetime, timedelta
from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, Field

import keywright as kw

from .accounts import ListenerId, cache
from .catalogue import TrackId
from .royalties import work

PlaylistId = Annotated[
    str, Field(pattern=r"^[0-9A-Za-z]{22}$"), kw.Size(avg=22, max=22), kw.Cardinality(distinct=70_000_000)
]

playlists = kw.Keyspace("playlists", owner="playlists")
search_index = kw.ConsumerGroup("search-index", idempotency="change_id", claim_after=timedelta(minutes=1))


class Playlist(BaseModel):
    """The head of a playlist; it is made private before it is deleted."""

    __store__: ClassVar = kw.CqlTable(
        playlists,
        "playlists",
        partition="playlist_id",
        compaction=kw.Unified(scaling="L4"),
        expected=70_000_000,
        active=0.15,
        keep_forever="removed by its owner, or with the account",
    )

    playlist_id: PlaylistId
    owner_id: ListenerId
    title: Annotated[str, Field(max_length=100), kw.Size(avg=18, max=200)]
    description: Annotated[str, Field(max_length=300), kw.Size(avg=30, max=600)] = ""
    shared: Literal["private", "link", "public"]
    changed_at: datetime


playlist = kw.Get(Playlist, eq="playlist_id", consistency="strong", rate="1.2k/s", peak="3.5k/s", p99_ms=25)
create_playlist = kw.Put(Playlist, if_absent=True, rate="120k/day", p99_ms=400)
edit_playlist = kw.Update(Playlist, sets=["title", "description", "shared", "changed_at"], rate="30k/day", p99_ms=400)
delete_playlist = kw.Delete(Playlist, where={"shared": "private"}, rate="15k/day", p99_ms=400)

cached_playlist = kw.bind(
    Playlist,
    kw.RedisCache(
        cache,
        key="playlist:{playlist_id}",
        ttl=timedelta(minutes=15),
        source_of_truth=Playlist,
        expected=600_000,
        kind="cache",
    ),
)
playlist_head = kw.Get(cached_playlist, eq="playlist_id", rate="8k/s", peak="24k/s", p99_ms=5)
cache_playlist = kw.Put(cached_playlist, rate="1.2k/s", peak="3.5k/s", p99_ms=10)
forget_cached_playlist = kw.Delete(cached_playlist, rate="50k/day", p99_ms=10)


class PlaylistOfListener(BaseModel):
    """A playlist in a listener's library, own or followed; at most two thousand for each listener."""

    __store__: ClassVar = kw.CqlTable(
        playlists,
        "playlists_of_listeners",
        partition="listener_id",
        clustering="playlist_id",
        compaction=kw.Unified(scaling="L4"),
        expected=180_000_000,
        active=0.2,
        keep_forever="removed by the listener, or with the account",
    )

    listener_id: ListenerId
    playlist_id: Annotated[PlaylistId, kw.Ref(Playlist, on_missing="hide", max_referrers=9_000_000)]
    own: bool
    added_at: datetime


add_to_library = kw.Put(PlaylistOfListener, rate="200k/day", p99_ms=40)
library = kw.Read(
    PlaylistOfListener,
    eq="listener_id",
    limit=200,
    consistency="strong",
    reads_back=[add_to_library],
    rate="400/s",
    peak="1.2k/s",
    p99_ms=40,
)
remove_from_library = kw.Delete(PlaylistOfListener, rate="40k/day", p99_ms=40)


class PlaylistTrack(BaseModel):
    """A track of a playlist; its position is a text between its neighbours', so that a move writes one row anew."""

    __store__: ClassVar = kw.CqlTable(
        playlists,
        "playlist_tracks",
        partition="playlist_id",
        clustering=["position", "entry_id"],
        compaction=kw.Unified(),
        expected=2_800_000_000,
        active=0.1,
        keep_forever="lasts as long as the playlist, with ten thousand tracks at most",
    )

    playlist_id: PlaylistId
    position: Annotated[str, Field(pattern=r"^[0-9a-z]{1,24}$"), kw.Size(avg=8, max=24)]
    entry_id: Annotated[str, Field(pattern=r"^[0-9A-Z]{10}$"), kw.Size(avg=10, max=10)]
    track_id: TrackId
    added_by: ListenerId
    added_at: datetime


add_track = kw.Put(PlaylistTrack, rate="40/s", peak="120/s", p99_ms=40)
remove_track = kw.Delete(PlaylistTrack, rate="10/s", peak="30/s", p99_ms=40)
tracks_of_playlist = kw.Read(
    PlaylistTrack,
    eq="playlist_id",
    order="position",
    limit=200,
    consistency="strong",
    reads_back=[add_track],
    rate="700/s",
    peak="2k/s",
    p99_ms=50,
)


class PlaylistChange(BaseModel):
    """A change of a public playlist, for the search index."""

    __store__: ClassVar = kw.RedisStream(
        work, key="events:playlists", keep=2_000_000, groups=[search_index], kind="event"
    )

    change_id: Annotated[str, Field(pattern=r"^[0-9A-Z]{26}$"), kw.Size(avg=26, max=26)]
    playlist_id: PlaylistId
    type: Literal["created", "retitled", "track-added", "track-removed", "deleted"]


announce_change = kw.Put(PlaylistChange, rate="30/s", peak="90/s", p99_ms=20)
changes_to_index = kw.Take(PlaylistChange, group=search_index, limit=50, rate="5/s", peak="20/s", p99_ms=20)

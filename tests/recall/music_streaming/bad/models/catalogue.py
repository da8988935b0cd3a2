"""The catalogue: artists, albums and tracks, delivered by labels and read far more often than changed."""

from datetime import date, datetime, timedelta
from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, Field

import keywright as kw

from .accounts import Market, cache

ArtistId = Annotated[
    str, Field(pattern=r"^[0-9A-Za-z]{22}$"), kw.Size(avg=22, max=22), kw.Cardinality(distinct=3_000_000)
]
AlbumId = Annotated[
    str, Field(pattern=r"^[0-9A-Za-z]{22}$"), kw.Size(avg=22, max=22), kw.Cardinality(distinct=5_000_000)
]
TrackId = Annotated[
    str, Field(pattern=r"^[0-9A-Za-z]{22}$"), kw.Size(avg=22, max=22), kw.Cardinality(distinct=40_000_000)
]
RightsHolderId = Annotated[
    str, Field(pattern=r"^[0-9A-Z]{12}$"), kw.Size(avg=12, max=12), kw.Cardinality(distinct=300_000)
]

catalogue = kw.Keyspace("catalogue", owner="catalogue")


class Artist(BaseModel):
    """An artist's page."""

    __store__: ClassVar = kw.CqlTable(
        catalogue,
        "artists",
        partition="artist_id",
        compaction=kw.Leveled(),
        expected=3_000_000,
        keep_forever="the catalogue is permanent",
    )

    artist_id: ArtistId
    name: Annotated[str, Field(max_length=200), kw.Size(avg=16, max=400)]
    biography: Annotated[str, kw.Size(avg=900, max=12_000)]
    genres: Annotated[list[Annotated[str, Field(max_length=40)]], Field(max_length=10)]
    portrait: Annotated[bytes, kw.Size(avg=5_000_000, max=12_000_000)]


artist = kw.Get(Artist, eq="artist_id", fields=["name", "biography", "genres"], rate="900/s", peak="2.5k/s", p99_ms=25)
portrait_of_artist = kw.Get(Artist, eq="artist_id", fields="portrait", rate="20/s", peak="60/s", p99_ms=300)
write_artist = kw.Put(Artist, rate="6k/day", p99_ms=400)


class Track(BaseModel):
    """A recording with its rights."""

    __store__: ClassVar = kw.CqlTable(
        catalogue,
        "tracks",
        partition="track_id",
        compaction=kw.Leveled(),
        expected=40_000_000,
        active=0.1,
        keep_forever="the catalogue is permanent",
    )

    track_id: TrackId
    isrc: Annotated[str, Field(pattern=r"^[A-Z]{2}[0-9A-Z]{3}[0-9]{7}$"), kw.Size(avg=12, max=12)]
    title: Annotated[str, Field(max_length=300), kw.Size(avg=22, max=600)]
    artist_id: Annotated[ArtistId, kw.Ref(Artist, on_missing="ignore", max_referrers=20_000)]
    artist_name: Annotated[
        str, Field(max_length=200), kw.Size(avg=16, max=400), kw.CopiedFrom(Artist, "name", sync="job")
    ]
    album_id: AlbumId
    rights_holder_id: RightsHolderId
    duration_ms: Annotated[int, Field(ge=0, le=36_000_000)]
    explicit: bool
    blocked_in: Annotated[list[Market], Field(max_length=60)] = []


track = kw.Get(Track, eq="track_id", rate="5k/s", peak="13k/s", p99_ms=150)
write_track = kw.Put(Track, rate="90k/day", p99_ms=60)

cached_track = kw.bind(
    Track,
    kw.RedisCache(
        cache,
        key="track:{track_id}",
        ttl=timedelta(seconds=1),
        source_of_truth=Track,
        expected=2_500_000,
        kind="cache",
    ),
)
track_to_play = kw.Get(cached_track, eq="track_id", rate="7k/s", peak="18k/s", hot_key="2k/s", p99_ms=5)
cache_track = kw.Put(cached_track, rate="5k/s", peak="13k/s", p99_ms=10)
forget_cached_track = kw.Delete(cached_track, rate="90k/day", p99_ms=10)


class AlbumTrack(BaseModel):
    """A track in the order of its album; title and label of the album stand once in its partition."""

    __store__: ClassVar = kw.CqlTable(
        catalogue,
        "album_tracks",
        partition="album_id",
        clustering=["disc", "number"],
        static=["album_title", "label", "released_on"],
        compaction=kw.Leveled(),
        expected=42_000_000,
        active=0.1,
        keep_forever="the catalogue is permanent",
    )

    album_id: AlbumId
    album_title: Annotated[str, Field(max_length=300), kw.Size(avg=24, max=600)]
    label: Annotated[str, Field(max_length=120), kw.Size(avg=18, max=240)]
    released_on: date
    disc: Annotated[int, Field(ge=1, le=40)]
    number: Annotated[int, Field(ge=1, le=300)]
    track_id: Annotated[TrackId, kw.Ref(Track, on_missing="hide", max_referrers=40)]
    title: Annotated[str, Field(max_length=300), kw.Size(avg=22, max=600), kw.CopiedFrom(Track, "title", sync="job")]
    duration_ms: Annotated[int, Field(ge=0, le=36_000_000)]


album = kw.Read(AlbumTrack, eq="album_id", order=["disc", "number"], limit=50, rate="900/s", peak="2.4k/s", p99_ms=40)
write_album_track = kw.Put(AlbumTrack, batch=10, rate="9k/day", p99_ms=80)


class ArtistRelease(BaseModel):
    """An album, single or compilation of an artist, latest first."""

    __store__: ClassVar = kw.CqlTable(
        catalogue,
        "artist_releases",
        partition="artist_id",
        clustering=["-released_on", "album_id"],
        compaction=kw.Leveled(),
        expected=7_000_000,
        keep_forever="the catalogue is permanent",
    )

    artist_id: Annotated[ArtistId, kw.Ref(Artist, on_missing="ignore", max_referrers=2_000)]
    released_on: date
    album_id: AlbumId
    title: Annotated[
        str, Field(max_length=300), kw.Size(avg=24, max=600), kw.CopiedFrom("AlbumTrack", "album_title", sync="job")
    ]
    form: Literal["album", "single", "compilation"]
    delivered_at: datetime


releases_of_artist = kw.Read(
    ArtistRelease, eq="artist_id", order="-released_on", limit=50, rate="350/s", peak="1k/s", p99_ms=30
)
write_release = kw.Put(ArtistRelease, rate="14k/day", p99_ms=60)

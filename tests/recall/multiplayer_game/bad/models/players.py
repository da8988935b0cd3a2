"""Accounts, friends and guilds: one DynamoDB table, because profile, friends and guild are opened together."""

from datetime import date, datetime, timedelta
from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, Field

import keywright as kw
from models.common import DisplayName, EventId, GuildId, PlayerId, Region

by_player = kw.Gsi("by_player", pk="player_key", sk="player_sort")

players = kw.DynamoTable(
    "players",
    owner="accounts",
    gsis=[by_player],
    stream=kw.Stream(
        consumers=[
            kw.Consumer("profile-cache", idempotency=["player_id", "revision"], on_failure="queue"),
            kw.Consumer("guild-directory", idempotency=["guild_id", "revision"], on_failure="queue"),
        ]
    ),
)
cache = kw.RedisServer("game-cache", role="cache", owner="accounts")


class Player(BaseModel):
    """A player's account and public profile."""

    __store__: ClassVar = kw.Item(
        players,
        pk="PLAYER#{player_id}",
        sk="PROFILE",
        expected=30_000_000,
        active=0.07,
        keep_forever="players return after years; closing an account deletes it",
    )

    player_id: PlayerId
    display_name: DisplayName
    region: Region
    country: Annotated[str, Field(pattern=r"^[A-Z]{2}$"), kw.Size(avg=2, max=2)]
    level: Annotated[int, Field(ge=1, le=500)] = 1
    avatar: Annotated[str, Field(max_length=40)] = "default"
    created_at: datetime
    revision: Annotated[int, Field(ge=1)] = 1


cached_player = kw.bind(
    Player, kw.RedisCache(cache, key="player:{player_id}", ttl=timedelta(minutes=5), source_of_truth=Player)
)

player = kw.Get(Player, eq="player_id", rate="1.2k/s", peak="4k/s", p99_ms=15)
player_card = kw.Get(cached_player, eq="player_id", rate="15k/s", peak="40k/s", p99_ms=5)
change_avatar = kw.Update(Player, sets=["avatar", "revision"], rate="60k/day", peak="20/s", p99_ms=50)
set_level = kw.Update(Player, sets=["level", "revision"], rate="20/s", peak="60/s", p99_ms=50)


class NameClaim(BaseModel):
    """Keeps a name, folded to one spelling, for one player."""

    __store__: ClassVar = kw.Item(
        players,
        pk="NAME#{folded_name}",
        sk="CLAIM",
        expected=30_000_000,
        active=0.01,
        keep_forever="a name belongs to its player as long as the account exists",
    )

    folded_name: Annotated[str, Field(pattern=r"^[a-z0-9_]{3,20}$"), kw.Size(avg=10, max=20)]
    player_id: Annotated[PlayerId, kw.Ref(Player, on_missing="ignore", max_referrers=1)]


rename_player = kw.Transact(
    [
        kw.Put(NameClaim, if_absent=True),
        kw.Delete(NameClaim),
        kw.Update(Player, sets=["display_name", "revision"]),
    ],
    rate="8k/day",
    p99_ms=120,
)


class PlatformIdentity(BaseModel):
    """A login of a platform, found by the keyed hash of its subject."""

    __store__: ClassVar = kw.Item(
        players,
        pk="IDENTITY#{platform}#{subject_hash}",
        sk="IDENTITY",
        expected=38_000_000,
        active=0.07,
        keep_forever="a login lasts as long as the account",
    )

    platform: Literal["pc", "console_a", "console_b", "mobile_a", "mobile_b"]
    subject_hash: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$"), kw.Size(avg=64, max=64)]
    player_id: Annotated[PlayerId, kw.Ref(Player, on_missing="fail", max_referrers=5)]
    linked_at: datetime


identity = kw.Get(PlatformIdentity, eq=["platform", "subject_hash"], rate="60/s", peak="600/s", p99_ms=20)
register = kw.Transact(
    [
        kw.Put(Player, if_absent=True),
        kw.Put(NameClaim, if_absent=True),
        kw.Put(PlatformIdentity, if_absent=True),
    ],
    rate="40k/day",
    peak="100/s",
    p99_ms=120,
)


class LoginRecord(BaseModel):
    """A login, kept for ninety days for the security team."""

    __store__: ClassVar = kw.Item(
        players, pk="LOGINS#{day:date}", sk="{at:iso}#{player_id}", kind="event", expected=900_000_000, active=0.01
    )

    day: date
    at: datetime
    player_id: Annotated[PlayerId, kw.Ref(Player, on_missing="ignore", max_referrers=2_000)]
    platform: Literal["pc", "console_a", "console_b", "mobile_a", "mobile_b"]
    expires_at: Annotated[datetime, kw.Ttl()]


record_login = kw.Put(LoginRecord, rate="120/s", peak="1.5k/s", p99_ms=50)
logins_of_day = kw.Read(LoginRecord, eq="day", order="-at", limit=200, rate="500/day", p99_ms=200)


class Friendship(BaseModel):
    """One side of a friendship; both sides are written together."""

    __store__: ClassVar = kw.Item(
        players,
        pk="PLAYER#{player_id}",
        sk="FRIEND#{friend_id}",
        expected=600_000_000,
        active=0.03,
        keep_forever="friends stay friends until one of them ends it",
    )

    player_id: Annotated[PlayerId, kw.Ref(Player, on_missing="hide", max_referrers=300)]
    friend_id: Annotated[
        PlayerId,
        kw.Ref(Player, on_missing="hide", max_referrers=300, two_way="each of the two opens a list of friends"),
    ]
    since: datetime
    nickname: Annotated[str | None, Field(max_length=20), kw.Pii()] = None


friends = kw.Read(Friendship, eq="player_id", limit=300, rate="500/s", peak="2k/s", p99_ms=40)
befriend = kw.Transact([kw.Put(Friendship, batch=2)], rate="300k/day", peak="40/s", p99_ms=100)
unfriend = kw.Transact([kw.Delete(Friendship, batch=2)], rate="80k/day", p99_ms=100)


class FriendRequest(BaseModel):
    """An invitation that waits for an answer, for thirty days at most."""

    __store__: ClassVar = kw.Item(
        players, pk="PLAYER#{player_id}", sk="REQUEST#{from_id}", expected=20_000_000, active=0.05
    )

    player_id: Annotated[PlayerId, kw.Ref(Player, on_missing="hide", max_referrers=100)]
    from_id: Annotated[PlayerId, kw.Ref(Player, on_missing="hide", max_referrers=100)]
    sent_at: datetime
    expires_at: Annotated[datetime, kw.Ttl()]


request_friend = kw.Put(FriendRequest, rate="500k/day", peak="60/s", p99_ms=60)
friend_requests = kw.Read(FriendRequest, eq="player_id", limit=50, rate="300/s", peak="1k/s", p99_ms=40)
answer_request = kw.Delete(FriendRequest, rate="400k/day", p99_ms=60)


class PromoCode(BaseModel):
    """A code of a campaign, which players may redeem until `expires_at`."""

    __store__: ClassVar = kw.Item(players, pk="CODE#{code}", sk="CODE", kind="token", expected=2_000_000)

    code: Annotated[str, Field(pattern=r"^[A-Z0-9]{12}$"), kw.Size(avg=12, max=12)]
    reward: Annotated[str, Field(max_length=40)]
    expires_at: Annotated[datetime, kw.Ttl()]


issue_code = kw.Put(PromoCode, if_absent=True, rate="30k/day", p99_ms=60)
promo_code = kw.Get(PromoCode, eq="code", rate="2/s", peak="300/s", p99_ms=20)


class Sanction(BaseModel):
    """A mute, suspension or ban with the evidence that a moderator gave."""

    __store__: ClassVar = kw.Item(
        players,
        pk="PLAYER#{player_id}",
        sk="SANCTION#{at:iso}#{sanction_id}",
        expected=3_000_000,
        active=0.01,
        keep_forever="appeals and repeated offences need all of them",
    )

    player_id: Annotated[PlayerId, kw.Ref(Player, on_missing="ignore", max_referrers=100)]
    sanction_id: EventId
    at: datetime
    type: Literal["mute", "suspension", "ban"]
    reason: Annotated[str, kw.Size(avg=120, max=1_000)]
    until: datetime | None = None


sanction = kw.Put(Sanction, if_absent=True, rate="4k/day", p99_ms=60)
sanctions = kw.Read(
    Sanction, eq="player_id", order="-at", limit=20, consistency="strong", rate="80/s", peak="600/s", p99_ms=30
)


class Guild(BaseModel):
    """A guild with its number of members, which the join transaction keeps within a hundred."""

    __store__: ClassVar = kw.Item(
        players,
        pk="GUILD#{guild_id}",
        sk="GUILD",
        expected=900_000,
        active=0.2,
        keep_forever="a guild lasts until its leader dissolves it",
    )

    guild_id: GuildId
    name: Annotated[str, Field(min_length=3, max_length=30)]
    tag: Annotated[str, Field(pattern=r"^[A-Z0-9]{2,5}$"), kw.Size(avg=4, max=5)]
    leader_id: Annotated[PlayerId, kw.Ref(Player, on_missing="hide", max_referrers=1)]
    notice: Annotated[str, kw.Size(avg=150, max=1_000)] = ""
    chronicle: Annotated[str, kw.Size(avg=100_000, max=250_000)] = ""
    member_count: Annotated[int, Field(ge=0, le=100)] = 0
    revision: Annotated[int, Field(ge=1)] = 1


class GuildMember(BaseModel):
    """A player in a guild; the index answers which guild a player is in."""

    __store__: ClassVar = kw.Item(
        players,
        pk="GUILD#{guild_id}",
        sk="MEMBER#{player_id}",
        gsis=[by_player.key(pk="GUILD-OF#{player_id}", sk="{guild_id}")],
        expected=14_000_000,
        active=0.1,
        keep_forever="lasts until the player leaves",
    )

    guild_id: Annotated[GuildId, kw.Ref(Guild, on_missing="hide", max_referrers=100)]
    player_id: Annotated[PlayerId, kw.Ref(Player, on_missing="hide", max_referrers=1)]
    rank: Literal["leader", "officer", "member"]
    joined_at: datetime


guild = kw.Get(Guild, eq="guild_id", fields=["name", "tag"], rate="400/s", p99_ms=20)
members = kw.Read(GuildMember, eq="guild_id", limit=100, rate="300/s", p99_ms=30)
guild_of_player = kw.Read(GuildMember, eq="player_id", limit=1, rate="200/s", peak="800/s", p99_ms=30)
found_guild = kw.Transact(
    [kw.Put(Guild, if_absent=True), kw.Put(GuildMember, if_absent=True)], rate="2k/day", p99_ms=100
)
join_guild = kw.Transact(
    [
        kw.Put(GuildMember, if_absent=True),
        kw.Increment(Guild, "member_count", by=1, where={"member_count": kw.Below(100)}),
    ],
    rate="60k/day",
    p99_ms=100,
)
leave_guild = kw.Transact(
    [kw.Delete(GuildMember), kw.Increment(Guild, "member_count", by=-1, where={"member_count": kw.AtLeast(1)})],
    rate="50k/day",
    p99_ms=100,
)
change_guild = kw.Update(Guild, sets=["name", "notice", "leader_id", "revision"], rate="5k/day", p99_ms=60)

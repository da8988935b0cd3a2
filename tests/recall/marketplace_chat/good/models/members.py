"""What the chat knows of a member: profile, settings, blocks and devices, in one DynamoDB partition."""

from datetime import timedelta
from typing import Annotated, ClassVar, Literal

from pydantic import AwareDatetime, BaseModel, Field

import keywright as kw
from models.common import DisplayName, ImageKey, Language, UserId

DeviceId = Annotated[str, Field(pattern=r"^[A-Za-z0-9-]{8,64}$"), kw.Size(avg=36, max=64)]

members = kw.DynamoTable(
    "members",
    owner="messaging",
    stream=kw.Stream(
        images="new_and_old",
        consumers=[kw.Consumer("evict-member-cache", idempotency=["user_id", "updated_at"], on_failure="queue")],
    ),
)
cache = kw.RedisServer("chat-cache", role="cache", owner="messaging")


class MemberProfile(BaseModel):
    """The part of an account that the other side of a conversation may see."""

    __store__: ClassVar = kw.Item(members, pk="USER#{user_id}", sk="PROFILE", expected=24_000_000, active=0.17)

    user_id: UserId
    display_name: DisplayName
    avatar: ImageKey | None = None
    language: Language
    joined_at: AwareDatetime
    verified: bool = False
    updated_at: AwareDatetime


cached_profile = kw.bind(
    MemberProfile,
    kw.RedisCache(
        cache,
        key="profile:{user_id}",
        ttl=timedelta(minutes=30),
        source_of_truth=MemberProfile,
        expected=4_000_000,
    ),
)

member_profile = kw.Get(MemberProfile, eq="user_id", rate="600/s", peak="2k/s", p99_ms=15)
profile_shown = kw.Get(cached_profile, eq="user_id", rate="12k/s", peak="35k/s", p99_ms=4)
fill_profile = kw.Put(cached_profile, rate="600/s", peak="2k/s", p99_ms=5)
evict_profile = kw.Delete(cached_profile, rate="10/s", p99_ms=5)
create_profile = kw.Put(MemberProfile, if_absent=True, rate="15k/day", p99_ms=50)
edit_profile = kw.Update(
    MemberProfile, sets=["display_name", "avatar", "language", "updated_at"], rate="40k/day", p99_ms=50
)


class ChatSettings(BaseModel):
    """When and how a member wants to be notified."""

    __store__: ClassVar = kw.Item(members, pk="USER#{user_id}", sk="SETTINGS", expected=24_000_000, active=0.17)

    user_id: Annotated[UserId, kw.Ref(MemberProfile, on_missing="ignore")]
    push: bool = True
    email_digest: Literal["off", "daily", "weekly"] = "daily"
    quiet_from: Annotated[int, Field(ge=0, le=23)] | None = None
    quiet_until: Annotated[int, Field(ge=0, le=23)] | None = None
    time_zone: Annotated[str, Field(max_length=40)] = "Europe/Berlin"
    show_read_ticks: bool = True


chat_settings = kw.Get(ChatSettings, eq="user_id", rate="700/s", peak="3k/s", p99_ms=15)
save_chat_settings = kw.Put(ChatSettings, rate="30k/day", p99_ms=50)


class Block(BaseModel):
    """A member who must not write to another member."""

    __store__: ClassVar = kw.Item(
        members,
        pk="USER#{blocker_id}",
        sk="BLOCK#{blocked_id}",
        expected=9_000_000,
        active=0.05,
        keep_forever="a block holds until the member lifts it",
    )

    blocker_id: Annotated[UserId, kw.Ref(MemberProfile, on_missing="ignore", max_referrers=2_000)]
    blocked_id: Annotated[UserId, kw.Ref(MemberProfile, on_missing="ignore")]
    blocked_at: AwareDatetime
    reason: Literal["spam", "abuse", "scam", "other"] = "other"


block_member = kw.Put(Block, if_absent=True, rate="12k/day", p99_ms=50)
unblock_member = kw.Delete(Block, rate="1k/day", p99_ms=50)
is_blocked = kw.Get(
    Block,
    eq=["blocker_id", "blocked_id"],
    consistency="strong",
    reads_back=[block_member, unblock_member],
    rate="700/s",
    peak="3k/s",
    p99_ms=15,
)
blocks_of_member = kw.Read(Block, eq="blocker_id", limit=100, rate="20k/day", p99_ms=50)


class PushDevice(BaseModel):
    """A device that takes push messages; it goes two months after the app was last opened on it."""

    __store__: ClassVar = kw.Item(
        members, pk="USER#{user_id}", sk="DEVICE#{device_id}", kind="token", expected=30_000_000, active=0.15
    )

    user_id: Annotated[UserId, kw.Ref(MemberProfile, on_missing="ignore", max_referrers=20)]
    device_id: DeviceId
    platform: Literal["ios", "android", "web"]
    push_token: Annotated[str, kw.Size(avg=160, max=400), kw.Pii()]
    app_version: Annotated[str, Field(max_length=16)]
    seen_at: AwareDatetime
    expires_at: Annotated[AwareDatetime, kw.Ttl()]


register_device = kw.Put(PushDevice, rate="50/s", peak="200/s", p99_ms=50)
devices_of_member = kw.Read(PushDevice, eq="user_id", limit=20, rate="500/s", peak="2k/s", p99_ms=20)
remove_device = kw.Delete(PushDevice, rate="5/s", p99_ms=50)

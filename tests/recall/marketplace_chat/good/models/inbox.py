"""The order and the unread figures of the inbox in Redis; a job rebuilds both from Cassandra for a lost member."""

from datetime import timedelta
from typing import Annotated, ClassVar

from pydantic import AwareDatetime, BaseModel, Field

import keywright as kw
from models.common import ConversationId, UserId

inbox = kw.RedisServer(
    "chat-inbox", role="primary", owner="messaging", persistence=[kw.Aof(fsync="everysec"), kw.Rdb()]
)


class InboxPlace(BaseModel):
    """A conversation in the inbox of a member, latest activity first; the last five hundred are kept."""

    __store__: ClassVar = kw.RedisSortedSet(
        inbox,
        key="inbox:{user_id:tag}",
        member="{conversation_id}",
        score="active_at",
        max_length=500,
        ttl=timedelta(days=60),
        expected=12_000_000 * 12,
        active=0.2,
        kind="feed",
    )

    user_id: UserId
    conversation_id: ConversationId
    active_at: AwareDatetime


move_up = kw.Put(InboxPlace, batch=2, rate="700/s", peak="3k/s", p99_ms=10)
latest_conversations = kw.Read(
    InboxPlace, eq="user_id", order="-active_at", limit=30, rate="2k/s", peak="6k/s", p99_ms=10
)


class Unread(BaseModel):
    """The number of unread messages of a conversation; approximate, and set to zero when it is opened."""

    __store__: ClassVar = kw.RedisSortedSet(
        inbox,
        key="unread:{user_id:tag}",
        member="{conversation_id}",
        score="messages",
        max_length=500,
        ttl=timedelta(days=60),
        expected=12_000_000 * 3,
        active=0.2,
        kind="feed",
    )

    user_id: UserId
    conversation_id: ConversationId
    messages: Annotated[int, Field(ge=0)]


add_unread = kw.Increment(Unread, "messages", rate="700/s", peak="3k/s", p99_ms=10)
clear_unread = kw.Delete(Unread, rate="900/s", peak="4k/s", p99_ms=10)
unread_conversations = kw.Read(Unread, eq="user_id", order="-messages", limit=100, rate="2k/s", peak="6k/s", p99_ms=10)
badge = kw.Count(Unread, eq="user_id", rate="3k/s", peak="9k/s", p99_ms=10)

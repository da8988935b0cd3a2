"""Conversations and their messages in Cassandra; nothing that was sent is changed, a retraction is a message too."""

from datetime import timedelta
from typing import Annotated, ClassVar, Literal
from uuid import UUID

from pydantic import AwareDatetime, BaseModel, Field

import keywright as kw
from models.common import ConversationId, ImageKey, ListingId, Title, UserId, chat


class Conversation(BaseModel):
    """One buyer and one seller about one listing."""

    __store__: ClassVar = kw.CqlTable(
        chat,
        "conversations",
        partition="conversation_id",
        compaction=kw.Unified(),
        expected=300_000_000,
        active=0.02,
        keep_forever="members see old conversations as long as they have an account; closing an account erases them",
    )

    conversation_id: ConversationId
    listing_id: ListingId
    buyer_id: UserId
    seller_id: UserId
    opened_at: AwareDatetime
    state: Literal["open", "archived", "blocked"] = "open"


conversation = kw.Get(Conversation, eq="conversation_id", rate="9k/s", peak="25k/s", p99_ms=15)
open_conversation = kw.Put(Conversation, rate="60/s", peak="250/s", p99_ms=40)
change_conversation_state = kw.Update(Conversation, sets="state", rate="8/s", p99_ms=40)


class ConversationOfListing(BaseModel):
    """The one conversation of a buyer about a listing; the condition of the write keeps it the only one."""

    __store__: ClassVar = kw.CqlTable(
        chat,
        "conversations_by_listing",
        partition="listing_id",
        clustering="buyer_id",
        compaction=kw.Unified(),
        expected=300_000_000,
        active=0.02,
        keep_forever="lives as long as the conversation",
    )

    listing_id: ListingId
    buyer_id: UserId
    conversation_id: ConversationId
    opened_at: AwareDatetime


claim_conversation = kw.Put(ConversationOfListing, if_absent=True, rate="70/s", peak="280/s", p99_ms=120)
conversation_with_buyer = kw.Get(ConversationOfListing, eq=["listing_id", "buyer_id"], rate="400/s", p99_ms=20)
conversations_of_listing = kw.Read(ConversationOfListing, eq="listing_id", limit=100, rate="150/s", p99_ms=40)


class Message(BaseModel):
    """An entry of a conversation; a month of one conversation is a partition, newest first."""

    __store__: ClassVar = kw.CqlTable(
        chat,
        "messages",
        partition=["conversation_id", "month"],
        clustering=["-sent_at", "message_id"],
        computed={"month": "{sent_at:month}"},
        ttl=timedelta(days=730),
        compaction=kw.TimeWindow(window=timedelta(days=24)),
        gc_grace=timedelta(days=10),
        compression="Zstd",
        kind="event",
        expected=40_000_000_000,
        active=0.005,
    )

    conversation_id: ConversationId
    message_id: UUID
    sent_at: AwareDatetime
    sender_id: UserId
    type: Literal["text", "image", "offer_card", "location", "system", "retraction"]
    text: Annotated[str, kw.Size(avg=90, max=4_000), Field(max_length=1_000), kw.Pii()] = ""
    refers_to: UUID | None = None


send_message = kw.Put(Message, rate="700/s", peak="3k/s", hot_key="5/s", p99_ms=30)
latest_messages = kw.Read(
    Message, eq=["conversation_id", "month"], order="-sent_at", limit=40, rate="5k/s", peak="15k/s", p99_ms=30
)
messages_since = kw.Read(
    Message,
    eq="conversation_id",
    range="sent_at",
    span=timedelta(days=7),
    order="sent_at",
    limit=100,
    fan_out=2,
    consistency="strong",
    reads_back=[send_message],
    rate="2k/s",
    peak="8k/s",
    p99_ms=60,
)


class Attachment(BaseModel):
    """A picture of a conversation, for its gallery; the file itself is in object storage."""

    __store__: ClassVar = kw.CqlTable(
        chat,
        "attachments",
        partition=["conversation_id", "month"],
        clustering=["-sent_at", "attachment_id"],
        computed={"month": "{sent_at:month}"},
        ttl=timedelta(days=730),
        compaction=kw.TimeWindow(window=timedelta(days=24)),
        kind="event",
        expected=3_500_000_000,
        active=0.005,
    )

    conversation_id: ConversationId
    attachment_id: UUID
    sent_at: AwareDatetime
    message_id: UUID
    sender_id: UserId
    object_key: ImageKey
    media_type: Literal["image/jpeg", "image/png", "image/webp", "image/heic"]
    size_bytes: Annotated[int, Field(ge=1, le=15_000_000)]
    width: Annotated[int, Field(ge=1, le=20_000)]
    height: Annotated[int, Field(ge=1, le=20_000)]


add_attachment = kw.Put(Attachment, rate="60/s", peak="300/s", p99_ms=40)
gallery = kw.Read(Attachment, eq=["conversation_id", "month"], order="-sent_at", limit=60, rate="120/s", p99_ms=60)


class Membership(BaseModel):
    """A conversation in the list of one of its two members, with what the list shows of it."""

    __store__: ClassVar = kw.CqlTable(
        chat,
        "memberships",
        partition=["user_id", "opened_month"],
        clustering="conversation_id",
        computed={"opened_month": "{opened_at:month}"},
        compaction=kw.Unified(),
        expected=600_000_000,
        active=0.02,
        keep_forever="lives as long as the conversation",
    )

    user_id: UserId
    conversation_id: ConversationId
    opened_at: AwareDatetime
    role: Literal["buyer", "seller"]
    other_id: UserId
    listing_id: ListingId
    listing_title: Annotated[Title, kw.CopiedFrom("ListingCard", "title", sync="never")]
    archived: bool = False
    muted_until: AwareDatetime | None = None


list_membership = kw.Put(Membership, rate="120/s", peak="500/s", p99_ms=40, batch=2)
memberships_of_month = kw.Read(
    Membership, eq=["user_id", "opened_month"], limit=200, rate="800/s", peak="2k/s", p99_ms=50
)
membership = kw.Get(Membership, eq=["user_id", "opened_at", "conversation_id"], rate="700/s", peak="3k/s", p99_ms=20)
tidy_membership = kw.Update(Membership, sets=["archived", "muted_until"], rate="13/s", p99_ms=50)


class ReadCursor(BaseModel):
    """How far a member has read a conversation: the ticks beside a message."""

    __store__: ClassVar = kw.CqlTable(
        chat,
        "read_cursors",
        partition="conversation_id",
        clustering="user_id",
        compaction=kw.Leveled(),
        expected=600_000_000,
        active=0.02,
        keep_forever="two rows for each conversation, which lives as long as the conversation",
    )

    conversation_id: ConversationId
    user_id: UserId
    read_up_to: AwareDatetime
    message_id: UUID


mark_read = kw.Put(ReadCursor, rate="900/s", peak="4k/s", p99_ms=30)
cursors_of_conversation = kw.Read(ReadCursor, eq="conversation_id", limit=2, rate="5k/s", peak="15k/s", p99_ms=20)


class SellerDay(BaseModel):
    """How a seller answers: approximate figures behind the badge "answers quickly"."""

    __store__: ClassVar = kw.CqlTable(
        chat,
        "seller_days",
        partition="seller_id",
        clustering="-day",
        counters=["asked", "answered"],
        kind="analytics",
        keep_forever="counters cannot expire; a job deletes sellers who left",
    )

    seller_id: UserId
    day: Annotated[str, Field(pattern=r"^\d{4}-\d{2}-\d{2}$", max_length=10)]
    asked: int
    answered: int


count_question = kw.Increment(SellerDay, "asked", rate="60/s", peak="250/s", p99_ms=50)
count_answer = kw.Increment(SellerDay, "answered", rate="45/s", peak="200/s", p99_ms=50)
days_of_seller = kw.Read(SellerDay, eq="seller_id", order="-day", limit=90, rate="50/s", p99_ms=60)
forget_seller_days = kw.Delete(SellerDay, eq="seller_id", rate="2k/day", p99_ms=200)

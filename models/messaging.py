"""Messaging in one DynamoDB table: messages by conversation, conversations by member, members of both."""

from datetime import datetime
from typing import Annotated, ClassVar

from pydantic import BaseModel, Field

import keywright as kw

ConversationId = Annotated[str, kw.Size(avg=26), kw.Cardinality(distinct=8_000_000)]
MemberId = Annotated[str, kw.Size(avg=12), kw.Cardinality(distinct=2_000_000)]

by_activity = kw.Gsi(
    "by_activity",
    pk="member_id",
    sk="last_activity",
    project=["conversation_id", "title", "unread"],
    ignores=[kw.ignore("DDB109", reason="the list must follow activity: two writes per member and message, priced")],
)
inverted = kw.Gsi("inverted", pk="gsi2pk", sk="gsi2sk", project="keys")

messaging = kw.DynamoTable(
    "messaging",
    owner="messaging",
    gsis=[by_activity, inverted],
    stream=kw.Stream(consumers=[kw.Consumer("push", idempotency="message_id", on_failure="queue")]),
)


class Message(BaseModel):
    """A message; its time stands in the key, so a conversation reads in order."""

    __store__: ClassVar = kw.Item(
        messaging,
        pk="CONV#{conversation_id}",
        sk="MSG#{sent_at:iso}#{message_id}",
        expected=2_000_000_000,
        active=0.001,
        keep_forever="members expect their history",
    )

    conversation_id: ConversationId
    message_id: Annotated[str, kw.Size(avg=26)]
    sent_at: datetime
    sender_id: MemberId
    text: Annotated[str, kw.Size(avg=120, max=4_000), kw.Pii()]


send = kw.Put(Message, rate="2k/s", peak="8k/s", p99_ms=50)
messages = kw.Read(Message, eq="conversation_id", order="-sent_at", limit=50, rate="5k/s", p99_ms=50)
messages_since = kw.Read(
    Message, eq="conversation_id", range="sent_at", order="sent_at", limit=100, rate="10k/s", p99_ms=50
)


class Membership(BaseModel):
    """A member's place in a conversation; last activity is no part of the key, which never changes, but of an index."""

    __store__: ClassVar = kw.Item(
        messaging,
        pk="USER#{member_id}",
        sk="CONV#{conversation_id}",
        gsis=[inverted.key(pk="CONV#{conversation_id}", sk="USER#{member_id}")],
    )

    member_id: MemberId
    conversation_id: ConversationId
    title: Annotated[str, Field(max_length=80)]
    unread: int = 0
    last_activity: datetime


conversations = kw.Read(Membership, eq="member_id", order="-last_activity", limit=30, rate="3k/s", p99_ms=50)
members = kw.Read(Membership, eq="conversation_id", limit=200, rate="2k/s", p99_ms=50)
join = kw.Put(Membership, if_absent=True, rate="20/s", p99_ms=50)
leave = kw.Delete(Membership, rate="5/s", p99_ms=50)
touch = kw.Update(Membership, sets=["last_activity", "unread"], batch=8, rate="2k/s", peak="8k/s", p99_ms=50)

"""Messages between school and home: threads in DynamoDB, everybody's inbox order in Redis."""

from datetime import datetime, timedelta
from typing import Annotated, ClassVar

from pydantic import BaseModel, Field

import keywright as kw
from models.people import PersonId, Ulid

ThreadId = Annotated[Ulid, kw.Cardinality(distinct=40_000_000)]

participants = kw.Gsi("participants", pk="thread_id", sk="person_id", project=["read_up_to", "muted"])

messages = kw.DynamoTable(
    "messages",
    owner="communication",
    gsis=[participants],
    stream=kw.Stream(
        images="new",
        consumers=[
            kw.Consumer("inbox-order", idempotency="message_id", on_failure="queue"),
            kw.Consumer("message-push", idempotency="message_id", on_failure="queue"),
        ],
    ),
)
live = kw.RedisServer(
    "portal-live",
    role="primary",
    owner="communication",
    settings={"min-replicas-to-write": 1, "min-replicas-max-lag": 10},
)


class Message(BaseModel):
    """A message of a thread; the sender chooses its id and time, so sending it again changes nothing."""

    __store__: ClassVar = kw.Item(
        messages,
        pk="THREAD#{thread_id}",
        sk="MSG#{sent_at:iso}#{message_id}",
        expected=600_000_000,
        active=0.003,
    )

    thread_id: ThreadId
    message_id: Ulid
    sent_at: datetime
    sender_id: PersonId
    text: Annotated[str, Field(max_length=4_000), kw.Size(avg=350, max=8_000), kw.Pii()]
    expires_at: Annotated[datetime, kw.Ttl()]


send_message = kw.Put(Message, if_absent=True, rate="12/s", peak="180/s", p99_ms=50)
latest_messages = kw.Read(Message, eq="thread_id", order="-sent_at", limit=30, rate="90/s", peak="900/s", p99_ms=50)


class Participation(BaseModel):
    """A person's place in a thread."""

    __store__: ClassVar = kw.Item(
        messages, pk="PERSON#{person_id}", sk="THREAD#{thread_id}", expected=400_000_000, active=0.02
    )

    person_id: PersonId
    thread_id: ThreadId
    read_up_to: datetime
    muted: bool = False
    expires_at: Annotated[datetime, kw.Ttl()]


participants_of_thread = kw.Read(
    Participation,
    eq="thread_id",
    order="person_id",
    limit=100,
    fields=["person_id", "thread_id", "read_up_to", "muted"],
    rate="15/s",
    peak="200/s",
    p99_ms=50,
)
join_thread = kw.Put(Participation, if_absent=True, batch=20, rate="2/s", peak="15/s", p99_ms=100)
mark_read = kw.Update(Participation, sets="read_up_to", rate="50/s", peak="500/s", p99_ms=50)


class InboxEntry(BaseModel):
    """The hundred threads of a person in which something was written last."""

    __store__: ClassVar = kw.RedisSortedSet(
        live,
        key="inbox:{person_id:tag}",
        member="{thread_id}",
        score="last_message_at",
        max_length=100,
        ttl=timedelta(days=400),
        kind="feed",
        expected=90_000_000,
        active=0.05,
    )

    person_id: PersonId
    thread_id: ThreadId
    last_message_at: datetime


class UnreadCount(BaseModel):
    """How many messages a person has not seen yet; it exists only here."""

    __store__: ClassVar = kw.RedisCounter(
        live, key="unread:{person_id:tag}", value="unread", ttl=timedelta(days=400), expected=2_300_000
    )

    person_id: PersonId
    unread: Annotated[int, Field(ge=0, le=100_000)]


raise_thread = kw.Transact(
    [kw.Put(InboxEntry), kw.Increment(UnreadCount, "unread")], rate="150/s", peak="2.2k/s", p99_ms=10
)
unread = kw.Get(UnreadCount, eq="person_id", rate="120/s", peak="1.5k/s", p99_ms=5)
clear_unread = kw.Delete(UnreadCount, rate="60/s", peak="700/s", p99_ms=10)
inbox = kw.Read(InboxEntry, eq="person_id", order="-last_message_at", limit=30, rate="80/s", peak="900/s", p99_ms=10)

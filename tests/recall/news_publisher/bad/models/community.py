"""What readers say: comments in DynamoDB, opinion polls in MongoDB."""

from datetime import datetime, timedelta
from typing import Annotated, ClassVar, Literal

import keywright as kw
from pydantic import BaseModel, Field

from models.accounts import Reader, ReaderId

ThreadId = Annotated[str, Field(max_length=26, pattern=r"^[0-9A-Za-z-]+$"), kw.Cardinality(distinct=600_000)]
PollId = Annotated[str, Field(max_length=26, pattern=r"^[0-9A-Za-z-]+$"), kw.Cardinality(distinct=1_500)]

by_edit = kw.Lsi("by_edit", sk="edited_at", project=["comment_id", "reader_id", "posted_at", "text"])
by_writer = kw.Gsi("by_writer", pk="reader_id", sk="posted_at", project=["comment_id", "thread_id", "text"])

comments = kw.DynamoTable("comments", owner="community", gsis=[by_writer], lsis=[by_edit])
polls = kw.MongoDatabase("polls", owner="community")


class Comment(BaseModel):
    """A comment below an article, or in one of the standing threads that have run for years."""

    __store__: ClassVar = kw.Item(
        comments,
        pk="THREAD#{thread_id}",
        sk="{posted_at:iso}#{comment_id}",
        expected=180_000_000,
        active=0.005,
        keep_forever="discussions stay readable below their articles",
    )

    thread_id: ThreadId
    comment_id: Annotated[str, Field(max_length=26, pattern=r"^[0-9A-Z]+$"), kw.Size(avg=26)]
    posted_at: datetime
    edited_at: datetime
    reader_id: Annotated[ReaderId, kw.Ref(Reader, on_missing="ignore", max_referrers=60_000)]
    nickname: Annotated[str, Field(max_length=40), kw.Pii()]
    text: Annotated[str, kw.Size(avg=280, max=2_000)]


comments_of_thread = kw.Read(
    Comment, eq="thread_id", order="-posted_at", limit=40, rate="1.5k/s", peak="6k/s", p99_ms=30
)
comments_since = kw.Read(
    Comment, eq="thread_id", range="posted_at", order="posted_at", limit=40, rate="600/s", peak="2k/s", p99_ms=30
)
edits_of_thread = kw.Read(
    Comment,
    eq="thread_id",
    order="-edited_at",
    fields=["comment_id", "reader_id", "posted_at", "edited_at", "text"],
    limit=40,
    rate="20/s",
    p99_ms=50,
)
comments_of_reader = kw.Read(
    Comment,
    eq="reader_id",
    order="-posted_at",
    fields=["comment_id", "thread_id", "posted_at", "text"],
    limit=30,
    rate="25/s",
    p99_ms=50,
)
post_comment = kw.Put(Comment, if_absent=True, rate="30/s", peak="500/s", hot_key="120/s", p99_ms=50)
edit_comment = kw.Update(Comment, sets=["text", "edited_at"], rate="2/s", peak="30/s", p99_ms=50)
remove_comment = kw.Delete(Comment, rate="1/s", p99_ms=50)


class Vote(BaseModel):
    """A reader's one vote in a poll."""

    __store__: ClassVar = kw.Collection(
        polls,
        "votes",
        id="{poll_id}#{reader_id}",
        indexes=[kw.Index(["poll_id", "choice"])],
        expected=25_000_000,
        active=0.02,
    )

    poll_id: PollId
    reader_id: Annotated[ReaderId, kw.Ref(Reader, on_missing="ignore")]
    choice: Literal["yes", "no", "unsure"]
    cast_at: Annotated[datetime, kw.Ttl(after=timedelta(days=180))]


class PollResult(BaseModel):
    """The running result of a poll."""

    __store__: ClassVar = kw.Collection(polls, "poll_results", id="{poll_id}", expected=1_500)

    poll_id: PollId
    votes: Annotated[int, Field(ge=0)]
    opened_at: datetime


cast_vote = kw.Transact(
    [kw.Put(Vote, if_absent=True), kw.Increment(PollResult, "votes")],
    rate="40/s",
    peak="900/s",
    hot_key="600/s",
    p99_ms=80,
)
own_vote = kw.Get(Vote, eq=["poll_id", "reader_id"], rate="80/s", p99_ms=30)
votes_for_choice = kw.Count(Vote, eq=["poll_id", "choice"], rate="800/day", p99_ms=2_000)
open_poll = kw.Put(PollResult, if_absent=True, rate="8/day", p99_ms=100)
poll_result = kw.Get(PollResult, eq="poll_id", rate="400/s", p99_ms=20, cache_ttl=timedelta(seconds=30))

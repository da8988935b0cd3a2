"""A lending library: members and loans in one DynamoDB table, books in MongoDB, sessions in Redis."""

from datetime import datetime, timedelta
from typing import Annotated, ClassVar

from pydantic import BaseModel, Field

import keywright as kw

MemberId = Annotated[str, kw.Size(avg=12, max=26), kw.Cardinality(distinct=100_000)]
Isbn = Annotated[str, Field(max_length=13), kw.Cardinality(distinct=500_000)]

by_book = kw.Gsi("by_book", pk="isbn", sk="due_at", project="keys")
lending = kw.DynamoTable("lending", gsis=[by_book])
catalogue = kw.MongoDatabase("catalogue")
sessions = kw.RedisServer("sessions", role="sessions")


class Member(BaseModel):
    """A person who borrows books."""

    __store__: ClassVar = kw.Item(lending, pk="MEMBER#{member_id}", sk="PROFILE")

    member_id: MemberId
    name: Annotated[str, Field(max_length=120), kw.Pii()]


member = kw.Get(Member, eq="member_id", rate="20/s", p99_ms=20)
join = kw.Put(Member, if_absent=True, rate="100/day", p99_ms=50)


class Loan(BaseModel):
    """A book that a member has; it disappears a year after it was due."""

    __store__: ClassVar = kw.Item(lending, pk="MEMBER#{member_id}", sk="LOAN#{due_at:iso}#{isbn}")

    member_id: Annotated[MemberId, kw.Ref(Member, on_missing="ignore", max_referrers=50)]
    isbn: Isbn
    due_at: datetime
    kept_until: Annotated[datetime, kw.Ttl()]


loans_of_member = kw.Read(Loan, eq="member_id", order="due_at", limit=50, rate="10/s", p99_ms=30)
borrowers_of_book = kw.Read(Loan, eq="isbn", order="due_at", limit=20, rate="1/s", p99_ms=50)
lend = kw.Put(Loan, rate="2k/day", p99_ms=50)


class Book(BaseModel):
    """A book with its few authors."""

    __store__: ClassVar = kw.Collection(catalogue, "books", id="{isbn}", indexes=[kw.Index("authors")])

    isbn: Isbn
    title: Annotated[str, Field(max_length=300)]
    authors: Annotated[list[str], Field(max_length=20)]


book = kw.Get(Book, eq="isbn", rate="50/s", p99_ms=20)
books_of_author = kw.Read(Book, contains="authors", limit=50, rate="5/s", p99_ms=50)
acquire = kw.Put(Book, rate="50/day", p99_ms=50)


class Session(BaseModel):
    """A login; it ends a day after its last use."""

    __store__: ClassVar = kw.RedisHash(
        sessions, key="session:{token}", ttl=timedelta(days=1), kind="session", expected=90_000
    )

    token: Annotated[str, kw.Size(avg=32, max=32)]
    member_id: MemberId


session = kw.Get(Session, eq="token", rate="100/s", p99_ms=5)
log_in = kw.Put(Session, rate="1/s", p99_ms=50)

"""School libraries: the common catalogue, the copies of each school, and the loans."""

from datetime import datetime
from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, Field

import keywright as kw
from models.people import Pupil, PupilId, School, SchoolId, Ulid

Isbn = Annotated[str, Field(pattern=r"^\d{13}$"), kw.Size(avg=13, max=13), kw.Cardinality(distinct=400_000)]
CopyId = Annotated[str, Field(pattern=r"^[0-9A-Z]{12}$"), kw.Size(avg=12, max=12)]

library = kw.MongoDatabase("library", owner="library")


class Title(BaseModel):
    """A book as the common catalogue knows it."""

    __store__: ClassVar = kw.Collection(
        library,
        "titles",
        id="{isbn}",
        indexes=[kw.TextIndex(["name", "authors"], weights={"name": 4}, language="german")],
        expected=400_000,
    )

    isbn: Isbn
    name: Annotated[str, Field(max_length=240), kw.Size(avg=40, max=480)]
    authors: Annotated[str, Field(max_length=240), kw.Size(avg=30, max=480)]
    age_from: Annotated[int, Field(ge=0, le=18)]
    blurb: Annotated[str, Field(max_length=2_000), kw.Size(avg=500, max=4_000)] = ""


find_title = kw.Read(Title, search=["name", "authors"], limit=20, rate="4/s", peak="30/s", p99_ms=300)
catalogue_title = kw.Put(Title, rate="400/day", p99_ms=100)


class Holding(BaseModel):
    """A school's copies of a title, and how many of them stand on the shelf."""

    __store__: ClassVar = kw.Collection(
        library,
        "holdings",
        id="{school_id}_{isbn}",
        kind="stock",
        expected=9_000_000,
        active=0.05,
    )

    school_id: Annotated[SchoolId, kw.Ref(School, on_missing="fail", max_referrers=20_000)]
    isbn: Annotated[Isbn, kw.Ref(Title, on_missing="hide", max_referrers=2_400)]
    shelf: Annotated[str, Field(max_length=20), kw.Size(avg=6, max=40)]
    copies: Annotated[int, Field(ge=0, le=500)]
    on_shelf: Annotated[int, Field(ge=0, le=500)]


class Loan(BaseModel):
    """A copy that a pupil has, or had; a copy is out once at a time, and a loan expires only after its return."""

    __store__: ClassVar = kw.Collection(
        library,
        "loans",
        id="{loan_id}",
        indexes=[
            kw.Index(["pupil_id", "-lent_at"]),
            kw.Index(["school_id", "due_at"], where={"state": "out"}),
            kw.Index("copy_id", unique=True, where={"state": "out"}),
        ],
        expected=30_000_000,
        active=0.03,
    )

    loan_id: Ulid
    school_id: Annotated[SchoolId, kw.Ref(School, on_missing="fail", max_referrers=60_000)]
    isbn: Annotated[Isbn, kw.Ref(Title, on_missing="hide", max_referrers=40_000)]
    copy_id: CopyId
    pupil_id: Annotated[PupilId, kw.Ref(Pupil, on_missing="hide", max_referrers=400)]
    lent_at: datetime
    due_at: datetime
    state: Literal["out", "returned", "lost"]
    expires_at: Annotated[datetime | None, kw.Ttl()] = None


holding = kw.Get(Holding, eq=["school_id", "isbn"], rate="10/s", peak="80/s", p99_ms=30)
shelve = kw.Put(Holding, if_absent=True, rate="4k/day", p99_ms=100)
lend = kw.Transact(
    [
        kw.Put(Loan, if_absent=True),
        kw.Increment(Holding, "on_shelf", by=-1, where={"on_shelf": kw.AtLeast(1)}),
    ],
    rate="45k/day",
    peak="25/s",
    p99_ms=150,
)
take_back = kw.Transact(
    [
        kw.Update(Loan, sets=["state", "expires_at"], where={"state": "out"}),
        kw.Increment(Holding, "on_shelf", by=1),
    ],
    rate="45k/day",
    peak="25/s",
    p99_ms=150,
)
loans_of_pupil = kw.Read(Loan, eq="pupil_id", order="-lent_at", limit=30, rate="6/s", peak="60/s", p99_ms=50)
overdue_loans = kw.Read(
    Loan,
    eq="school_id",
    where={"state": "out"},
    range="due_at",
    order="due_at",
    limit=100,
    rate="10k/day",
    p99_ms=100,
)

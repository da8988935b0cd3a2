"""Content in MongoDB: posts, books, places, schools and categories, each relation in the shape that fits it."""

from datetime import datetime
from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, Field

import keywright as kw

content = kw.MongoDatabase("content", owner="editorial")

AuthorId = Annotated[str, kw.Size(avg=12, max=26), kw.Cardinality(distinct=50_000)]
PostId = Annotated[str, kw.Size(avg=12, max=26)]


class Comment(BaseModel):
    """A reader's comment; it lives inside a post or inside a page of further comments."""

    author: Annotated[str, Field(max_length=80)]
    text: Annotated[str, kw.Size(avg=200, max=2_000)]
    created_at: datetime


class CommentPage(BaseModel):
    """A thousand of the comments that did not fit into their post."""

    __store__: ClassVar = kw.Collection(
        content, "comment_pages", id="{post_id}#{page:pad(6)}", indexes=[kw.Index(["post_id", "page"], unique=True)]
    )

    post_id: Annotated[PostId, kw.Ref("Post", on_missing="ignore")]
    page: int
    comments: Annotated[list[Comment], Field(max_length=1_000)]


class Post(BaseModel):
    """A post with its first fifty comments; the rare viral one has pages of more."""

    __store__: ClassVar = kw.Collection(
        content,
        "posts",
        id="{post_id}",
        indexes=[
            kw.Index(["author_id", "-created_at"]),
            kw.Index("slug", unique=True, where={"published": True}),
            kw.Index("tags"),
            kw.TextIndex(["title", "body"], weights={"title": 5}),
        ],
        expected=400_000,
        active=0.05,
    )

    post_id: PostId
    author_id: Annotated[AuthorId, kw.Ref("Author", on_missing="ignore", max_referrers=5_000)]
    slug: Annotated[str, Field(max_length=120)]
    title: Annotated[str, Field(max_length=200)]
    body: Annotated[str, kw.Size(avg=6_000, max=100_000)]
    tags: Annotated[list[str], Field(max_length=20)] = []
    published: bool = False
    created_at: datetime
    comments: Annotated[list[Comment], Field(max_length=50), kw.Overflow(CommentPage, flag="has_more_comments")] = []
    has_more_comments: bool = False
    comment_count: int = 0


post_by_slug = kw.Get(Post, eq="slug", where={"published": True}, rate="300/s", p99_ms=30)
posts_of_author = kw.Read(Post, eq="author_id", order="-created_at", limit=20, rate="20/s", p99_ms=50)
posts_with_tag = kw.Read(Post, contains="tags", limit=20, rate="20/s", p99_ms=100)
search_posts = kw.Read(Post, search=["title", "body"], limit=20, rate="5/s", p99_ms=300)
write_post = kw.Put(Post, rate="500/day", p99_ms=100)
comment = kw.Update(Post, pushes="comments", rate="5/s", peak="200/s", p99_ms=100)
count_comment = kw.Increment(Post, "comment_count", rate="5/s", peak="200/s", p99_ms=100)
more_comments = kw.Read(CommentPage, eq="post_id", order="page", limit=1, rate="2/s", p99_ms=100)
comment_beyond = kw.Update(CommentPage, pushes="comments", rate="1/s", peak="150/s", p99_ms=100)


class Author(BaseModel):
    """Somebody who writes posts and books."""

    __store__: ClassVar = kw.Collection(content, "authors", id="{author_id}")

    author_id: AuthorId
    name: Annotated[str, Field(max_length=120)]


author = kw.Get(Author, eq="author_id", rate="100/s", p99_ms=20)
write_author = kw.Put(Author, rate="50/day", p99_ms=100)


class Book(BaseModel):
    """A book and its few authors: the link stands on the book, because one goes from the book to its authors."""

    __store__: ClassVar = kw.Collection(content, "books", id="{isbn}", indexes=[kw.Index("author_ids")])

    isbn: Annotated[str, Field(max_length=13)]
    title: Annotated[str, Field(max_length=300)]
    author_ids: Annotated[list[Annotated[AuthorId, kw.Ref(Author, on_missing="ignore")]], Field(max_length=20)]


book = kw.Get(Book, eq="isbn", rate="50/s", p99_ms=20)
books_of_author = kw.Read(Book, contains="author_ids", limit=50, rate="10/s", p99_ms=50)
authors_of_book = kw.Read(Author, one_of="author_id", limit=20, rate="50/s", p99_ms=30)
write_book = kw.Put(Book, rate="200/day", p99_ms=100)


class Capital(BaseModel):
    """A capital city, embedded in its country: one to one and always read together."""

    name: Annotated[str, Field(max_length=100)]
    population: int


class Country(BaseModel):
    """A country with its capital."""

    __store__: ClassVar = kw.Collection(content, "countries", id="{code}", expected=250)

    code: Annotated[str, Field(max_length=2)]
    name: Annotated[str, Field(max_length=100)]
    capital: Capital


country = kw.Get(Country, eq="code", rate="50/s", p99_ms=20)
write_country = kw.Put(Country, rate="1/day", p99_ms=100)


class Point(BaseModel):
    """A place on the globe as GeoJSON: longitude, then latitude."""

    type: Literal["Point"] = "Point"
    coordinates: Annotated[list[float], Field(min_length=2, max_length=2)]


class City(BaseModel):
    """A city; its inhabitants refer to it, since a list of 36 million ids fits no document."""

    __store__: ClassVar = kw.Collection(content, "cities", id="{city_id}", indexes=[kw.GeoIndex("place")])

    city_id: Annotated[str, kw.Size(avg=8), kw.Cardinality(distinct=40_000)]
    name: Annotated[str, Field(max_length=100)]
    place: Point


class Person(BaseModel):
    """An inhabitant of a city."""

    __store__: ClassVar = kw.Collection(
        content,
        "people",
        id="{person_id}",
        indexes=[kw.Index(["city_id", "name"])],
        shard_key=kw.ShardKey(on="city_id"),
        expected=90_000_000,
        active=0.01,
    )

    person_id: Annotated[str, kw.Size(avg=12)]
    city_id: Annotated[str, kw.Size(avg=8), kw.Ref(City, on_missing="ignore", max_referrers=36_000_000)]
    name: Annotated[str, Field(max_length=120), kw.Pii()]


city = kw.Get(City, eq="city_id", rate="20/s", p99_ms=20)
cities_near = kw.Read(City, near="place", limit=20, rate="2/s", p99_ms=50)
people_of_city = kw.Read(Person, eq="city_id", order="name", limit=50, rate="5/s", p99_ms=100)
write_city = kw.Put(City, rate="1/day", p99_ms=100)
write_person = kw.Put(Person, rate="10/s", p99_ms=100)


class Teacher(BaseModel):
    """A teacher."""

    __store__: ClassVar = kw.Collection(content, "teachers", id="{teacher_id}", expected=5_000)

    teacher_id: int
    name: Annotated[str, Field(max_length=120), kw.Pii()]


class Student(BaseModel):
    """A student and the ids of the few teachers."""

    __store__: ClassVar = kw.Collection(content, "students", id="{student_id}", indexes=[kw.Index("teacher_ids")])

    student_id: int
    name: Annotated[str, Field(max_length=120), kw.Pii()]
    teacher_ids: Annotated[list[Annotated[int, kw.Ref(Teacher, on_missing="hide")]], Field(max_length=20)]


student = kw.Get(Student, eq="student_id", rate="20/s", p99_ms=20)
teachers_of_student = kw.Read(Teacher, one_of="teacher_id", limit=20, rate="20/s", p99_ms=30)
students_of_teacher = kw.Read(Student, contains="teacher_ids", limit=100, rate="5/s", p99_ms=50)
students_with_all_teachers = kw.Read(Student, all_of="teacher_ids", limit=100, rate="1/s", p99_ms=100)
students_with_same_teachers = kw.Read(Student, exactly="teacher_ids", limit=100, rate="1/s", p99_ms=100)
enrol = kw.Put(Student, rate="200/day", p99_ms=100)
hire = kw.Put(Teacher, rate="5/day", p99_ms=100)


class Category(BaseModel):
    """A node of the category tree, with the way from the root to it."""

    __store__: ClassVar = kw.Collection(
        content, "categories", id="{category_id}", indexes=[kw.Index("ancestors")], expected=3_000
    )

    category_id: int
    name: Annotated[str, Field(max_length=80)]
    ancestors: Annotated[list[Annotated[int, kw.Ref("Category", on_missing="fail")]], Field(max_length=8)] = []


breadcrumbs = kw.Read(Category, one_of="category_id", limit=8, rate="200/s", p99_ms=20)
subtree = kw.Read(Category, contains="ancestors", limit=500, rate="20/s", p99_ms=50)
write_category = kw.Put(Category, rate="10/day", p99_ms=100)


class Reader(BaseModel):
    """A registered reader; version 1 had one `full_name`, and is still stored."""

    __store__: ClassVar = kw.Collection(
        content,
        "readers",
        id="{reader_id}",
        schema_version=2,
        upgrades={
            1: kw.Upgrade(
                rename={"email": "mail"},
                split={"full_name": kw.Split(on=" ", into=["first_name", "last_name"])},
                set={"last_name": "", "tier": "free"},
                unset="full_name",
            )
        },
        indexes=[kw.Index("email", unique=True, collation=kw.Collation(locale="en", strength=2))],
    )

    reader_id: Annotated[str, kw.Size(avg=12)]
    email: Annotated[str, kw.Size(avg=24, max=254), kw.Pii(), kw.RenamedFrom("mail")]
    first_name: Annotated[str, Field(max_length=60), kw.Pii()]
    last_name: Annotated[str, Field(max_length=60), kw.Pii()]
    tier: Literal["free", "plus"] = "free"


reader = kw.Get(Reader, eq="reader_id", rate="50/s", p99_ms=20)
reader_by_email = kw.Get(Reader, eq="email", collation=kw.Collation(locale="en", strength=2), rate="5/s", p99_ms=30)
register_reader = kw.Put(Reader, if_absent=True, rate="1k/day", p99_ms=100)

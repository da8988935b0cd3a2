"""One index over two arrays."""

content = kw.MongoDatabase("content")


class Post(BaseModel):
    __store__: ClassVar = kw.Collection(
        content, "posts", id="{slug}", indexes=[kw.Index(["tags", "reader_ids"])]
    )

    slug: str
    tags: list[str]
    reader_ids: list[str]

"""Fifty thousand comments in a post."""

content = kw.MongoDatabase("content")


class Comment(BaseModel):
    text: Annotated[str, Field(max_length=2_000)]


class Post(BaseModel):
    __store__: ClassVar = kw.Collection(content, "posts", id="{slug}")

    slug: Annotated[str, Field(max_length=80)]
    comments: Annotated[list[Comment], Field(max_length=50_000)]


post = kw.Get(Post, rate="10/s")

"""A post with all its comments in it."""

blog = kw.MongoDatabase("blog")


class Comment(BaseModel):
    author: Annotated[str, Field(max_length=40)]
    text: Annotated[str, Field(max_length=2_000)]


class Post(BaseModel):
    __store__: ClassVar = kw.Collection(blog, "posts", id="{slug}")

    slug: Annotated[str, Field(max_length=80)]
    comments: list[Comment]


class Talk(BaseModel):
    __store__: ClassVar = kw.Collection(blog, "talks", id="{slug}")

    slug: Annotated[str, Field(max_length=80)]
    comments: Annotated[list[Comment], Field(max_length=50_000)]


post = kw.Get(Post, rate="100/s")
add_comment = kw.Update(Post, pushes="comments", rate="10/s")
talk = kw.Get(Talk, rate="100/s")

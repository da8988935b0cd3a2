"""A third version of users that says nothing of the first."""

identity = kw.MongoDatabase("identity")


class User(BaseModel):
    __store__: ClassVar = kw.Collection(
        identity, "users", id="{user_id}", schema_version=3, upgrades={2: kw.Upgrade(rename={"name": "full_name"})}
    )

    user_id: str
    name: Annotated[str, Field(max_length=80)]


user = kw.Get(User, rate="10/s")

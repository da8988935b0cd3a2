"""A profile as one text."""

things = kw.RedisServer("things", role="primary", persistence=[])


class Profile(BaseModel):
    __store__: ClassVar = kw.RedisString(things, key="user:{user_id}")

    user_id: str
    name: str


rename = kw.Update(Profile, sets="name", rate="10/s")

"""An expiry that is no date."""

identity = kw.MongoDatabase("identity")


class Login(BaseModel):
    __store__: ClassVar = kw.Collection(identity, "logins", id="{token}", kind="session")

    token: str
    expires_at: Annotated[str, kw.Ttl()]

"""How the apps of members stay signed in."""

from typing import Annotated, ClassVar

from pydantic import AwareDatetime, BaseModel, Field

import keywright as kw
from models.common import UserId
from models.inbox import inbox


class RefreshToken(BaseModel):
    """The token with which an app of a member gets a new access token."""

    __store__: ClassVar = kw.RedisHash(inbox, key="refresh:{token_hash}", expected=30_000_000, kind="token")

    token_hash: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$", min_length=64, max_length=64)]
    user_id: UserId
    issued_at: AwareDatetime


issue_refresh_token = kw.Put(RefreshToken, if_absent=True, rate="60/s", peak="250/s", p99_ms=10)
refresh_token = kw.Get(RefreshToken, eq="token_hash", rate="500/s", peak="2k/s", p99_ms=5)
revoke_refresh_token = kw.Delete(RefreshToken, rate="20/s", p99_ms=10)

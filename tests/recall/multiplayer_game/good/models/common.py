"""Identifiers and values that several services share."""

from typing import Annotated, Literal

from pydantic import Field

import keywright as kw

ULID = r"^[0-9A-HJKMNP-TV-Z]{26}$"

PlayerId = Annotated[str, Field(pattern=ULID), kw.Size(avg=26, max=26), kw.Cardinality(distinct=30_000_000)]
GuildId = Annotated[str, Field(pattern=ULID), kw.Size(avg=26, max=26), kw.Cardinality(distinct=900_000)]
MatchId = Annotated[str, Field(pattern=ULID), kw.Size(avg=26, max=26), kw.Cardinality(distinct=1_500_000_000)]
EventId = Annotated[str, Field(pattern=ULID), kw.Size(avg=26, max=26)]
ServerId = Annotated[str, Field(pattern=r"^[a-z0-9-]{8,24}$"), kw.Size(avg=14, max=24), kw.Cardinality(distinct=6_000)]
HeroId = Annotated[str, Field(pattern=r"^[a-z_]{3,24}$"), kw.Size(avg=9, max=24), kw.Cardinality(distinct=140)]
Season = Annotated[str, Field(pattern=r"^S[0-9]{2}$"), kw.Size(avg=3, max=3), kw.Cardinality(distinct=40)]
Region = Literal["eu-west", "eu-east", "us-east", "us-west", "sa-east", "ap-northeast", "ap-southeast"]
Mode = Literal["ranked", "casual", "arena", "custom"]
Division = Literal["bronze", "silver", "gold", "platinum", "diamond", "master"]
# A public nickname, which its player makes up.
DisplayName = Annotated[str, Field(min_length=3, max_length=20)]

"""Identifiers and stores that the subjects share."""

from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field

import keywright as kw

UserId = Annotated[UUID, kw.Cardinality(distinct=24_000_000)]
ListingId = Annotated[UUID, kw.Cardinality(distinct=60_000_000)]
ConversationId = Annotated[UUID, kw.Cardinality(distinct=300_000_000)]
OfferId = Annotated[UUID, kw.Cardinality(distinct=90_000_000)]
Currency = Literal["EUR", "GBP", "PLN", "CZK", "SEK"]
Language = Literal["en", "de", "fr", "it", "es", "pl", "nl", "cs", "sv"]
DisplayName = Annotated[str, Field(min_length=2, max_length=40), kw.Pii()]
Title = Annotated[str, Field(max_length=80)]
ImageKey = Annotated[str, kw.Size(avg=48, max=96)]
Cents = Annotated[int, Field(ge=0, le=100_000_000)]

chat = kw.Keyspace("chat", owner="messaging")
trust = kw.Keyspace("trust", owner="trust-and-safety")

"""Closed files of more than ten years, which nearly nobody asks for again."""

from typing import Annotated, ClassVar

from pydantic import AwareDatetime, BaseModel

import keywright as kw
from models.common import Sha256

claims_archive = kw.DynamoTable("claims-archive", owner="claims")


class ArchivedClaim(BaseModel):
    """A claim with its notes and events as they were when it was archived, compressed and encrypted."""

    __store__: ClassVar = kw.Item(
        claims_archive,
        pk="CLAIM#{number_hmac}",
        sk="FILE",
        expected=95_000_000,
        active=0.00001,
        keep_forever="claims for bodily injury can be raised again for thirty years",
    )

    number_hmac: Annotated[Sha256, kw.Cardinality(distinct=95_000_000)]
    contents: Annotated[bytes, kw.Size(avg=28_000, max=300_000)]
    archived_at: AwareDatetime


archive_claim = kw.Put(ArchivedClaim, if_absent=True, rate="2.5k/day", p99_ms=500)
archived_claim = kw.Get(ArchivedClaim, eq="number_hmac", rate="100/day", p99_ms=500)

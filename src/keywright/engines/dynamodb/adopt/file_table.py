"""A table of a schema file."""

from collections.abc import Mapping

from keywright.engines.contract.adoption import NO_SAMPLE, Adopted, NotExpressed, Sample
from keywright.ir.json import Json
from keywright.record import Record

from ..schema.target import TableTarget


class FileTable(Record):
    """A table of a schema file."""

    target: TableTarget | None
    """The table; None if its definition is incomplete."""
    sample: Sample = NO_SAMPLE
    """Its items in the file."""
    adopted: Adopted | None = None
    """Its declarations, if the file has entities."""
    settings: Mapping[str, Json] = {}
    """Its settings in the stack file, as far as the file contains them."""
    not_expressed: tuple[NotExpressed, ...] = ()
    """Parts that were not read."""

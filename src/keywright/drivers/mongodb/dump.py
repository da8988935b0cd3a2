"""Documents of a file of mongodump."""

from itertools import islice
from pathlib import Path
from typing import Any

from keywright.drivers.translate_errors import not_installed

try:
    import bson
    from bson.errors import InvalidBSON

    from .values import CODEC
except ImportError as error:
    raise not_installed("mongodb") from error


def documents_in(path: Path, most: int) -> list[Any]:
    """The first documents of a `.bson` file, up to the first one that is damaged."""
    documents: list[Any] = []
    try:
        with path.open("rb") as file:
            documents.extend(islice(bson.decode_file_iter(file, CODEC), most))
    except (InvalidBSON, OSError, ValueError):
        pass
    return documents

"""Times as other clients store them: ISO text with microseconds, milliseconds or seconds, and numbers since 1970."""

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from keywright.engines.contract.naming import snake_case
from keywright.ir.attribute import Attribute, Precision, Scalar
from keywright.ir.text_form import UNITS, epoch, iso
from keywright.ir.time_format import arranged, cut, form_of, has_fraction, width_of
from keywright.record import Record, replace

_TIMES = re.compile(
    r"(?:^|_)(?:at|ts|time|timestamp|date|datetime|millis|ms|epoch)$|"
    r"^(?:last_)?(?:created|updated|modified|changed|deleted|accessed|seen|login|logged_in|expires|expiry)(?:_on)?$"
)
"""Names of fields whose numbers may be times; any other number of the same size may be an identifier."""

_FROM, _TO = datetime(2001, 1, 1, tzinfo=UTC), datetime(2100, 1, 1, tzinfo=UTC)
"""Times of numbers that are taken for times."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_DATE = 10
"""Characters of a date at the beginning of a datetime."""


_FORMATS = (
    "%Y%m%d%H%M%S%f", "%Y%m%dT%H%M%S%fZ", "%Y-%m-%d %H:%M:%S.%f", "%Y%m%d%H%M%S", "%Y%m%dT%H%M%SZ", "%Y-%m-%dT%H:%M:%S",
    "%Y-%m-%d %H:%M:%S", "%Y%m%d%H", "%Y-%m-%d-%H", "%Y/%m/%d/%H", "%Y%m%d", "%Y/%m/%d", "%Y_%m_%d", "%Y%m", "%Y/%m",
)  # fmt: skip
"""Usual formats of times in keys, the longest first."""


class StoredTime(Record):
    """A time with its precision."""

    moment: datetime
    """The time."""
    precision: Precision | None
    """Its precision; None for microseconds."""

    def text(self, form: str) -> str | None:
        """The text that a filter of a key template writes; None for another filter."""
        match form:
            case "iso":
                return iso(self.moment, self.precision)
            case "date":
                return iso(self.moment)[:_DATE]
            case _ if form.startswith("pad(") and self.precision:
                return str(epoch(self.moment, self.precision)).zfill(int(form[4:-1]))
            case _ if form.startswith("strftime("):
                return arranged(form[len("strftime(") : -1], cut(iso(self.moment), self.precision))
            case _:
                return None

    def suits(self, format: str) -> bool:
        """Whether a key in a format keeps the time, or is meant to have a day, a month or an hour of it."""
        return self.precision == "seconds" or form_of(format) != "iso" or has_fraction(format)

    def forms(self, text: str) -> list[str]:
        """The filters that write a text."""
        formats = (format for format in _FORMATS if len(text) == width_of(format) and self.suits(format))
        forms = ("iso", "date", f"pad({len(text)})", *(f"strftime({format})" for format in formats))
        return [form for form in forms if self.text(form) == text]


def with_epochs(
    attributes: Iterable[Attribute], items: Sequence[Mapping[str, Any]]
) -> tuple[tuple[Attribute, ...], dict[str, str]]:
    """(fields, native types by name): whole numbers whose name and size say so are times."""
    fields: list[Attribute] = []
    types: dict[str, str] = {}
    for attribute in attributes:
        precision = _epoch_precision(attribute, items)
        if precision and isinstance(attribute.type, Scalar):
            attribute = replace(attribute, type=replace(attribute.type, kind="datetime", precision=precision))
            types[attribute.name] = "N"
        fields.append(attribute)
    return tuple(fields), types


def _epoch_precision(attribute: Attribute, items: Sequence[Mapping[str, Any]]) -> Precision | None:
    """The precision of a field of whole numbers that are all times of this century."""
    if not isinstance(attribute.type, Scalar) or attribute.type.kind != "integer":
        return None
    numbers = [item[attribute.stored] for item in items if item.get(attribute.stored) is not None]
    if not numbers or not _TIMES.search(snake_case(attribute.name)):
        return None
    for precision in UNITS:
        if all(epoch(_FROM, precision) <= number < epoch(_TO, precision) for number in numbers):
            return precision
    return None


def plain_or_time(attribute: Attribute, value: Any) -> Any:
    """A value of a field; of a datetime, its time."""
    kind = attribute.type
    if not isinstance(kind, Scalar) or kind.kind != "datetime":
        return value
    if isinstance(value, str):
        return StoredTime(datetime.fromisoformat(value), kind.precision)
    if isinstance(value, int):
        return StoredTime(_EPOCH + value * UNITS[kind.precision or "seconds"], kind.precision)
    return value

"""Functions from a call's arguments to the texts of key templates that `access.fill` has filled."""

import itertools
import random
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, timedelta
from functools import partial
from typing import Any

from keywright.access.fill import Filled, Slot
from keywright.errors import UsageError
from keywright.ir.distinct import distinct
from keywright.ir.template import TIME_WIDTHS, Filter, Placeholder, Template
from keywright.ir.text import counted

from ..validate.arguments import Arguments
from . import text as forms
from .fit import Fit, fit

_TIMES: dict[str, Callable[[Any], str]] = {
    "date": forms.day, "month": forms.month, "week": forms.week, "hour": forms.hour,
}  # fmt: skip


def writer(placeholder: Placeholder, checked: Fit | None = None) -> Callable[[Any], str]:
    """A function from a field's value to the text of a placeholder.

    checked: a check that the text must pass.
    """
    steps = [_step(filter) for filter in placeholder.filters]
    if checked is not None:
        steps = [*(steps or [forms.text]), checked]
    if not steps:
        return forms.text
    if len(steps) == 1:
        return steps[0]

    def apply(value: Any) -> str:
        for step in steps:
            value = step(value)
        return str(value)

    return apply


def _step(filter: Filter) -> Callable[[Any], str]:
    """A function from a value to the text that a filter writes."""
    number = filter.number or 1
    if filter.format:
        return partial(forms.formatted, filter.format, filter.precision)
    match filter.name:
        case "iso":
            return forms.ISO[filter.precision]
        case name if name in TIME_WIDTHS:
            return _TIMES[name]
        case "pad":
            return partial(_padded, number, forms.EPOCHS[filter.precision] if filter.precision else None)
        case "shard":
            return partial(_sharded, number)
        case "upper":
            return lambda value: forms.text(value).upper()
        case "lower":
            return lambda value: forms.text(value).lower()
        case _:
            return lambda value: f"{{{forms.text(value)}}}"


def _padded(width: int, epoch: Callable[[Any], int] | None, value: Any) -> str:
    return forms.pad(epoch(value) if epoch else value, width)


def _sharded(count: int, value: Any) -> str:
    return forms.shard(forms.text(value), count)


def texts(filled: Filled, *, is_backward: bool = False) -> Callable[[Arguments], list[str]]:
    """A function from a call's arguments to all texts of a filled template, in ascending order of its placeholders.

    is_backward: order times from the newest.
    """
    fillers = [_filler(slot, filled.template, is_backward=is_backward) for slot in filled.slots]
    parts = _parts(filled.template)

    def fill_all(arguments: Arguments) -> list[str]:
        fills = [fill(arguments) for fill in fillers]
        return ["".join(_joined(parts, values)) for values in itertools.product(*fills)]

    return fill_all


def alternatives(filled: Filled, *, is_backward: bool = False) -> Callable[[Arguments], list[tuple[Any, ...]]]:
    """A function from a call's arguments to the values of a template's placeholders, for keys with native values.

    A placeholder without filters yields the value unchanged; any other yields its text.
    """
    fillers = [_filler(slot, filled.template, is_backward=is_backward, is_native=True) for slot in filled.slots]
    return lambda arguments: list(itertools.product(*(fill(arguments) for fill in fillers)))


def _parts(template: Template) -> list[str | None]:
    return [part if isinstance(part, str) else None for part in template.parts]


def _joined(parts: list[str | None], values: tuple[Any, ...]) -> Iterator[str]:
    remaining = iter(values)
    for part in parts:
        yield next(remaining) if part is None else part


def slot_writer(slot: Slot, template: Template) -> Callable[[Any], str]:
    """A function from a value to the text in a slot; InvalidValue for a value that could make two keys equal."""
    return writer(slot.placeholder, fit(template.text, slot.placeholder, slot.piece))


def _native_writer(slot: Slot, template: Template) -> Callable[[Any], Any]:
    """Like `slot_writer`, but a value without filters is unchanged."""
    checked = None if template.lone else fit(template.text, slot.placeholder, slot.piece)
    if slot.placeholder.filters:
        return slot_writer(slot, template)
    if checked is None:
        return forms.plain

    def write(value: Any) -> Any:
        checked(forms.text(value))
        return forms.plain(value)

    return write


def _filler(
    slot: Slot, template: Template, *, is_backward: bool, is_native: bool = False
) -> Callable[[Arguments], list[Any]]:
    placeholder = slot.placeholder
    write: Callable[[Any], Any] = _native_writer(slot, template) if is_native else slot_writer(slot, template)
    match slot.kind:
        case "value" | "values":
            condition = slot.condition
            assert condition is not None
            return lambda arguments: [write(value) for value in distinct(arguments.of(condition))]
        case "constants":
            values = [write(value) for value in slot.constants]
            return lambda arguments: values
        case "shards":
            count = placeholder.shards or 1
            shards = [_tagged(placeholder, forms.shard_text(number, count)) for number in range(count)]
            return lambda arguments: shards
        case "draw":
            count = placeholder.shards or 1
            return lambda arguments: [_tagged(placeholder, forms.shard_text(random.randrange(count), count))]
        case "buckets":
            return lambda arguments: _buckets(slot, arguments, write, is_backward=is_backward)
        case "recent":
            count = slot.count or 1
            return lambda arguments: list(
                itertools.islice(forms_back(arguments.now or datetime.now(UTC), write, placeholder), count)
            )


def _tagged(placeholder: Placeholder, text: str) -> str:
    return f"{{{text}}}" if placeholder.is_tag else text


def _buckets(slot: Slot, arguments: Arguments, write: Callable[[Any], str], *, is_backward: bool) -> list[str]:
    """All time buckets between the ends of a range; an open end means the current time."""
    assert slot.condition is not None
    path = slot.condition.field
    first, last = arguments.of(slot.condition)
    last = last if last is not None else arguments.now or datetime.now(UTC)
    if first is None:
        raise UsageError(f'the range of "{path}" has no start, and its buckets are read one by one',
                         "pass both ends of the range")  # fmt: skip
    buckets: list[str] = []
    for form in forms_back(last, write, slot.placeholder):
        if form < write(first):
            break
        buckets.append(form)
        if slot.count is not None and len(buckets) > slot.count:
            problem = (
                f'the range of "{path}" covers more than {counted(slot.count, "bucket")}, the most that '
                "the pattern allows"
            )
            raise UsageError(problem, "request a shorter range, or raise span= of the pattern")
    return buckets if is_backward else buckets[::-1]


def forms_back(moment: date, write: Callable[[Any], str], placeholder: Placeholder) -> Iterator[str]:
    """Time buckets backwards from a moment, as text, until the earliest possible time."""
    is_hour = any(filter.name == "hour" for filter in placeholder.filters)
    step = timedelta(hours=1) if is_hour else timedelta(days=1)
    previous = None
    while True:
        form = write(moment)
        if form != previous:
            yield form
        previous = form
        try:
            moment -= step
        except OverflowError:
            return

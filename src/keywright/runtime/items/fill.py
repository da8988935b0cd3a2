"""Filled key templates as functions from a call to key texts: what `access.fill` decided, carried out."""

import itertools
import random
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, timedelta
from functools import partial
from typing import Any

from keywright.access.fill import Filled, Slot
from keywright.errors import UsageError
from keywright.ir.template import TIME_WIDTHS, Placeholder, Template

from . import text as forms
from .given import Given

_TIMES: dict[str, Callable[[Any], str]] = {
    "iso": forms.iso, "date": forms.day, "month": forms.month, "week": forms.week, "hour": forms.hour,
}  # fmt: skip


def writer(placeholder: Placeholder) -> Callable[[Any], str]:
    """A function from a field's value to the text that a placeholder writes for it."""
    steps: list[Callable[[Any], str]] = []
    for one in placeholder.filters:
        number = one.number or 1
        match one.name:
            case name if name in TIME_WIDTHS:
                steps.append(_TIMES[name])
            case "pad":
                steps.append(partial(_padded, number))
            case "shard":
                steps.append(partial(_sharded, number))
            case "upper":
                steps.append(lambda value: forms.text(value).upper())
            case "lower":
                steps.append(lambda value: forms.text(value).lower())
            case _:
                steps.append(lambda value: f"{{{forms.text(value)}}}")
    if not steps:
        return forms.text
    if len(steps) == 1:
        return steps[0]

    def written(value: Any) -> str:
        for step in steps:
            value = step(value)
        return str(value)

    return written


def _padded(width: int, value: Any) -> str:
    return forms.pad(value, width)


def _sharded(count: int, value: Any) -> str:
    return forms.shard(forms.text(value), count)


def texts(filled: Filled, *, is_backward: bool = False) -> Callable[[Given], list[str]]:
    """A function from a call to all texts of a filled template, in ascending order of its placeholders.

    is_backward: times come newest first.
    """
    fillers = [_filler(slot, is_backward=is_backward) for slot in filled.slots]
    parts = _parts(filled.template)

    def made(given: Given) -> list[str]:
        found = [fill(given) for fill in fillers]
        return ["".join(_joined(parts, words)) for words in itertools.product(*found)]

    return made


def alternatives(filled: Filled, *, is_backward: bool = False) -> Callable[[Given], list[tuple[Any, ...]]]:
    """A function from a call to the values of a template's placeholders, for keys that keep native values.

    A placeholder without filters keeps its value as it is; any other gives its text.
    """
    fillers = [_filler(slot, is_backward=is_backward, is_native=True) for slot in filled.slots]
    return lambda given: list(itertools.product(*(fill(given) for fill in fillers)))


def _parts(template: Template) -> list[str | None]:
    return [part if isinstance(part, str) else None for part in template.parts]


def _joined(parts: list[str | None], words: tuple[Any, ...]) -> Iterator[str]:
    rest = iter(words)
    for part in parts:
        yield next(rest) if part is None else part


def _filler(slot: Slot, *, is_backward: bool, is_native: bool = False) -> Callable[[Given], list[Any]]:
    placeholder = slot.placeholder
    write: Callable[[Any], Any] = forms.plain if is_native and not placeholder.filters else writer(placeholder)
    match slot.kind:
        case "value" | "values":
            asked = slot.asked
            assert asked is not None
            return lambda given: [write(value) for value in dict.fromkeys(given.of(asked))]
        case "constants":
            values = [write(value) for value in slot.constants]
            return lambda given: values
        case "shards":
            count = placeholder.shards or 1
            shards = [_tagged(placeholder, forms.shard_text(number, count)) for number in range(count)]
            return lambda given: shards
        case "draw":
            count = placeholder.shards or 1
            return lambda given: [_tagged(placeholder, forms.shard_text(random.randrange(count), count))]
        case "buckets":
            return lambda given: _buckets(slot, given, write, is_backward=is_backward)
        case "recent":
            count = slot.count or 1
            return lambda given: list(itertools.islice(forms_back(given.now or datetime.now(UTC), write), count))


def _tagged(placeholder: Placeholder, text: str) -> str:
    return f"{{{text}}}" if placeholder.is_tag else text


def _buckets(slot: Slot, given: Given, write: Callable[[Any], str], *, is_backward: bool) -> list[str]:
    """Every form of time between the ends of a range; an end that is left open is the present."""
    assert slot.asked is not None
    path = slot.asked.field
    first, last = given.of(slot.asked)
    last = last if last is not None else given.now or datetime.now(UTC)
    if first is None:
        raise UsageError(f'the range of "{path}" has no beginning, and its buckets are asked one by one',
                         "give both ends of the range")  # fmt: skip
    found: list[str] = []
    for form in forms_back(last, write):
        if form < write(first):
            break
        found.append(form)
        if slot.count is not None and len(found) > slot.count:
            problem = f'the range of "{path}" covers more than {slot.count} buckets, the most that the pattern allows'
            raise UsageError(problem, "ask for a shorter time, or raise span= of the pattern")
    return found if is_backward else found[::-1]


def forms_back(moment: date, write: Callable[[Any], str]) -> Iterator[str]:
    """The forms of time from a moment backwards, without end."""
    step = timedelta(hours=1) if isinstance(moment, datetime) else timedelta(days=1)
    if isinstance(moment, datetime) and len(write(moment)) != TIME_WIDTHS["hour"]:
        step = timedelta(days=1)
    before = None
    while True:
        form = write(moment)
        if form != before:
            yield form
        before = form
        try:
            moment -= step
        except OverflowError:
            return

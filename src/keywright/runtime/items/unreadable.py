"""Stored items that do not fit their model: marked on reading, and handled by the call's `on_invalid`."""

from collections.abc import Callable, Iterable
from typing import Any

from pydantic import ValidationError

from keywright.declare.answers import Around, OnInvalid, Page
from keywright.errors import UsageError
from keywright.ir.apply_transform import Poison
from keywright.ir.attribute import Struct
from keywright.ir.binding import Binding
from keywright.ir.personal import has_personal_key
from keywright.record import replace

from ..errors import InvalidItem
from ..validate.wording import problem_of
from .codec import Codec, Unreadable
from .decoding import undecoded


def marking(codec: Codec[Any], binding: Binding, key_fields: Iterable[str]) -> Codec[Any]:
    """A codec that returns `Unreadable` for an item that does not fit, so that the rest of a page is read."""
    is_personal = has_personal_key(binding, key_fields)

    def marking_reader(read: Callable[[Any], Any]) -> Callable[[Any], Any]:
        def read_item(native: Any) -> Any:
            try:
                return read(native)
            except Exception as error:  # noqa: BLE001  # a stored item may be anything
                reason = _reason(error, codec, binding, native)
            key = codec.key_in(native)
            return Unreadable(InvalidItem(binding.name, key, reason, is_personal=is_personal))

        return read_item

    return replace(
        codec,
        from_item=marking_reader(codec.from_item),
        from_part=marking_reader(codec.from_part),
        from_copy=marking_reader(codec.from_copy),
    )


def _reason(error: Exception, codec: Codec[Any], binding: Binding, native: Any) -> str:
    """The fields that do not fit, and the reasons, without values."""
    if isinstance(error, Poison):
        return f"an upgrade rejects it: {error}"
    if not isinstance(error, ValidationError):
        names = ", ".join(f'"{name}"' for name in undecoded(codec, binding, native)[:3])
        return f"the stored form of {names or 'it'} cannot be read ({type(error).__name__})"
    struct = Struct(binding.entity.name, binding.entity.attributes)
    errors = error.errors(include_url=False, include_context=False, include_input=False)
    problems = (problem_of(problem, problem["loc"], struct) for problem in errors[:3])
    more = f"; and {len(errors) - 3} more" if len(errors) > 3 else ""
    return "; ".join(f'"{place.lstrip(".")}": {reason}' if place else reason for place, reason in problems) + more


def resolved(answer: Any, on_invalid: OnInvalid) -> Any:
    """The answer without unreadable items, which are raised, skipped, or passed to the callback and skipped."""
    if type(answer) is Unreadable:
        _handle(answer.error, on_invalid)
        return None
    if type(answer) is tuple:
        return tuple(resolved(item, on_invalid) for item in answer)
    if type(answer) is Around:
        return _readable(answer, on_invalid)
    if type(answer) is Page and any(type(item) is Unreadable for item in answer.items):
        for item in answer.items:
            if type(item) is Unreadable:
                _handle(item.error, on_invalid)
        return Page(tuple(item for item in answer.items if type(item) is not Unreadable), answer.cursor)
    return answer


def _readable(around: Around[Any], on_invalid: OnInvalid) -> Around[Any] | None:
    """The neighbours without unreadable ones; None if the requested one is unreadable."""
    for item in around.items:
        if type(item) is Unreadable:
            _handle(item.error, on_invalid)
    places = [place for place, item in enumerate(around.items) if type(item) is not Unreadable]
    if around.position not in places:
        return None
    items, ranks = (tuple(each[place] for place in places) for each in (around.items, around.ranks))
    return Around(items, ranks, places.index(around.position))


def checked(on_invalid: OnInvalid) -> OnInvalid:
    """The option itself; UsageError if it is invalid."""
    if on_invalid in ("raise", "skip") or callable(on_invalid):
        return on_invalid
    raise UsageError(
        f"on_invalid={on_invalid!r} is not an option", 'pass "raise", "skip" or a function of an InvalidItem'
    )


def _handle(error: InvalidItem, on_invalid: OnInvalid) -> None:
    if on_invalid == "raise":
        raise error
    if callable(on_invalid):
        on_invalid(error)

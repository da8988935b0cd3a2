"""Match of a pattern's conditions with the partition key and sort key of a route."""

from keywright.access.fill import Filled, Slot, Unfilled, fill
from keywright.access.key_range import Reading, reading
from keywright.access.query import Condition, Query
from keywright.ir.template import Template
from keywright.record import Record, replace

from ..calls import Filling, Span
from ..key_texts import KeptValues, kept_in
from ..layout import FilledKeyPart, Layout, Route
from ..templates import expanded


class KeyMatch(Record):
    """Conditions of a pattern on the key of a route."""

    key: tuple[Filling, ...]
    """Partition key."""
    equal: tuple[Filling, ...]
    """Leading attributes of the sort key with one value."""
    span: Span | None
    """Range of the next sort key attribute."""
    ordered: tuple[str, ...]
    """Fields by which the result ascends."""
    decides: tuple[Condition, ...]
    """Conditions that hold for all items read."""
    is_complete: bool
    """Whether each combination of values is a complete key."""

    @property
    def slots(self) -> tuple[Slot, ...]:
        """Placeholders with several values."""
        slots = [slot for filling in self.key for slot in filling.filled.slots]
        if self.span is not None:
            slots += self.span.reading.slots
        return tuple(slot for slot in slots if slot.kind not in ("value", "draw"))


class MissingPartition(Record):
    """A key whose partition key has no value."""

    uses: tuple[Condition, ...]
    """Conditions of the pattern that the key uses nevertheless."""
    reason: str
    """Missing condition."""


def key_match_of(entity: Layout, route: Route, query: Query) -> KeyMatch | MissingPartition:
    """Match of a query with a key."""
    key: list[Filling] = []
    decides: list[Condition] = []
    for part in route.hashes:
        template, kept_values = template_of(entity, part, query)
        filled = fill(template, query, entity.attributes)
        if isinstance(filled, Unfilled):
            return MissingPartition(tuple(decides), filled.reason)
        _decide(decides, filled.slots, kept_values)
        if reason := _unsuited(filled.slots, kept_values):
            return MissingPartition(tuple(decides), reason)
        key.append(Filling(part.attribute, part.native, filled))
    if not route.sorts:
        return KeyMatch(tuple(key), (), None, (), tuple(decides), is_complete=True)
    return _with_sort(entity, route, query, tuple(key), decides)


def _with_sort(
    entity: Layout, route: Route, query: Query, key: tuple[Filling, ...], decides: list[Condition]
) -> KeyMatch | MissingPartition:
    equal: list[Filling] = []
    ordered: list[str] = []
    span: Span | None = None
    is_complete = True
    for part in route.sorts:
        template, kept_values = template_of(entity, part, query)
        if not template.parts[1:] and isinstance(template.parts[0], str) and span is None:
            equal.append(Filling(part.attribute, part.native, Filled(template)))
            continue
        range_ = _read(part, template, query, entity, may_repeat=span is None)
        if reason := _unsuited(range_.slots, kept_values):
            return MissingPartition(tuple(decides), reason)
        if span is not None:  # a later part orders the items that are equal in the span
            is_complete = False
            if span.reading.is_one or len(span.reading.ordered) == len(span.reading.template.placeholders):
                ordered += ordered_by(range_)
            break
        if range_.is_one and all(slot.kind == "value" for slot in range_.slots):
            equal.append(Filling(part.attribute, part.native, Filled(template, range_.slots)))
        else:
            span = Span(part.attribute, part.native, range_)
            is_complete = range_.is_one
        decides += range_.decides
        _decide(decides, range_.slots, kept_values)
        decides += (condition for condition in range_.range if condition.kind == "below" or condition.excludes)
        ordered += ordered_by(range_)
    return KeyMatch(key, tuple(equal), span, tuple(ordered), tuple(decides), is_complete)


def _unsuited(slots: tuple[Slot, ...], kept_values: KeptValues) -> str | None:
    """Reason why the values of some placeholders do not determine the key."""
    for position, slot in enumerate(slots):
        if slot.kind == "buckets" and slot.count is None:
            path = slot.placeholder.path
            return f'the pattern has no span=, which limits the buckets of "{path}" are counted'
        if slot.condition is None:
            continue
        if kept_values.is_ambiguous[position]:
            return f'one value of "{slot.placeholder.path}" has several texts in a key'
        if slot.condition.constants is not None and None in slot.condition.constants:
            return f'no key contains items whose "{slot.placeholder.path}" is None'
    return None


def _decide(decides: list[Condition], slots: tuple[Slot, ...], kept_values: KeptValues) -> None:
    """Append the equality conditions that equal key texts imply."""
    for position, slot in enumerate(slots):
        if slot.condition is not None and kept_values.is_exact[position] and slot.kind in ("value", "values"):
            decides.append(slot.condition)


def ordered_by(range_: Reading) -> tuple[str, ...]:
    """Fields by which the result ascends, without fields whose values are read in sequence."""
    several = {slot.placeholder.path for slot in range_.slots if slot.kind == "values"}
    return tuple(path for path in range_.ordered if path not in several)


def template_of(entity: Layout, part: FilledKeyPart, query: Query) -> tuple[Template, KeptValues]:
    """Template of a key attribute, with the computed attributes that the pattern names kept as they are."""
    if part.template is part.written:
        return part.template, part.kept_values
    named = {
        condition.field
        for condition in query.conditions
        if condition.field in entity.computed and condition.kind in ("equals", "one_of")
    }
    if not named:
        return part.template, part.kept_values
    template = expanded(part.written, entity.computed, named.__contains__)
    return template, kept_in(template, part.native, entity.attributes)


def _read(part: FilledKeyPart, template: Template, query: Query, entity: Layout, *, may_repeat: bool) -> Reading:
    """Range of a sort key attribute; its first placeholder without one value may have several."""
    if may_repeat:
        for placeholder in template.placeholders:
            if query.fixed(placeholder.path) is not None:
                continue
            several = query.first(placeholder.path, "one_of")
            if several is not None:
                return _repeated(template, query, entity, several)
            break
    range_ = reading(template, query, entity.attributes)
    return range_ if range_.is_one else _in_order(part, range_)


def _repeated(template: Template, query: Query, entity: Layout, several: Condition) -> Reading:
    """Range of each of several values."""
    single = Condition(several.field, "equals")
    single_query = replace(
        query, conditions=tuple(single if condition is several else condition for condition in query.conditions)
    )
    range_ = reading(template, single_query, entity.attributes)
    count = None if several.constants is None else len(several.constants)
    slots = tuple(
        replace(slot, kind="values", condition=several, count=count) if slot.condition is single else slot
        for slot in range_.slots
    )
    return replace(
        range_, slots=slots, decides=tuple(several if decide is single else decide for decide in range_.decides)
    )


def _in_order(part: FilledKeyPart, range_: Reading) -> Reading:
    """Range without order: if native values sort unlike the fields, only equality remains."""
    is_braced = range_.next is not None and range_.next.is_tag and range_.next.width is None
    if part.is_unordered or is_braced:  # a brace follows the shorter of two texts, and sorts after letters
        decides = tuple(
            decide for decide in range_.decides if decide not in range_.range and decide is not range_.prefix
        )
        return replace(range_, range=(), prefix=None, ordered=(), decides=decides)
    if range_.prefix is not None and part.native == "N":  # only text has prefixes
        return replace(
            range_, prefix=None, decides=tuple(decide for decide in range_.decides if decide is not range_.prefix)
        )
    return range_

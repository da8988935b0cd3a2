"""Counts values that do not fit their model in sampled items, with the key of an example item; no value is stored."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError

from keywright.declare.store import VERSION
from keywright.engines.contract.pages import MARK, Work
from keywright.ir.attribute import Attribute, Many, Map, Struct, Tuple, Type
from keywright.ir.binding import Binding
from keywright.ir.text import one_line
from keywright.runtime.items.codec import Codec
from keywright.runtime.items.decoding import undecoded

MASK = "*** (a personal key)"
"""Replacement for a key that contains personal data."""

MOST_LETTERS = 120
"""Maximum length of a key in a message."""

_OWN = (VERSION, MARK, "kw_v", "kw_m_")
"""Prefixes of names that keywright writes beside the fields."""


@dataclass
class MisfitCounts:
    """Counts of items by misfit."""

    key_in: Callable[[Any], Any]
    """Extracts the key of a native item."""
    is_personal: bool
    """Whether keys are masked."""
    examples: dict[str, dict[str, str]] = field(default_factory=lambda: defaultdict(dict))
    """Key of an example item, by kind and misfit."""
    _counts: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))

    def note(self, kind: str, misfits: Iterable[str], item: Any) -> None:
        """Count an item once for each of its misfits."""
        for misfit in dict.fromkeys(misfits):
            self._counts[kind][misfit] += 1
            if misfit not in self.examples[kind]:
                self.examples[kind][misfit] = self.key(item)

    def counts(self, kind: str) -> dict[str, int]:
        """Numbers of items by misfit of a kind, most frequent first."""
        return dict(self._counts[kind].most_common())

    def key(self, item: Any) -> str:
        """Key for messages, of an item or of a key itself."""
        return MASK if self.is_personal else masked(item if isinstance(item, str) else self.key_in(item))


def masked(key: Any) -> str:
    """Native key for a message: on one line, shortened to `MOST_LETTERS`."""
    pairs = key.items() if isinstance(key, Mapping) else ()
    text = ", ".join(f"{name}={value!r}" for name, value in pairs) or repr(key)
    text = one_line(text)
    return text if len(text) <= MOST_LETTERS else f"{text[: MOST_LETTERS - 3]}..."


def misfits(error: Exception, codec: Codec[Any], binding: Binding, item: Any) -> set[str]:
    """Reasons why a model cannot read an item, by field and without values."""
    if isinstance(error, ValidationError):
        return {
            _field_error(details, binding.entity.attributes)
            for details in error.errors(include_input=False, include_url=False)
        }
    reason = f"its stored form cannot be read ({type(error).__name__})"
    return {f'"{name}": {reason}' for name in undecoded(codec, binding, item)} or {reason}


def _field_error(error: Any, attributes: Sequence[Attribute]) -> str:
    """Error of a field, without its value."""
    path = ".".join(_declared(error["loc"], Struct("", tuple(attributes)))).replace(".[]", "[]")
    return f'"{path}": {error["type"].replace("_", " ")}' if path else str(error["type"]).replace("_", " ")


def _declared(place: Sequence[int | str], type: Type | None) -> Iterator[str]:
    """Declared path of a value; keys of maps are masked because they are data like their values."""
    for part in place:
        match type:
            case Struct():
                yield str(part)
                type = next(
                    (attribute.type for attribute in type.attributes if part in (attribute.name, attribute.stored)),
                    None,
                )
            case Many():
                yield "[]"
                type = type.element
            case Tuple():
                yield f"[{part}]"
                type = type.elements[int(part)]
            case Map():
                yield "*"
                type = type.value
            case _:
                return


def unknown(tree: Any, binding: Binding, work: Work) -> Iterator[str]:
    """Stored paths in an item that belong to no field and no key of its entity.

    tree: the item in the form of `Observer.plain`.
    """
    other_paths = {*(path.partition(".")[0] for path in work.types), *work.key_attributes, *binding.computed}
    if work.discriminator is not None:
        other_paths.add(work.discriminator.attribute)
    for path in map(one_line, _unknown(tree, binding.entity.attributes, "")):
        if path not in other_paths and not path.startswith(_OWN) and path.partition(".")[0] not in binding.computed:
            yield path


def _unknown(value: Any, attributes: Sequence[Attribute], path: str) -> Iterator[str]:
    if not isinstance(value, Mapping):
        return
    types = {attribute.stored: attribute.type for attribute in attributes}
    for name, inner in value.items():
        inner_path = f"{path}.{name}" if path else str(name)
        if name in types:
            yield from _inside(inner, types[name], inner_path)
        elif inner is not None:
            yield inner_path


def _inside(value: Any, type: Type, path: str) -> Iterator[str]:
    match type:
        case Struct():
            yield from _unknown(value, type.attributes, path)
        case Many() if isinstance(value, list):
            for element in value:
                yield from _inside(element, type.element, f"{path}[]")
        case Tuple() if isinstance(value, list):
            for element, element_type in zip(value, type.elements, strict=False):
                yield from _inside(element, element_type, f"{path}[]")
        case Map() if isinstance(value, Mapping):
            for element in value.values():
                yield from _inside(element, type.value, f"{path}.*")
        case _:
            return

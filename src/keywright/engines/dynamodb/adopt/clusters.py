"""Items of one table in groups, each of which is an entity."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from keywright.engines.contract.adoption import NotExpressed
from keywright.engines.contract.naming import RESERVED
from keywright.record import Record

from .key_shapes import LEAST, Item, Shape, by_key_words, common_words
from .leftovers import are_few, without_discriminator
from .names import Named, names_of
from .words import DISCRIMINATORS, Vocabulary, is_word

MOST_KINDS = 60
"""Most values of a discriminator."""


MOST_OTHERS = 10
"""The part of the items that may belong to no entity: a tenth."""


class Cluster(Record):
    """Items of one entity."""

    name: str
    """Its name, from the discriminator or the words of its key; of a discriminator, its value."""
    items: tuple[Item, ...]
    """The items in plain form."""
    words: frozenset[str] = frozenset()
    """Words of its keys that are constants."""


class Clusters(Record):
    """The items of a table."""

    discriminator: str | None
    """The attribute that has another value in each entity; None if the key tells the entities apart."""
    clusters: tuple[Cluster, ...]
    """The entities; one for all items if they cannot be told apart."""
    others: tuple[Item, ...] = ()
    """Items of no entity, because their keys have no words, or because they lack the discriminator."""
    missing: tuple[NotExpressed, ...] = ()
    """Descriptions of the items that lack the discriminator."""


def clusters_of(
    items: Sequence[Item], keys: Sequence[str], table: str, names: Iterable[str] = (), kinds: Sequence[str] = ()
) -> Iterator[Clusters]:
    """The ways to divide a table's items into entities, the best one first; the last one is a single entity.

    keys: names of the key attributes. table: the name of a single entity. names: of the table and its indexes.
    kinds: names that a file gives to the kinds of the items, one for each item.
    """
    attributes = {name for item in items for name in item}
    for name in DISCRIMINATORS:
        if name in attributes and name not in keys and (groups := _by_kind(items, name, keys)):
            others = tuple(item for item in items if name not in item)
            yield _discriminated(name, groups, others, keys, Vocabulary((*names, *attributes), groups))
    vocabulary = Vocabulary((*names, *attributes), kinds)
    shapes = by_key_words(items, keys, vocabulary)
    entities = [shape for shape in shapes if shape.words]
    others = tuple(item for shape in shapes if not shape.words for item in shape.items)
    if entities and (len(entities) > 1 or not others) and len(others) * MOST_OTHERS <= len(items):
        own_kinds = dict(zip(map(id, items), kinds, strict=True)) if kinds else {}
        named = [_named(shape, keys[0], own_kinds) for shape in entities]
        clusters = (
            Cluster(name, shape.items, shape.words)
            for name, shape in zip(names_of(named, table), entities, strict=True)
        )
        yield Clusters(None, tuple(clusters), others=others)
    yield Clusters(None, (Cluster(table, tuple(items)),))


def _named(shape: Shape, partition_key: str, kinds: Mapping[int, str]) -> Named:
    """Source of the name of a shape's entity."""
    subjects = (
        name
        for name in shape.items[0]
        if name != partition_key and all(item.get(name) == item[partition_key] for item in shape.items)
    )
    return Named(shape.by_key, frozenset(kinds.get(id(item), "") for item in shape.items), next(subjects, ""))


def _by_kind(items: Sequence[Item], name: str, keys: Sequence[str]) -> dict[str, tuple[Item, ...]]:
    """Items by the value of a discriminator, without the few that lack it; empty if it tells no entities apart."""
    groups: dict[str, list[Item]] = {}
    for item in items:
        if name in item:
            groups.setdefault(str(item[name]), []).append(item)
    leftovers = len(items) - sum(map(len, groups.values()))
    if leftovers and not are_few(leftovers, len(items), min(map(len, groups.values()))):
        return {}
    if not all(map(is_word, groups)) or not 2 <= len(groups) <= MOST_KINDS:
        return {}
    are_classes = all(map(is_class, groups))
    attributes = {frozenset.intersection(*(frozenset(item) for item in group)) - {*keys} for group in groups.values()}
    if len(attributes) < max(2, len(groups) / 2) and not (are_classes and len(groups) <= len(items) / LEAST):
        return {}
    return {value: tuple(groups[value]) for value in sorted(groups)}


def _discriminated(
    name: str,
    groups: Mapping[str, tuple[Item, ...]],
    others: tuple[Item, ...],
    keys: Sequence[str],
    vocabulary: Vocabulary,
) -> Clusters:
    clusters = tuple(
        Cluster(value, group, common_words(group, keys, vocabulary, value) | {value}) for value, group in groups.items()
    )
    words = frozenset(word for cluster in clusters for word in cluster.words)
    missing = without_discriminator(others, name, keys, vocabulary, words)
    return Clusters(name, clusters, others, tuple(missing))


def is_class(value: str) -> bool:
    """Whether a discriminator's value is the name of a class."""
    return value.isidentifier() and value[:1].isupper() and value not in RESERVED

"""Tables as declarations, each with its entities and indexes."""

from collections.abc import Iterator, Mapping, Sequence

from keywright.engines.contract.adoption import Adopted, NotExpressed, Sample
from keywright.engines.contract.naming import class_name
from keywright.engines.infer import ClassNames
from keywright.ir.design import Design
from keywright.ir.text import counted

from ..declare.settings import DynamoEnvironment
from ..schema.target import TableTarget
from .clusters import Clusters, clusters_of, is_class
from .declarations import TableDeclarations
from .entities import EntityReader, KeyedEntity
from .values import plain


def adopt(target: TableTarget, samples: Mapping[str, Sample], environment: DynamoEnvironment) -> Adopted:
    """See `Adoption.adopt`: entities out of sampled items; without items, an entity with the attributes of all keys."""
    items = [plain(item) for sample in samples.values() for item in sample.items]
    kinds = [kind for sample in samples.values() for kind in sample.kinds]
    keys = [part.attribute for part in target.keys]
    names = [target.name, *(index.name for index in (*target.indexes, *target.local_indexes))]
    reason = ""
    for clusters in clusters_of(items, keys, target.name, names, kinds):
        if clusters.missing and not _shows_expiry(target, clusters):
            continue
        adopted = _adopted(target, clusters)
        if isinstance(adopted, Adopted):
            return adopted
        reason = adopted
    return Adopted(Design(), {}, (NotExpressed("keys", reason),))


def _adopted(target: TableTarget, clusters: Clusters) -> Adopted | str:
    """The declarations of a table with these entities, or the reason why there are none."""
    names: list[str] = []
    for cluster in clusters.clusters:
        is_kept = clusters.discriminator and is_class(cluster.name) and cluster.name not in names
        names.append(cluster.name if is_kept else class_name(cluster.name, names))
    reader = EntityReader(target, ClassNames(names), clusters)
    entities = reader.entities(names)
    if mixed := _mixed(entities):
        reader = EntityReader(target, ClassNames(names), clusters, mixed)
        entities = reader.entities(names)
    missing = tuple(_without_entity(target, clusters))
    return TableDeclarations(target, clusters.discriminator).adopted(entities, reader.comments, missing=missing)


def _shows_expiry(target: TableTarget, clusters: Clusters) -> bool:
    """Whether the entities have the expiry of the table, if only leftover items could show it."""
    if not any(target.ttl in item for item in clusters.others):
        return True
    return any(target.ttl in item for cluster in clusters.clusters for item in cluster.items)


def _without_entity(target: TableTarget, clusters: Clusters) -> Iterator[NotExpressed]:
    if clusters.missing:
        yield from clusters.missing
    elif clusters.others:
        keys = " and ".join(f'"{part.attribute}"' for part in target.keys)
        yield NotExpressed(
            "items", f"{counted(len(clusters.others), 'sampled item')} without words in {keys}: no entity"
        )


def _mixed(entities: Sequence[KeyedEntity]) -> frozenset[str]:
    """Attributes that templates fill in some entities, and that are fields with another name in Python in others."""
    filled = {attribute for keyed in entities for attribute in keyed.templates}
    fields = (attribute for keyed in entities for attribute in keyed.entity.attributes)
    return frozenset(field.stored for field in fields if field.name != field.stored and field.stored in filled)

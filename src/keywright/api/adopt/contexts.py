"""Bounded contexts of a large store: several model files where its classes have clear groups."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from keywright.declare.stream import ConsumerGroup
from keywright.edit.create.model_file import ModelFile
from keywright.edit.create.variables import ImportedName, Variables
from keywright.engines.contract.naming import field_name, plural, singular, snake_case, words_of
from keywright.ir.attribute import Struct, Type
from keywright.ir.binding import Binding
from keywright.ir.design import Design
from keywright.ir.entity import parts
from keywright.record import replace

FEW = 12
"""Most classes that stay in one file."""

LEAST = 3
"""Least classes of a context; two with the same first word may have it by chance."""


def divided(file: ModelFile, path: Path, roots: Sequence[Path]) -> dict[Path, ModelFile]:
    """The file, or files of its contexts beside the one with the database and all other classes.

    roots: folders from which dotted names of modules start; below none of them, files cannot import each other.
    """
    module = _module(path, roots)
    contexts = _contexts(file.design.bindings) if module and not _has_shared_parts(file) else {}
    if len(contexts) < 2:
        return {path: file}
    own = {binding.name for bindings in contexts.values() for binding in bindings}
    rest = [binding for binding in file.design.bindings if binding.name not in own]
    first = replace(file, design=_part(file, rest))
    variables = Variables(first.design, first.imported)
    imported = tuple(
        ImportedName(physical.spec, module, name)
        for physical in file.design.physicals
        if (name := variables.name(physical.spec)) and all(physical.spec is not part.declared for part in file.imported)
    )
    others = {
        path.with_name(f"{path.stem}_{field_name(name)}.py"): replace(
            file,
            doc=f"{file.doc.removesuffix('.')}: {name.replace('_', ' ')}.",
            design=_part(file, bindings),
            notes=(),
            imported=(*file.imported, *imported),
        )
        for name, bindings in sorted(contexts.items())
    }
    if any(other.exists() for other in others):
        return {path: file}
    return ({path: first} if rest or imported or file.notes else {}) | others


def _part(file: ModelFile, bindings: Sequence[Binding[Any]]) -> Design[Any, Any]:
    names = {binding.name for binding in bindings}
    patterns = tuple(pattern for pattern in file.design.patterns if pattern.binding in names)
    entities = tuple(binding.entity for binding in bindings)
    return Design(entities, file.design.physicals, tuple(bindings), patterns)


def _module(path: Path, roots: Sequence[Path]) -> str:
    """The dotted name under which a file is imported; empty below no root."""
    for root in roots:
        if path.resolve().is_relative_to(root.resolve()):
            return ".".join(path.resolve().relative_to(root.resolve()).with_suffix("").parts)
    return ""


def _has_shared_parts(file: ModelFile) -> bool:
    """Whether classes refer to parts of their table, such as its indexes, for which there are variables."""
    physicals = [physical.spec for physical in file.design.physicals]
    declared = (part for part, _ in Variables(file.design, file.imported).in_order)
    return any(not isinstance(part, ConsumerGroup) and all(part is not spec for spec in physicals) for part in declared)


def _contexts(bindings: Sequence[Binding[Any]]) -> dict[str, list[Binding[Any]]]:
    """The classes of each context by its name: by first words of stored names, else by references."""
    if len(bindings) <= FEW:
        return {}
    group_of = _by_first_word(bindings)
    references = list(_references(bindings))
    if group_of:
        group_of |= _joining(bindings, group_of, references)
    else:
        group_of = _by_references(bindings, references)
    group_of = _with_embedded(bindings, group_of)
    counts = Counter(group_of.values())
    return {
        name: [binding for binding in bindings if group_of.get(binding.name) == name]
        for name, count in counts.items()
        if count >= LEAST
    }


def _by_first_word(bindings: Sequence[Binding[Any]]) -> dict[str, str]:
    """The first word that several names have, by entity; a word of all names is passed over."""
    words = {
        binding.name: [singular(word.lower()) for word in words_of(getattr(binding.spec, "name", "") or binding.name)]
        for binding in bindings
    }
    while len({tuple(own[:1]) for own in words.values()}) == 1 and all(len(own) > 1 for own in words.values()):
        words = {name: own[1:] for name, own in words.items()}
    counts = Counter(own[0] for own in words.values() if own)
    return {name: own[0] for name, own in words.items() if own and counts[own[0]] >= LEAST}


def _references(bindings: Sequence[Binding[Any]]) -> Iterator[tuple[str, str]]:
    """(entity, entity that one of its fields names): `user_id` names a `User`."""
    names = {snake_case(binding.name): binding.name for binding in bindings}
    for binding in bindings:
        for attribute in binding.entity.attributes:
            noun, _, ending = snake_case(attribute.name).rpartition("_")
            if ending in ("id", "ids") and names.get(noun, binding.name) != binding.name:
                yield binding.name, names[noun]


def _joining(
    bindings: Sequence[Binding[Any]], group_of: Mapping[str, str], references: Sequence[tuple[str, str]]
) -> dict[str, str]:
    """The groups of further entities, whose references are with the entities of one group only."""
    joining: dict[str, str] = {}
    for binding in bindings:
        near = {
            second if first == binding.name else first
            for first, second in references
            if binding.name in (first, second)
        }
        groups = {group_of.get(name, "") for name in near}
        if binding.name not in group_of and len(groups) == 1 and "" not in groups:
            joining[binding.name] = groups.pop()
    return joining


def _by_references(bindings: Sequence[Binding[Any]], references: Sequence[tuple[str, str]]) -> dict[str, str]:
    """Entities that refer to each other, over any number of references, by the name of the most frequent one."""
    leader = {binding.name: binding.name for binding in bindings}
    for first, second in references:
        before, after = leader[first], leader[second]
        leader = {name: after if own == before else own for name, own in leader.items()}
    counts = Counter(second for _, second in references)
    group_of: dict[str, str] = {}
    for own in sorted(set(leader.values())):
        members = [name for name, other in leader.items() if other == own]
        if len(members) >= LEAST:
            most = max(members, key=lambda name: (counts[name], name))
            group_of |= dict.fromkeys(members, plural(snake_case(most)))
    return group_of


def _with_embedded(bindings: Sequence[Binding[Any]], group_of: Mapping[str, str]) -> dict[str, str]:
    """The groups in which entities with the same embedded model are together: a class is in one file."""
    groups = dict(group_of)
    owners: dict[str, str] = {}
    for binding in bindings:
        for struct in {struct for attribute in binding.entity.attributes for struct in _structs(attribute.type)}:
            first, second = owners.setdefault(struct, binding.name), binding.name
            before, after = groups.get(second, ""), groups.get(first, "")
            if before and after:
                groups = {name: after if own == before else own for name, own in groups.items()}
            elif before or after:
                groups |= {first: before or after, second: before or after}
    return groups


def _structs(type: Type) -> Iterator[str]:
    for part in parts(type):
        yield from _structs(part)
    if isinstance(type, Struct):
        yield type.name

"""GEN020: a relation is not shaped by how many there are on each side."""

from collections.abc import Iterator

from keywright.engines.flaws.asked import identity, single
from keywright.engines.flaws.context import Flaw, Whole, fields
from keywright.ir.attribute import Attribute, Many, Reference
from keywright.ir.binding import Binding
from keywright.ir.entity import element


def models(whole: Whole, *, few: int = 100) -> Iterator[Flaw]:
    """Few that belong to one and stand apart from it, and many that belong to one and are listed in it.

    few: how many may be embedded.
    """
    for binding in whole.design.bindings:
        for path, attribute in fields(binding.entity.attributes):
            said = element(attribute.type).facts.reference
            if said is None:
                continue
            if isinstance(attribute.type, Many):
                if said.max_referrers == 1 and attribute.type.max_items is None:
                    yield _listed(binding, path, said)
            elif said.max_referrers is not None and said.max_referrers <= few and "." not in path:
                yield from _apart(whole, binding, attribute, said)


def _listed(binding: Binding, path: str, said: Reference) -> Flaw:
    return Flaw(
        problem=f'"{path}" lists every "{said.entity}" that belongs to it, without a bound, though each belongs to one',
        help=f"let {said.entity} refer to {binding.entity.name}, with an index on that, and drop the list",
        subject=binding.name,
        field=path.partition(".")[0],
    )


_TOGETHER = frozenset(("read", "count"))
_KINDS = _TOGETHER | {"get", "update", "increment", "delete"}


def _apart(whole: Whole, binding: Binding, attribute: Attribute, said: Reference) -> Iterator[Flaw]:
    """What is only ever asked for by what it belongs to, in a store that could embed it there; each of several that is
    changed or read alone stands apart rightly."""
    traits = whole.traits.get(binding.engine)
    homes = [one for one in whole.design.bindings if one.entity.name == said.entity and one.engine == binding.engine]
    patterns = [one for one in single(whole.design) if one.binding == binding.name]
    kinds = _KINDS if said.max_referrers == 1 else _TOGETHER
    by_parent = all(one.kind == "put" or (one.kind in kinds and one.eq == (attribute.name,)) for one in patterns)
    if traits and traits.keeps_documents and homes and patterns and by_parent and identity(binding):
        alone = said.max_referrers == 1
        shape = "is one" if alone else f"are at most {said.max_referrers}"
        kind = "a field" if alone else f"a list with Field(max_length={said.max_referrers})"
        yield Flaw(
            problem=f'there {shape} for each "{said.entity}", only asked for by it, and stored apart from it',
            help=f"embed it in {said.entity}, as {kind}",
            subject=binding.name,
            field=attribute.name,
        )

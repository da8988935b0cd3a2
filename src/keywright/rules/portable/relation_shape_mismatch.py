"""GEN020: the shape of a relation does not match its cardinality."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext, fields
from keywright.engines.findings.pattern_facts import identity, single
from keywright.ir.attribute import Attribute, Many, Reference
from keywright.ir.binding import Binding
from keywright.ir.entity import element


def models(context: RuleContext, *, few: int = 100) -> Iterator[FindingDraft]:
    """Report a few children that are stored separately from their parent, and many children that it lists.

    few: number of children that may be embedded.
    """
    for binding in context.design.bindings:
        for path, attribute in fields(binding.entity.attributes):
            reference = element(attribute.type).facts.reference
            if reference is None:
                continue
            if isinstance(attribute.type, Many):
                if reference.max_referrers == 1 and attribute.type.max_items is None:
                    yield _listed(binding, path, reference)
            elif reference.max_referrers is not None and reference.max_referrers <= few and "." not in path:
                yield from _separate(context, binding, attribute, reference)


def _listed(binding: Binding, path: str, reference: Reference) -> FindingDraft:
    return FindingDraft(
        problem=(
            f'"{path}" lists every "{reference.entity}" of its item without a bound, although each has only one parent'
        ),
        help=f"let {reference.entity} refer to {binding.entity.name}, with an index on it, and drop the list",
        subject=binding.name,
        field=path.partition(".")[0],
    )


_TOGETHER = frozenset(("read", "count"))
_KINDS = _TOGETHER | {"get", "update", "increment", "delete"}


def _separate(
    context: RuleContext, binding: Binding, attribute: Attribute, reference: Reference
) -> Iterator[FindingDraft]:
    """A finding about children that are only accessed by their parent, in a store that could embed them; several
    children that are read or changed individually belong into separate items."""
    traits = context.traits.get(binding.engine)
    homes = [
        home
        for home in context.design.bindings
        if home.entity.name == reference.entity and home.engine == binding.engine
    ]
    patterns = [pattern for pattern in single(context.design) if pattern.binding == binding.name]
    kinds = _KINDS if reference.max_referrers == 1 else _TOGETHER
    by_parent = all(
        pattern.kind == "put" or (pattern.kind in kinds and pattern.eq == (attribute.name,)) for pattern in patterns
    )
    if traits and traits.keeps_documents and homes and patterns and by_parent and identity(binding):
        is_single = reference.max_referrers == 1
        number = "there is one" if is_single else f"there are at most {reference.max_referrers}"
        kind = "a field" if is_single else f"a list with Field(max_length={reference.max_referrers})"
        yield FindingDraft(
            problem=f'{number} for each "{reference.entity}", only accessed by it, but stored separately',
            help=f"embed it in {reference.entity}, as {kind}",
            subject=binding.name,
            field=attribute.name,
        )

"""GEN020: the shape of a relation does not match its cardinality."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext, fields
from keywright.engines.findings.expiry import is_expiring
from keywright.engines.findings.pattern_facts import identity, single
from keywright.engines.findings.personal import personal_fields
from keywright.engines.findings.rates import items_per_second
from keywright.ir.attribute import Attribute, Many, Reference
from keywright.ir.binding import Binding
from keywright.ir.entity import element


def models(context: RuleContext, *, few: int = 100, parent_bytes: int = 16_384) -> Iterator[FindingDraft]:
    """Report a few children that are stored separately from their parent, and many children that it lists.

    few: number of children that may be embedded. parent_bytes: bytes that they may add to their parent.
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
                yield from _separate(context, binding, attribute, reference, parent_bytes)


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
    context: RuleContext, binding: Binding, attribute: Attribute, reference: Reference, parent_bytes: int
) -> Iterator[FindingDraft]:
    """A finding about children that most reads of their parent also read, in a store that could embed them."""
    traits, count = context.traits.get(binding.engine), reference.max_referrers or 0
    parent = next(
        (
            home
            for home in context.design.bindings
            if home.entity.name == reference.entity and home.engine == binding.engine
        ),
        None,
    )
    if not traits or not traits.keeps_documents or parent is None or not identity(binding):
        return
    if _has_own_life(binding, parent) or not _are_read_together(context, binding, parent):
        return
    if _is_by_parent(context, binding, attribute.name, count) and _is_small(context, binding, count, parent_bytes):
        is_single = count == 1
        number = "there is one" if is_single else f"there are at most {count}"
        kind = "a field" if is_single else f"a list with Field(max_length={count})"
        yield FindingDraft(
            problem=f'{number} for each "{reference.entity}", only accessed by it and with it: is '
            "there a reason to store it separately?",
            help=f"embed it in {reference.entity}, as {kind}",
            subject=binding.name,
            field=attribute.name,
            severity="question",
        )


def _has_own_life(binding: Binding, parent: Binding) -> bool:
    """Whether a child has a kind, an end or readers of its own, or one query reads it with its parent."""
    is_collected = binding.physical is parent.physical and "pk" in binding.templates
    return (
        is_collected
        or binding.spec.kind != parent.spec.kind
        or is_expiring(binding)
        or bool(binding.spec.keep_forever and binding.spec.keep_forever != parent.spec.keep_forever)
        or bool(personal_fields(binding) and not personal_fields(parent))
    )


def _are_read_together(context: RuleContext, binding: Binding, parent: Binding) -> bool:
    """Whether at least half as many reads are of the child as of its parent, and its writes are fewer."""
    reads = items_per_second(context, binding, "get", "read", "count")
    of_parent = items_per_second(context, parent, "get", "read", "count")
    writes = items_per_second(context, binding, "put", "update", "increment", "delete") or 0
    return bool(reads and of_parent and reads * 2 >= of_parent and writes <= reads)


def _is_by_parent(context: RuleContext, binding: Binding, name: str, count: int) -> bool:
    """Whether every pattern is for all children of a parent; several that are created under a condition, read in part
    or changed individually belong into separate items."""
    patterns = [pattern for pattern in single(context.design) if pattern.binding == binding.name]
    kinds = _KINDS if count == 1 else _TOGETHER
    return bool(patterns) and all(
        (pattern.kind == "put" and (count == 1 or not pattern.if_absent))
        or (pattern.kind in kinds and pattern.eq == (name,) and (pattern.limit is None or pattern.limit >= count))
        for pattern in patterns
    )


def _is_small(context: RuleContext, binding: Binding, count: int, parent_bytes: int) -> bool:
    """Whether all children of a parent are small; a single one of unknown size may be."""
    facts = context.storage_facts(binding)
    usual = facts.usual if facts else None
    return count == 1 if usual is None else usual * count <= parent_bytes

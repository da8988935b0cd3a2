"""GEN011: the largest item that a model allows exceeds the size limit of its store, or comes close to it."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.observation import LiveTarget
from keywright.engines.findings.pattern_facts import single
from keywright.ir.attribute import Many, Map, Scalar, Struct
from keywright.ir.binding import Binding
from keywright.ir.entity import resolve
from keywright.ir.text import counted, exact


def models(context: RuleContext, *, warn: int = 25, error: int = 100) -> Iterator[FindingDraft]:
    """Report every entity whose declared bounds allow such an item, and every list without a bound that patterns push
    to; without a bound, the size of other entities is unknown.

    warn, error: percent of the store's limit for a warning, and for an error.
    """
    for binding in context.design.bindings:
        facts = context.storage_facts(binding)
        if facts is None or facts.limit is None or facts.item.high is None:
            continue
        share = facts.item.high * 100 / facts.limit
        if share < (error if facts.is_watched else min(warn, error)):
            continue
        largest = max(facts.fields, key=lambda name: facts.fields[name].high or 0, default="")
        yield FindingDraft(
            problem=f"its largest {facts.noun} has {_bytes(facts.item.high)}, {share:.0f} % of the "
            f"limit of {_bytes(facts.limit)}",
            help=f'bound "{largest}" by Field(max_length=...), or move it to a separate entity'
            if largest
            else "bound its fields by Field(max_length=...)",
            subject=binding.name,
            field=largest if _has(binding, largest) else "",
            severity="warning" if share < error else None,
        )
    yield from _growing(context)


def _growing(context: RuleContext) -> Iterator[FindingDraft]:
    bindings = {binding.name: binding for binding in context.design.bindings}
    reported: set[tuple[str, str]] = set()
    for pattern in single(context.design):
        binding = bindings[pattern.binding]
        histories = [path for path in pattern.sets if _is_history(binding, path)] if pattern.kind == "update" else []
        for path in (pattern.pushes, *histories):
            attributes = resolve(binding.entity.attributes, path) if path else None
            facts = context.storage_facts(binding) if attributes else None
            if not path or not attributes or not facts or not facts.limit or (binding.name, path) in reported:
                continue
            if isinstance(attributes[-1].type, Many | Map) and attributes[-1].type.max_items is None:
                reported.add((binding.name, path))
                yield FindingDraft(
                    problem=f'"{path}" grows with each "{pattern.name}" without a bound, but one '
                    f"{facts.noun} holds {_bytes(facts.limit)} at most",
                    help="declare Field(max_length=...), with Overflow(...) for more, or store the elements in a "
                    "separate entity",
                    subject=binding.name,
                    field=attributes[0].name,
                )


def _is_history(binding: Binding, path: str) -> bool:
    """Whether a field is a list of embedded models that each have a time, or a mapping of models: what has happened."""
    attributes = resolve(binding.entity.attributes, path)
    kind = attributes[-1].type if attributes else None
    if isinstance(kind, Map):
        return isinstance(kind.value, Struct)
    element = kind.element if isinstance(kind, Many) else None
    kinds = [attribute.type for attribute in element.attributes] if isinstance(element, Struct) else []
    return any(isinstance(kind, Scalar) and kind.kind == "datetime" for kind in kinds)


def live(live_target: LiveTarget, *, warn: int = 25, error: int = 100) -> Iterator[FindingDraft]:
    """Report every entity with a sampled item of such a size."""
    for binding, items in live_target.items():
        facts, largest = live_target.context.storage_facts(binding), max(items.bytes, default=0)
        if facts is None or facts.limit is None or facts.is_watched:
            continue
        share = largest * 100 / facts.limit
        if share >= min(warn, error):
            yield FindingDraft(
                problem=f"the largest {items.sample} has {_bytes(largest)}, {share:.0f} % of the "
                f"limit of {_bytes(facts.limit)}",
                help="bound its largest field by Field(max_length=...), or move it to a separate entity",
                subject=binding.name,
                severity="warning" if share < error else None,
            )


def _has(binding: Binding, field: str) -> bool:
    return binding.entity.attribute(field) is not None


def _bytes(number: float) -> str:
    for unit, name in ((2**30, "GiB"), (2**20, "MiB"), (2**10, "KiB")):
        if number >= unit:
            return f"{exact(float(f'{number / unit:.4g}'))} {name}"
    return counted(number, "byte", spec=".0f")

"""MDB001: an embedded list may grow without bound, up to the 16 MiB of a document."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext, fields
from keywright.engines.findings.observation import LiveTarget
from keywright.engines.findings.pattern_facts import changed, single
from keywright.ir.attribute import Many, Map
from keywright.ir.text import counted


def models(context: RuleContext) -> Iterator[FindingDraft]:
    """Every list without a bound, including lists of embedded models, and every such mapping that an update sets."""
    pushing = {(pattern.binding, pattern.pushes): pattern.name for pattern in single(context.design) if pattern.pushes}
    changing = {
        (pattern.binding, name): pattern.name for pattern in single(context.design) for name in changed(pattern)
    }
    for binding in context.bindings("mongodb"):
        for path, attribute in fields(binding.entity.attributes):
            is_map = isinstance(attribute.type, Map) and (binding.name, path) in changing
            if (isinstance(attribute.type, Many) or is_map) and getattr(attribute.type, "max_items", 0) is None:
                pattern = pushing.get((binding.name, path)) or (changing[binding.name, path] if is_map else None)
                growth = f', grows with each "{pattern}"' if pattern else ""
                yield FindingDraft(
                    problem=f'"{path}" has no bound{growth}, and a document has at most 16 MiB',
                    help="bound it by Field(max_length=...), with Overflow(...) or a collection of its own for more",
                    subject=binding.name,
                    field=path.partition(".")[0],
                )


def live(live_target: LiveTarget) -> Iterator[FindingDraft]:
    """Every list that is longer than its bound in some sampled document."""
    for binding, items in live_target.items():
        for path, attribute in fields(binding.entity.attributes):
            bound = attribute.type.max_items if isinstance(attribute.type, Many) else None
            longer = [length for length in items.lists.get(path, ()) if bound is not None and length > bound]
            if longer:
                yield FindingDraft(
                    problem=f'"{path}" holds up to {max(longer):,}, and its bound is {bound:,}: '
                    f"{counted(len(longer), 'such list', spec=',')} in "
                    f"{counted(items.sample.read, 'document', spec=',')} sampled{items.such_as('lists', path)}",
                    help="find out who writes them past the model; the collection's validator can refuse them",
                    subject=binding.name,
                    field=path.partition(".")[0],
                )

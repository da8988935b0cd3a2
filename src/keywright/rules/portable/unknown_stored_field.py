"""GEN023: stored items have fields that their model does not declare."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft
from keywright.engines.findings.observation import LiveTarget
from keywright.engines.registry import engine_named

_EXAMPLES = 5
"""Number of fields in a message, most frequent first."""


def live(live_target: LiveTarget) -> Iterator[FindingDraft]:
    """Report every entity whose sampled items of the current version have such fields."""
    for binding, items in live_target.items():
        if items.unknown:
            fields = "; ".join(
                f'"{name}" in {items.sample.of(count)}{items.such_as("unknown", name)}'
                for name, count in list(items.unknown.items())[:_EXAMPLES]
            )
            more = f"; and {len(items.unknown) - _EXAMPLES} more" if len(items.unknown) > _EXAMPLES else ""
            yield FindingDraft(
                problem=f"{binding.name} does not declare stored fields: {fields}{more}",
                help="declare them, with kw.RenamedFrom for a former name, or remove them from the items by a "
                "backfill; a put replaces an item"
                + (", without them" if engine_named(live_target.target.engine).traits.replaces_items else ""),
                subject=binding.name,
            )

"""MDB024: the server stores documents that the model rejects."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.mongodb.schema.capabilities import FLAVOURS

_EFFECTS = {"off": "does not check documents", "warn": "stores wrong documents and only logs them"}


def models(context: RuleContext) -> Iterator[FindingDraft]:
    """Every collection with `validation="off"` or `"warn"`, where the server has validators."""
    environments = {target.declared.name: target.environment for target in context.of("mongodb")}
    for binding in context.bindings("mongodb"):
        environment = environments.get(binding.physical.name)
        effect = _EFFECTS.get(getattr(binding.spec, "validation", ""))
        if environment is None or effect is None:
            continue
        if FLAVOURS[environment.flavour].has("validator", environment.version):
            yield FindingDraft(
                problem=f'the server {effect}, because validation="{binding.spec.validation}": readers fail on what '
                "another program writes",
                help='remove validation=, or set "moderate" until existing documents are corrected',
                subject=binding.name,
            )

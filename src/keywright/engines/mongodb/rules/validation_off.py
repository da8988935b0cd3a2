"""MDB024: the server stores documents that the model rejects."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.mongodb.declare.options import Collection
from keywright.engines.mongodb.schema.capabilities import FLAVOURS

_LOGS = "stores wrong documents and only logs them"
_EFFECTS = {"off": "does not check documents", "warn": _LOGS, "moderate-warn": _LOGS}


def models(context: RuleContext) -> Iterator[FindingDraft]:
    """Every collection that does not reject wrong documents, where the server has validators."""
    environments = {target.declared.name: target.environment for target in context.of("mongodb")}
    for binding in context.bindings("mongodb"):
        environment = environments.get(binding.physical.name)
        spec = binding.spec
        effect = _EFFECTS.get(spec.treatment) if isinstance(spec, Collection) else None
        if environment is None or effect is None or not isinstance(spec, Collection):
            continue
        owner = "" if spec.validation else " of the database"
        if FLAVOURS[environment.flavour].has("validator", environment.version):
            yield FindingDraft(
                problem=f'the server {effect}, because validation="{spec.treatment}"{owner}: readers fail on what '
                "another program writes",
                help=f'remove validation={owner}, or set "moderate" until existing documents are corrected',
                subject=binding.name,
            )

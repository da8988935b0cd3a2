"""DDB031: a table with money or personal data is encrypted with a key that AWS owns.

https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/encryption.howitworks.html (2026-11-22)
"""

from collections.abc import Iterator

from keywright.engines.dynamodb.declare.options import Item
from keywright.engines.dynamodb.findings.uses import settings_of
from keywright.engines.findings.context import FindingDraft, RuleContext, fields, scalar_of
from keywright.ir.binding import Binding


def models(context: RuleContext, *, kinds: tuple[str, ...] = ("money",)) -> Iterator[FindingDraft]:
    """Tables with sensitive data and a key of AWS.

    kinds: kinds of entities that count as sensitive, in addition to those with fields marked `Pii`.
    """
    for target, settings in settings_of(context):
        name = target.declared.name
        bindings = [binding for binding in context.bindings("dynamodb") if binding.physical.name == name]
        part = next((part for binding in bindings if (part := _sensitive_part(binding, kinds))), None)
        if part and settings.encryption == "aws-owned":
            yield FindingDraft(
                problem=f'table "{name}" has {part}, and encryption: aws-owned: the key belongs to AWS, and its use is '
                "in no audit log of yours",
                help="set encryption: aws-managed, or the ARN of a key of your own",
                subject=name,
                at=target.setting("encryption"),
            )


def _sensitive_part(binding: Binding[Item], kinds: tuple[str, ...]) -> str | None:
    """Sensitive part of an entity; None if there is none."""
    kind = binding.spec.kind
    if kind in kinds:
        return f'{binding.name} of kind="{kind}"'
    for path, attribute in fields(binding.entity.attributes):
        scalar = scalar_of(attribute.type)
        if scalar is not None and scalar.facts.is_personal:
            return f'the personal field "{binding.name}.{path}"'
    return None

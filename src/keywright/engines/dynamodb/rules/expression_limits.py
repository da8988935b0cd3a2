"""DDB111: a request exceeds DynamoDB's limits on expression length or number of operands."""

from collections.abc import Iterator, Mapping

from keywright.engines.dynamodb.access.calls import QueryItems, ScanItems, UpdateItem
from keywright.engines.dynamodb.access.query import query
from keywright.engines.dynamodb.findings.uses import Use, uses
from keywright.engines.dynamodb.schema.capabilities import EXPRESSION_BYTES, EXPRESSION_OPERATORS, IN_VALUES
from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.ir.json import Json
from keywright.ir.text import counted


def models(context: RuleContext) -> Iterator[FindingDraft]:
    """Served patterns beyond the limits; reserved words do not count, because names are written `#name`."""
    for use in uses(context):
        if use.call is not None and (problem := next(_problems(use), None)):
            yield FindingDraft(
                problem=problem,
                help="ask for fewer fields or values at once; what belongs together may be one embedded model",
                subject=use.name,
                at=use.pattern.at,
            )


def _problems(use: Use) -> Iterator[str]:
    for name, text in _expressions(query(use.planned)):
        size = len(text.encode())
        if size > EXPRESSION_BYTES.value:
            yield f"its {name} has {counted(size, 'byte', spec=',')}, and DynamoDB takes {EXPRESSION_BYTES.value:,}"
    call = use.call
    call = call.query if isinstance(call, ScanItems) else call
    filters = call.filters if isinstance(call, QueryItems) else call.guards if isinstance(call, UpdateItem) else ()
    for condition in filters:
        if condition.kind == "one_of" and condition.constants and len(condition.constants) > IN_VALUES.value:
            yield (
                f'it compares "{condition.field}" with {counted(len(condition.constants), "value")}, and '
                "DynamoDB takes "
                f"{IN_VALUES.value}"
            )
    if isinstance(call, UpdateItem):
        operators = (
            len(call.sets)
            + len(call.removes)
            + sum(len(attribute.attributes) for attribute in call.template_attributes)
        )
        if operators > EXPRESSION_OPERATORS.value:
            yield (
                f"it changes {counted(operators, 'attribute')}, and DynamoDB takes "
                f"{EXPRESSION_OPERATORS.value} operators"
            )


def _expressions(requests: Json) -> Iterator[tuple[str, str]]:
    """(name, text) of every expression of a request."""
    for request in requests if isinstance(requests, list) else [requests]:
        for name, value in request.items() if isinstance(request, Mapping) else ():
            if name.endswith("Expression") and isinstance(value, str):
                yield name, value
            elif isinstance(value, (dict, list)):
                yield from _expressions(value)

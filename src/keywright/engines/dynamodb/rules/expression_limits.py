"""DDB111: an expression is longer, or compares with more, than the service takes."""

from collections.abc import Iterator, Mapping

from keywright.engines.dynamodb.access.calls import Query, Update
from keywright.engines.dynamodb.access.query import query
from keywright.engines.dynamodb.capabilities import EXPRESSION_BYTES, EXPRESSION_OPERATORS, IN_VALUES
from keywright.engines.dynamodb.uses import Use, uses
from keywright.engines.flaws.context import Flaw, Whole
from keywright.ir.json import Json


def models(whole: Whole) -> Iterator[Flaw]:
    """Every served pattern with such an expression; reserved words are no matter, since names are written `#name`."""
    for use in uses(whole):
        if use.call is not None and (problem := next(_problems(use), None)):
            yield Flaw(
                problem=problem,
                help="ask for fewer fields or values at once; what belongs together may be one embedded model",
                subject=use.name,
                at=use.pattern.at,
            )


def _problems(use: Use) -> Iterator[str]:
    for name, text in _expressions(query(use.planned)):
        size = len(text.encode())
        if size > EXPRESSION_BYTES.value:
            yield f"its {name} has {size:,} bytes, and DynamoDB takes {EXPRESSION_BYTES.value:,}"
    call = use.call
    filters = call.filters if isinstance(call, Query) else call.guards if isinstance(call, Update) else ()
    for one in filters:
        if one.how == "one_of" and one.constants and len(one.constants) > IN_VALUES.value:
            yield f'it compares "{one.field}" with {len(one.constants)} values, and DynamoDB takes {IN_VALUES.value}'
    if isinstance(call, Update):
        operators = len(call.sets) + len(call.removes) + sum(len(made.attributes) for made in call.made)
        if operators > EXPRESSION_OPERATORS.value:
            yield f"it changes {operators} attributes, and DynamoDB takes {EXPRESSION_OPERATORS.value} operators"


def _expressions(found: Json) -> Iterator[tuple[str, str]]:
    """(name, text) of every expression of a request."""
    for one in found if isinstance(found, list) else [found]:
        for name, value in one.items() if isinstance(one, Mapping) else ():
            if name.endswith("Expression") and isinstance(value, str):
                yield name, value
            elif isinstance(value, (dict, list)):
                yield from _expressions(value)

"""Items of a table that an index would leave out, page by page."""

from typing import Any

from keywright.drivers.dynamodb.values import key_from_json, key_to_json
from keywright.engines.contract.counting import Misfit, MisfitPage
from keywright.engines.dynamodb.migrate.index_key_validation import misfit
from keywright.ir.json import Json


def misfits(client: Any, table: str, index: Any, cursor: Json, limit: int) -> MisfitPage:
    """See `Driver.misfits`: one request of a scan that reads only the keys of the table and of the index."""
    keys = list(key_from_json(cursor)) if cursor else _keys(client, table)
    attributes = dict.fromkeys((*keys, *(attribute for attribute, _, _ in index["keys"])))
    names = {f"#n{position}": name for position, name in enumerate(attributes)}
    options: dict[str, Any] = {} if cursor is None else {"ExclusiveStartKey": key_from_json(cursor)}
    answer = client.scan(
        TableName=table,
        Limit=limit,
        ProjectionExpression=", ".join(names),
        ExpressionAttributeNames=names,
        **options,
    )
    last = answer.get("LastEvaluatedKey")
    rejected = tuple(
        Misfit(key_to_json({name: item[name] for name in keys}), reason)
        for item in answer["Items"]
        if (reason := misfit(item, index))
    )
    return MisfitPage(len(answer["Items"]), rejected, None if last is None else key_to_json(last))


def _keys(client: Any, table: str) -> list[str]:
    return [part["AttributeName"] for part in client.describe_table(TableName=table)["Table"]["KeySchema"]]

"""Items of a table that an index would leave out, page by page."""

from typing import Any

from keywright.drivers.dynamodb_values import key_from_json, key_to_json
from keywright.engines.dynamodb.fitting import misfit
from keywright.engines.misfits import Looked, Misfit
from keywright.ir.json import Json


def misfits(asking: Any, table: str, index: Any, cursor: Json, limit: int) -> Looked:
    """See `Driver.misfits`: one request of a scan that reads the keys of the table and of the index alone."""
    keys = list(key_from_json(cursor)) if cursor else _keys(asking, table)
    wanted = dict.fromkeys((*keys, *(attribute for attribute, _, _ in index["keys"])))
    names = {f"#n{at}": name for at, name in enumerate(wanted)}
    options: dict[str, Any] = {} if cursor is None else {"ExclusiveStartKey": key_from_json(cursor)}
    answer = asking.scan(
        TableName=table,
        Limit=limit,
        ProjectionExpression=", ".join(names),
        ExpressionAttributeNames=names,
        **options,
    )
    last = answer.get("LastEvaluatedKey")
    found = tuple(
        Misfit(key_to_json({name: item[name] for name in keys}), why)
        for item in answer["Items"]
        if (why := misfit(item, index))
    )
    return Looked(len(answer["Items"]), found, None if last is None else key_to_json(last))


def _keys(asking: Any, table: str) -> list[str]:
    return [one["AttributeName"] for one in asking.describe_table(TableName=table)["Table"]["KeySchema"]]

"""How mongod finds documents: claims of pages, each with what its plan looks at."""

from typing import Any

from bson import encode
from tests.live.mongodb_refusing import Client, index, refused, truth


def stages(plan: Any) -> list[str]:
    """The stages of a plan that tell how documents are found and ordered, from the outermost."""
    match plan:
        case {"queryPlan": inner}:
            return stages(inner)
        case {"stage": str() as stage}:
            inner = [result for key in ("inputStage", "inputStages") for result in _listed(plan.get(key))]
            multikey = " of several entries" if plan.get("isMultiKey") else ""
            output = [f"{stage}{multikey}"] if stage in ("COLLSCAN", "IXSCAN", "SORT", "COUNT_SCAN") else []
            return [*output, *(stage for result in inner for stage in stages(result))]
        case _:
            return []


def _listed(found: Any) -> list[Any]:
    if found is None:
        return []
    listed: list[Any] = list(found) if isinstance(found, list) else [found]  # pyright: ignore[reportUnknownArgumentType]
    return listed


def explained(client: Client, command: dict[str, Any]) -> tuple[list[str], dict[str, Any]]:
    """(stages, execution statistics) of a command."""
    answer = client.shop.command("explain", command, verbosity="executionStats")
    if "stages" in answer:
        answer = next(iter(answer["stages"][0].values()))
    return stages(answer["queryPlanner"]["winningPlan"]), answer["executionStats"]


def found_by(client: Client, filter: dict[str, Any], **more: Any) -> str:
    """How documents of a filter are found, and what that looks at."""
    output, figures = explained(client, {"find": "c", "filter": filter, **more})
    keys, documents = figures["totalKeysExamined"], figures["totalDocsExamined"]
    return f"{' and '.join(output)}, {keys} entries and {documents} documents examined"


def _filled(client: Client, *made: dict[str, Any]) -> None:
    """A hundred documents of ten users with ten tags, two of each, and indexes."""
    client.shop.c.insert_many(
        [{"_id": n, "user": n % 10, "at": n, "tags": [n % 10, n % 7], "open": n % 4 == 0} for n in range(100)]
    )
    for entry in made:
        client.shop.command(entry)


@truth("MDB006", "Without an index every document is read for an element of an array")
def _(client: Client) -> str:
    _filled(client)
    return found_by(client, {"tags": 8})


@truth("MDB006", "An index over an array has an entry for each element")
def _(client: Client) -> str:
    _filled(client, index([("tags", 1)]))
    return found_by(client, {"tags": 8})


@truth("MDB009", "Without an index every document is read")
def _(client: Client) -> str:
    _filled(client)
    return found_by(client, {"user": 3})


@truth("MDB009", "A server may refuse what no index serves")
def _(client: Client) -> str:
    _filled(client)
    client.admin.command({"setParameter": 1, "notablescan": True})
    try:
        return refused(lambda: list(client.shop.c.find({"user": 3})), "notablescan")
    finally:
        client.admin.command({"setParameter": 1, "notablescan": False})


@truth("MDB010", "With the range in front, entries of all users are read")
def _(client: Client) -> str:
    _filled(client, index([("at", 1), ("user", 1)]))
    return found_by(client, {"user": 3, "at": {"$gte": 0, "$lte": 99}})


@truth("MDB010", "With the equality in front, those of one user")
def _(client: Client) -> str:
    _filled(client, index([("user", 1), ("at", 1)]))
    return found_by(client, {"user": 3, "at": {"$gte": 0, "$lte": 99}})


@truth("MDB010", "An order that the index does not keep is sorted in memory")
def _(client: Client) -> str:
    _filled(client, index([("user", 1)]))
    return found_by(client, {"user": 3}, sort={"at": -1})


@truth("MDB012", "A partial index is not used by a query without its filter")
def _(client: Client) -> str:
    _filled(client, index([("user", 1)], partialFilterExpression={"open": True}))
    return found_by(client, {"user": 4})


@truth("MDB012", "It is used by a query with its filter")
def _(client: Client) -> str:
    _filled(client, index([("user", 1)], partialFilterExpression={"open": True}))
    return found_by(client, {"user": 4, "open": True})


@truth("MDB017", "A count reads an entry for each document")
def _(client: Client) -> str:
    _filled(client, index([("user", 1)]))
    output, figures = explained(client, {"count": "c", "query": {"user": 3}})
    return f"{' and '.join(output)}, {figures['totalKeysExamined']} entries for 10 documents"


def _closed(client: Client, *indexes: dict[str, Any]) -> None:
    """A hundred documents of ten users, of which nine in ten are closed, and indexes."""
    states = ["open" if n < 10 else "closed" for n in range(100)]
    client.shop.c.insert_many([{"_id": n, "user": n % 10, "at": n, "state": state} for n, state in enumerate(states)])
    for spec in indexes:
        client.shop.command(spec)


@truth("MDB050", "A negation after the index reads documents with the excluded value")
def _(client: Client) -> str:
    _closed(client, index([("user", 1), ("at", -1)]))
    return found_by(client, {"user": 4, "state": {"$ne": "closed"}}, sort={"at": -1})


@truth("MDB050", "A partial index leaves them out")
def _(client: Client) -> str:
    _closed(client, index([("user", 1), ("at", -1)], partialFilterExpression={"state": "open"}))
    return found_by(client, {"user": 4, "state": "open"}, sort={"at": -1})


@truth("MDB027", "A projection leaves the large field on the server")
def _(client: Client) -> str:
    client.shop.c.insert_one({"_id": 1, "title": "a", "text": "x" * 10_000})
    sizes = [len(encode(client.shop.c.find_one({}, fields) or {})) for fields in (None, {"title": 1})]
    return f"{sizes[0]:,} bytes without, {sizes[1]} with it"


@truth("MDB046", "An insert adds an entry to each index")
def _(client: Client) -> str:
    _filled(client)
    for name in ("user", "at", "open"):
        client.shop.c.create_index(name)
    entries = client.shop.command("validate", "c")["keysPerIndex"]
    return f"100 documents have {sum(entries.values())} entries in {len(entries)} indexes"


@truth("MDB041", "Of two transactions that change one document, one aborts")
def _(client: Client) -> str:
    client.shop.c.insert_one({"_id": 1, "n": 0})
    one_more = {"$inc": {"n": 1}}
    with client.start_session() as first, client.start_session() as second:
        first.start_transaction()
        second.start_transaction()
        client.shop.c.update_one({"_id": 1}, one_more, session=first)
        answer = refused(lambda: client.shop.c.update_one({"_id": 1}, one_more, session=second), "WriteConflict")
        first.commit_transaction()
    return answer


@truth("MDB061", "An update stores the document before it, and an insert does not")
def _(client: Client) -> str:
    client.shop.create_collection("c", changeStreamPreAndPostImages={"enabled": True})
    images = client.config["system.preimages"]
    counts = [images.count_documents({})]
    client.shop.c.insert_one({"_id": 1, "text": "x" * 1_000, "n": 0})
    counts.append(images.count_documents({}))
    client.shop.c.update_one({"_id": 1}, {"$inc": {"n": 1}})
    counts.append(images.count_documents({}))
    return f"{counts[1] - counts[0]} images after the insert, {counts[2] - counts[1]} after the update of one field"


@truth("MDB062", "An event with two images of nine megabytes ends the stream")
def _(client: Client) -> str:
    client.shop.create_collection("c", changeStreamPreAndPostImages={"enabled": True})
    client.shop.c.insert_one({"_id": 1, "text": "x" * 9_000_000, "n": 0})
    with client.shop.c.watch(full_document="required", full_document_before_change="required") as stream:
        client.shop.c.update_one({"_id": 1}, {"$inc": {"n": 1}})
        return refused(lambda: stream.next(), "BSONObj")


for _code in ("MDB047", "MDB113"):

    @truth(_code, "Each collection and each index is a table of the storage engine")
    def _(client: Client) -> str:
        names = [f"sales_{year}" for year in (2024, 2025, 2026)]
        for name in names:
            client.shop[name].create_index("at")
        figures = [client.shop.command("collStats", name, indexDetails=True) for name in names]
        tables = {stats["wiredTiger"]["uri"] for stats in figures}
        tables |= {stats["uri"] for figure in figures for stats in figure["indexDetails"].values()}
        return f"{len(tables)} tables for {len(names)} collections with an index"


def _aggregated(client: Client) -> str:
    pipeline: list[dict[str, Any]] = [{"$match": {"at": {"$gte": 90}}}, {"$unwind": "$tags"}]
    pipeline.append({"$group": {"_id": "$tags", "n": {"$sum": 1}}})
    output, figures = explained(client, {"aggregate": "c", "pipeline": pipeline, "cursor": {}})
    return f"{' and '.join(output)}, {figures['totalDocsExamined']} documents examined"


@truth("MDB019", "Without an index every document goes through an aggregate")
def _(client: Client) -> str:
    _filled(client)
    return _aggregated(client)


@truth("MDB019", "With an index those that are matched first")
def _(client: Client) -> str:
    _filled(client, index([("at", 1)]))
    return _aggregated(client)


def _looked_up(client: Client) -> str:
    _filled(client)
    client.shop.users.insert_many([{"code": n} for n in range(10)])
    stage: dict[str, Any] = {"from": "users", "localField": "user", "foreignField": "code", "as": "of", "pipeline": []}
    command: dict[str, Any] = {"aggregate": "c", "pipeline": [{"$lookup": stage}], "cursor": {}}
    answer = client.shop.command("explain", command, verbosity="executionStats")
    output = next(stage for stage in answer["stages"] if "$lookup" in stage)
    scans = "scans" if output["collectionScans"] else "no scan"
    return f"{scans}, {output['totalDocsExamined']} documents examined for 100 of a page"


@truth("MDB020", "Without an index a join scans the other collection for each document")
def _(client: Client) -> str:
    return _looked_up(client)


@truth("MDB020", "With an index it reads those that belong together")
def _(client: Client) -> str:
    client.shop.users.create_index("code")
    return _looked_up(client)

"""What `keywright check --live` rests on: what mongod tells of indexes, of reads, and of operations that were slow."""

from tests.live.mongodb_refusing import Client, index, truth


@truth("GEN001", "The server counts how often operations use an index, from when it was made")
def _(client: Client) -> str:
    client.shop.command(index([("a", 1)], "by_a"))
    counts: list[str] = []
    for _ in range(2):
        command_cursor = client.shop.c.aggregate([{"$indexStats": {}}, {"$match": {"name": "by_a"}}])
        counts += [str(entry["accesses"]["ops"]) for entry in command_cursor]
        list(client.shop.c.find({"a": 1}))
    return ", then ".join(counts)


@truth("GEN002", "The server keeps a histogram of how long the reads of a collection take")
def _(client: Client) -> str:
    client.shop.c.insert_one({"_id": 1})
    client.shop.c.find_one({"_id": 1})
    (output,) = client.shop.c.aggregate([{"$collStats": {"latencyStats": {"histograms": True}}}])
    reads = output["latencyStats"]["reads"]
    timed = sum(bucket["count"] for bucket in reads["histogram"])
    return "every read is in it" if timed == reads["ops"] > 0 else f"{timed} of {reads['ops']} reads are in it"


@truth("MDB009", "The profiler keeps the plan of an operation, and how many documents it read")
def _(client: Client) -> str:
    client.shop.c.insert_many([{"a": n} for n in range(100)])
    client.shop.command({"profile": 2})
    try:
        list(client.shop.c.find({"a": 7}))
    finally:
        client.shop.command({"profile": 0})
    (kept,) = client.shop["system.profile"].find({"ns": "shop.c", "op": "query"})
    return f"{kept['planSummary']}, {kept['docsExamined']} documents"


@truth("MDB001", "A document that breaks the validator stays where it was written past it")
def _(client: Client) -> str:
    schema = {"properties": {"tags": {"bsonType": "array", "maxItems": 2}}}
    client.shop.create_collection("c", validator={"$jsonSchema": schema})
    client.shop.c.insert_many([{"tags": [1] * 9}], bypass_document_validation=True)
    return f"{client.shop.c.count_documents({'$nor': [{'$jsonSchema': schema}]})} document breaks it"

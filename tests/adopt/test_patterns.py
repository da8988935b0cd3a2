"""Access patterns that keys and indexes of adopted stores propose."""

import ast
from pathlib import Path

import pytest
from tests.adopt.laws import assert_is_as_a_person_writes, assert_law
from tests.corpora.modelfile import CORPORA, NEEDED
from tests.projects import codes_of

from keywright.api.adopt.adopt import schema_files
from keywright.api.adopt.patterns import with_patterns
from keywright.api.adopt.sources import from_files
from keywright.engines.cassandra.declare.settings import CassandraEnvironment
from keywright.engines.contract.adoption import Adopted, Adoption, Sample
from keywright.engines.contract.naming import class_name, joined, plural, snake_case
from keywright.engines.contract.observer import LiveIndex, Remembered
from keywright.engines.dynamodb.declare.settings import DynamoEnvironment
from keywright.engines.dynamodb.schema.target import IndexTarget as GlobalIndex
from keywright.engines.dynamodb.schema.target import KeyPart, TableTarget
from keywright.engines.mongodb.declare.settings import MongoEnvironment
from keywright.engines.mongodb.schema.target import CollectionTarget, DatabaseTarget, IndexTarget
from keywright.engines.registry import engine_named, part_of
from keywright.project.environments.environment import Environment
from keywright.record import replace

ENVIRONMENTS = {
    "cassandra": CassandraEnvironment(flavour="cassandra", version="5.0", datacentres={"dc1": 3}),
    "dynamodb": DynamoEnvironment(flavour="dynamodb"),
    "mongodb": MongoEnvironment(flavour="mongodb", version="8.0"),
}
ENVIRONMENT = Environment("dev", engines=ENVIRONMENTS)
FOLDERS = [CORPORA / "cassandra" / name for name in ("temporal/versioned", "thingsboard", "doc-examples", "killrvideo")]
FILES = [*(CORPORA / "dynamodb" / "workbench").glob("*/*.json"), *(CORPORA / "dynamodb" / "electrodb").glob("*.json")]

KEYSPACE = """
CREATE TABLE shop.readings (sensor uuid, day date, at timestamp, value double, place text,
    PRIMARY KEY ((sensor, day), at, place)) WITH CLUSTERING ORDER BY (at DESC, place ASC);
CREATE INDEX readings_place ON shop.readings (place) USING 'sai';
CREATE TABLE shop.users (id uuid PRIMARY KEY, name text);
"""
TABLE = """{"TableName": "orders",
    "AttributeDefinitions": [{"AttributeName": "customer", "AttributeType": "S"},
        {"AttributeName": "number", "AttributeType": "N"}, {"AttributeName": "state", "AttributeType": "S"}],
    "KeySchema": [{"AttributeName": "customer", "KeyType": "HASH"}, {"AttributeName": "number", "KeyType": "RANGE"}],
    "GlobalSecondaryIndexes": [{"IndexName": "by_state", "Projection": {"ProjectionType": "KEYS_ONLY"},
        "KeySchema": [{"AttributeName": "state", "KeyType": "HASH"}]}]}"""


def statements(adopted: Adopted, folder: Path) -> list[str]:
    """Lines of the access patterns in the file of adopted declarations."""
    lines = assert_is_as_a_person_writes(adopted, folder).splitlines()
    return [line for line in lines if "kw.Get(" in line or "kw.Read(" in line or line.startswith("# from")]


def of_file(name: str, text: str) -> Adopted:
    (target,) = from_files({name: text}, ENVIRONMENT).targets
    return target.adopted


def test_tables_propose_reads_by_their_keys_and_indexes(tmp_path: Path) -> None:
    assert statements(of_file("shop.cql", KEYSPACE), tmp_path) == [
        'reading_by_key = kw.Get(Reading, eq=["sensor", "day", "at", "place"])',
        "readings_by_sensor_and_day = kw.Read(",
        '# from index "readings_place"',
        'readings_by_place = kw.Read(Reading, eq="place", limit=20)',
        'user_by_id = kw.Get(User, eq="id")',
    ]


def test_an_index_of_dynamodb_proposes_a_read(tmp_path: Path) -> None:
    assert statements(of_file("orders.json", TABLE), tmp_path) == [
        'order_by_customer_and_number = kw.Get(Order, eq=["customer", "number"])',
        'orders_by_customer = kw.Read(Order, eq="customer", order="number", limit=20)',
        'orders_by_state = kw.Read(Order, eq="state", limit=20)  # from index "by_state"',
    ]


def test_an_index_that_only_a_part_of_the_items_is_in_proposes_a_read_of_these(tmp_path: Path) -> None:
    keys = (KeyPart("store_no", "S", "HASH"), KeyPart("ready_at", "S", "RANGE"))
    index = GlobalIndex("store_no-ready_at-index", keys)
    target = TableTarget("orders", 1, (KeyPart("order_id", "S", "HASH"),), (index,))
    items = [
        {"order_id": {"S": f"o{n}"}, "store_no": {"S": f"{n % 3:03}"}}
        | ({"ready_at": {"S": f"2026-01-{n + 1:02}T00:00:00Z"}} if n % 2 else {})
        for n in range(20)
    ]
    engine, adoption = engine_named("dynamodb"), part_of("dynamodb", "adoption", "ADOPTION", Adoption)
    environment = ENVIRONMENTS["dynamodb"]
    samples = {"orders": Sample(items)}
    adopted = with_patterns(engine, adoption, adoption.adopt(target, samples, environment), environment, samples)
    text = assert_is_as_a_person_writes(adopted, tmp_path)
    (read,) = [part for part in ast.walk(ast.parse(text)) if ast.unparse(part).startswith("orders_by_store_no = ")]
    assert ast.unparse(read) == (
        "orders_by_store_no = kw.Read(Order, eq='store_no', where={'ready_at': kw.Present()}, "
        "order='ready_at', limit=20)"
    )
    assert '# from index "store_no-ready_at-index"' in text
    assert codes_of(tmp_path, text) == []
    assert_law(engine, target, adopted, environment)


def mongodb(*indexes: IndexTarget, live: tuple[LiveIndex, ...] = ()) -> Adopted:
    """The `users` of a database, with these indexes."""
    collection = CollectionTarget("users", indexes=indexes)
    document = {"_id": "a", "email": "a@x.org", "state": "new", "joined": 5, "rank": 1.5, "tags": ["a"]}
    engine, adoption = engine_named("mongodb"), part_of("mongodb", "adoption", "ADOPTION", Adoption)
    target = DatabaseTarget("shop", (collection,))
    samples = {"users": Sample([document] * 3, 3, live)}
    adopted = adoption.adopt(target, samples, ENVIRONMENTS["mongodb"])
    return with_patterns(engine, adoption, adopted, ENVIRONMENTS["mongodb"], samples)


@pytest.mark.parametrize(
    ("index", "expected"),
    [
        (IndexTarget("e", (("email", 1),), is_unique=True),
         'user_by_email = kw.Get(User, eq="email")  # from index "e"'),
        (IndexTarget("s", (("state", 1), ("joined", -1)),),
         'users_by_state = kw.Read(User, eq="state", order="-joined", limit=20)'),
        (IndexTarget("r", (("state", 1), ("rank", 1)),),
         'users_by_state = kw.Read(User, eq="state", order="rank", limit=20)'),
        (IndexTarget("b", (("state", 1), ("joined", 1)),),
         'users_by_state_and_joined = kw.Read(User, eq=["state", "joined"], limit=20)'),
        (IndexTarget("l", (("joined", -1),)),
         'users_by_joined = kw.Read(User, range="joined", order="-joined", limit=20)'),
    ],
)  # fmt: skip
def test_an_index_of_mongodb_proposes_what_its_fields_suggest(
    index: IndexTarget, expected: str, tmp_path: Path
) -> None:
    lines = statements(mongodb(index), tmp_path)
    assert lines[0] == 'user_by_id = kw.Get(User, eq="id")'
    assert any(line.startswith(expected) for line in lines)


def test_hidden_indexes_and_indexes_that_expire_documents_propose_nothing(tmp_path: Path) -> None:
    hidden = IndexTarget("h", (("state", 1),), is_hidden=True)
    assert len(statements(mongodb(hidden), tmp_path)) == 1


def test_the_uses_of_an_index_are_evidence(tmp_path: Path) -> None:
    index = IndexTarget("s", (("state", 1),))
    used = LiveIndex(table="shop.users", name="s", uses=1203, days=12.2)
    assert statements(mongodb(index, live=(used,)), tmp_path)[1:] == [
        '# from index "s", used 1,203 times in 12 days',
        'users_by_state = kw.Read(User, eq="state", limit=20)',
    ]
    assert len(statements(mongodb(index, live=(replace(used, uses=0),)), tmp_path)) == 1
    assert len(statements(mongodb(index, live=(replace(used, uses=0, days=2),)), tmp_path)) == 3


@NEEDED
@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_proposals_of_public_keyspaces_are_as_a_person_writes(folder: Path, tmp_path: Path) -> None:
    paths = [path for path in schema_files(folder) if path.name.endswith((".cql", ".tmpl"))]
    for target in from_files({str(path): path.read_text() for path in paths}, ENVIRONMENT).targets:
        assert target.adopted.design.patterns or not target.adopted.design.bindings
        assert_is_as_a_person_writes(target.adopted, tmp_path)


@NEEDED
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_proposals_of_public_tables_are_as_a_person_writes(path: Path, tmp_path: Path) -> None:
    if path.name in ("OneTable.json", "access_patterns.json"):
        return
    for target in from_files({str(path): path.read_text()}, ENVIRONMENT).targets:
        assert target.adopted.design.patterns
        assert_is_as_a_person_writes(target.adopted, tmp_path)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("OrderLine", "order_lines"), ("Address", "addresses"), ("Category", "categories"),
        ("DependencyV2", "dependencies_v2"), ("CommentByUser", "comments_by_user"), ("Seen", "seen"),
        ("UserData", "user_data"),
    ],
)  # fmt: skip
def test_a_read_of_several_items_is_named_by_the_plural(name: str, expected: str) -> None:
    assert plural(snake_case(name)) == expected


@pytest.mark.parametrize(
    ("stored", "expected"),
    [
        ("order_lines", "OrderLine"), ("comments_by_user", "CommentByUser"), ("dependencies_v2", "DependencyV2"),
        ("OrdersTable", "Order"), ("ts_kv_cf", "TsKv"), ("by_day", "ByDay"), ("news", "News"), ("table", "Table"),
        ("indexes", "Index"),
    ],
)  # fmt: skip
def test_a_class_is_named_by_one_of_the_items(stored: str, expected: str) -> None:
    assert class_name(stored) == expected


def test_all_fields_of_an_equality_are_in_the_name() -> None:
    assert joined(["a", "b.c", "dayOfWeek"]) == "a_c_and_day_of_week"
    assert joined(["-at"]) == "at"


def test_a_table_named_by_its_key_names_its_reads_once(tmp_path: Path) -> None:
    text = "CREATE TABLE shop.comments_by_user (user uuid, id uuid, PRIMARY KEY (user, id));"
    assert statements(of_file("shop.cql", text), tmp_path) == [
        'comment_by_user_and_id = kw.Get(CommentByUser, eq=["user", "id"])',
        'comments_by_user = kw.Read(CommentByUser, eq="user", limit=20)',
    ]


@NEEDED
def test_an_index_that_entities_share_proposes_a_read_of_each(tmp_path: Path) -> None:
    path = CORPORA / "dynamodb" / "workbench" / "an-online-shop" / "AnOnlineShop_14.json"
    lines = statements(of_file(str(path), path.read_text()), tmp_path)
    assert 'invoices_by_gsi1_pk = kw.Read(Invoice, eq="gsi1_pk", order="gsi1_sk", limit=20)' in lines
    assert 'shipments_by_gsi2_pk = kw.Read(Shipment, eq="gsi2_pk", order="gsi2_sk", limit=20)' in lines


def test_a_statement_that_adds_to_several_counters_gives_an_increment_for_each() -> None:
    table = "CREATE TABLE shop.sales (store text, day date, units counter, refunds counter, PRIMARY KEY (store, day));"
    adopted = of_file("shop.cql", table)
    adopted = replace(adopted, design=replace(adopted.design, patterns=()))
    text = "UPDATE shop.sales SET units = units + ?, refunds = refunds + ? WHERE store = ?"
    statements = (f"{text} AND day = ?", text)
    samples = {"sales": Sample(remembered=Remembered(statements))}
    adoption = part_of("cassandra", "adoption", "ADOPTION", Adoption)
    found = with_patterns(engine_named("cassandra"), adoption, adopted, ENVIRONMENTS["cassandra"], samples)
    increments = {pattern.field: pattern for pattern in found.design.patterns if pattern.kind == "increment"}
    assert {field: pattern.eq for field, pattern in increments.items()} == {"units": (), "refunds": ()}
    evidence = "from a prepared statement: UPDATE SET units, refunds WHERE store = ?"
    assert {found.comments["", pattern.name] for pattern in increments.values()} == {f"{evidence} AND day = ?"}
    reason = f"no key or index serves an increment by store, {evidence}"
    assert [part.reason for part in found.not_expressed if "serves" in part.reason] == [reason, reason]

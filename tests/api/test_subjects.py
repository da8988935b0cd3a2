"""One name in several engines, modules and kinds: a finding and an `ignore` belong to their own declaration."""

from pathlib import Path

import pytest
from tests.projects import findings_of, with_imports

from keywright.rules.rule import Finding

STORES = """
    shop = kw.MongoDatabase("shop")
    keys = kw.Keyspace("shop")
    server = kw.RedisServer("shop", role="primary")
    table = kw.DynamoTable("shop", stream=kw.Stream(consumers=[{consumer}]){ignores})

    class A(BaseModel):
        __store__: ClassVar = kw.Collection(shop, "shop", id="{{id}}")
        id: Annotated[str, Field(min_length=1, max_length=20)]

    class B(BaseModel):
        __store__: ClassVar = kw.Item(table, pk="B#{{id}}", sk="B")
        id: Annotated[str, Field(min_length=1, max_length=20)]

    class C(BaseModel):
        __store__: ClassVar = kw.CqlTable(keys, "shop", partition="id")
        id: Annotated[str, Field(min_length=1, max_length=20)]

    class D(BaseModel):
        __store__: ClassVar = kw.RedisString(server, key="shop:{{id}}")
        id: Annotated[str, Field(min_length=1, max_length=20)]

    shop_a = kw.Get(A, eq="id", rate="1/s", p99_ms=50)
"""

CONSUMER = 'kw.Consumer("a", idempotency="id", on_failure="drop")'


def of(folder: Path, code: str, consumer: str = CONSUMER, ignores: str = "") -> list[Finding]:
    text = with_imports(STORES.format(consumer=consumer, ignores=ignores))
    return [finding for finding in findings_of(folder, text) if finding.code == code]


def line(finding: Finding) -> str:
    return Path(finding.at.file).read_text().splitlines()[finding.at.line - 1].split(" = ")[0].strip()


def test_a_finding_of_a_store_stands_at_its_own_line(tmp_path: Path) -> None:
    [finding] = of(tmp_path, "DDB025")
    assert (line(finding), finding.store, finding.object) == ("table", "dynamodb", "shop")


@pytest.mark.parametrize(("engine", "left"), [("dynamodb", 0), ("redis", 1), ("mongodb", 1), ("cassandra", 1)])
def test_ignore_is_about_the_store_that_says_it(tmp_path: Path, engine: str, left: int) -> None:
    suppression = '[kw.ignore("DDB025", reason="it is a test")]'
    text = STORES.format(consumer=CONSUMER, ignores=f", ignores={suppression}" if engine == "dynamodb" else "")
    names = {"redis": 'role="primary"', "mongodb": 'kw.MongoDatabase("shop"', "cassandra": 'kw.Keyspace("shop"'}
    if engine in names:
        text = text.replace(names[engine], f"{names[engine]}, ignores={suppression}")
    findings = findings_of(tmp_path, with_imports(text))
    assert sum(finding.code == "DDB025" for finding in findings) == left
    assert sum(finding.code == "SUP003" for finding in findings) == left


def test_ignore_of_a_pattern_that_is_called_as_a_store_is_about_the_pattern(tmp_path: Path) -> None:
    text = (
        STORES.format(consumer=CONSUMER, ignores="")
        .replace("shop_a = kw.Get(A,", "SHOP")
        .replace("shop = kw.M", "mongo = kw.M")
    )
    text = text.replace("kw.Collection(shop,", "kw.Collection(mongo,").replace(
        "SHOP", 'shop = kw.Get(A, ignores=[kw.ignore("DDB025", reason="a test")],'
    )
    findings = findings_of(tmp_path, with_imports(text))
    assert [finding.object for finding in findings if finding.code in ("DDB025", "SUP003")] == ["shop", "shop DDB025"]


def test_entities_of_stores_of_one_name_are_told_apart_by_rules_of_all_engines(tmp_path: Path) -> None:
    text = with_imports(
        """
        one = kw.MongoDatabase("empty")
        other = kw.Keyspace("empty")
        full = kw.MongoDatabase("full")

        class A(BaseModel):
            __store__: ClassVar = kw.Collection(full, "empty", id="{id}")
            id: str

        a = kw.Get(A, eq="id", rate="1/s", p99_ms=50)
        """
    )
    findings = [finding for finding in findings_of(tmp_path, text) if finding.code == "GEN001"]
    assert sorted((finding.store, line(finding)) for finding in findings) == [
        ("cassandra", "other"),
        ("mongodb", "one"),
    ]
    assert len({finding.fingerprint for finding in findings}) == 2

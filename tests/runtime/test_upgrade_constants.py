"""Constants that upgrades write: what the compiler admits is read by every engine, and what is not read is refused."""

from pathlib import Path
from typing import Any

import pytest
from tests.projects import a_project, errors_of, imported_alone, with_imports

from keywright import runtime
from keywright.compiler import try_load

STORES = {
    "dynamodb": 'kw.Item(kw.DynamoTable("people"), pk="P#{{key}}", sk="P", {options})',
    "mongodb": 'kw.Collection(kw.MongoDatabase("people"), "people", id="{{key}}", {options})',
    "cassandra": 'kw.CqlTable(kw.Keyspace("people"), "people", partition="key", {options})',
    "hash": 'kw.RedisHash(kw.RedisServer("people", role="primary"), key="p:{{key}}", {options})',
    "json": 'kw.RedisString(kw.RedisServer("people", role="primary"), key="d:{{key}}", {options})',
}
FIRST: dict[str, Any] = {
    "dynamodb": {"pk": {"S": "P#a"}, "sk": {"S": "P"}, "key": {"S": "a"}},
    "mongodb": {"_id": "a", "key": "a"},
    "cassandra": {"key": "a", "field": None, "kw_v": None},
    "hash": ("p:a", {b"other": b"1"}),
    "json": ("d:a", "{}"),
}
"""The same item in version 1, without the field, as clients answer it."""

FIELDS = {
    "Annotated[str, Field(max_length=3)]": (['""', '"abc"'], ['"abcd"', "1", "True", "1.5"]),
    'Annotated[str, Field(pattern="^[a-z]+$")]': (['"abc"'], ['"ABC"', '""']),
    'Literal["a", "b"]': (['"a"'], ['"c"', "1"]),
    "Literal[1, 2]": (["1"], ['"1"', "3", "True"]),
    "Optional[str]": (['"a"'], ["1"]),
    "int": (["0", "-5", "2**40"], ['"0"', "True", "1.5"]),
    "Annotated[int, Field(ge=1, lt=5)]": (["1", "4"], ["0", "5"]),
    "float": (["0", "1.5", "-2.5"], ['"1.5"', "True", 'float("nan")']),
    "Decimal": (['"1.50"', '"0"'], ["1", "1.5", '"x"', '"NaN"']),
    "bool": (["True", "False"], ['"true"', "1"]),
    "AwareDatetime": (['"2026-01-02T03:04:05Z"'], ['"2026-01-02"', "5", '"soon"']),
    "date": (['"2026-01-02"'], ['"2026-13-02"', "20260102"]),
    "UUID": ([], ['"00000000-0000-0000-0000-000000000001"']),
    "bytes": ([], ['"a"', "1"]),
    "time": ([], ['"10:00:00"']),
    "timedelta": ([], ["5"]),
    "list[str]": ([], ['"a"']),
    "dict[str, int]": ([], ["1"]),
    "Part": ([], ['"a"']),
}

JSON = {"True": "true", "False": "false", "2**40": str(2**40)}
"""Constants that JSON writes in another way."""

MODEL = """
from datetime import time
from uuid import UUID

class Part(BaseModel):
    name: str

class Person(BaseModel):
    __store__: ClassVar = {store}
    key: str
    field: {annotation}
"""


def model(store: str, annotation: str, constant: str) -> str:
    options = f'schema_version=2, upgrades={{1: kw.Upgrade(set={{"field": {constant}}})}}'
    return with_imports(MODEL.format(store=STORES[store].format(options=options), annotation=annotation))


@pytest.mark.parametrize("store", STORES)
@pytest.mark.parametrize("annotation", FIELDS)
def test_a_constant_is_read_or_refused(annotation: str, store: str, tmp_path: Path) -> None:
    taken, refused = FIELDS[annotation]
    for number, constant in enumerate(taken):
        folder = tmp_path / f"taken{number}"
        folder.mkdir()
        with imported_alone(folder):
            project, errors = try_load(a_project(folder, model(store, annotation, constant)))
            assert [error.code for error in errors] == [], constant
            person = runtime.from_item(project.models["Person"], FIRST[store])
            expected = f'{{"key": "a", "field": {JSON.get(constant, constant)}}}'
            assert person == type(person).model_validate_json(expected)
    for number, constant in enumerate(refused):
        folder = tmp_path / f"refused{number}"
        folder.mkdir()
        codes = {error.code for error in errors_of(folder, model(store, annotation, constant))}
        assert codes & {"E0213", "E0503"}, constant

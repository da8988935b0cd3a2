"""Items of older versions in indexes of a real DynamoDB: an entry that does not tell its version is not upgraded."""

import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from tests.live.conftest import Start
from tests.projects import a_project, imported_alone, with_imports

from keywright import api, runtime
from keywright.drivers.dynamodb import driver as dynamodb
from keywright.migrations.run.runner import run

pytestmark = pytest.mark.live


COPIED = """
    home = kw.DynamoTable("{name}", gsis=[kw.Gsi("by_state", pk="state", project={project})])

    class Thing(BaseModel):
        __store__: ClassVar = kw.Item(
            home, pk="T#{{k}}", sk="T", schema_version=2, upgrades={{1: kw.Upgrade(map={{"label": {{"a": "b"}}}})}}
        )
        k: Annotated[str, Field(max_length=20)]
        state: Annotated[str, Field(max_length=20)]
        label: Annotated[str, Field(max_length=20)]

    of_state = kw.Read(Thing, eq="state", limit=9, rate="1/s")
    put = kw.Put(Thing, rate="1/s")
"""


@pytest.mark.parametrize(("project", "old"), [('"all"', "b"), ('["k", "label"]', "a")])
def test_an_entry_of_an_index_that_does_not_tell_its_version_is_not_upgraded(
    start: Start, tmp_path: Path, project: str, old: str
) -> None:
    name = f"copied{tmp_path.name[-2:]}".replace("_", "x")
    url = start("dynamodb").url.replace("http://", f"http://{name}@")
    driver, client = dynamodb.connect(url), dynamodb.client(url)
    with imported_alone(tmp_path):
        a_project(tmp_path, {"models/copied.py": with_imports(COPIED.format(name=name, project=project))})
        loaded = api.load(str(tmp_path))
        (target,) = api.compile(loaded, "dev").targets
        run(
            [statement for statement in target.engine.create(target.placed) if statement.object[:1] != ("settings",)],
            driver,
        )
        sys.path.insert(0, str(tmp_path))
        models: Any = import_module("models.copied")
        db = runtime.open(models, environment="dev", dynamodb=client)
        models.put(db, models.Thing(k="new", state="s", label="a"))
        client.put_item(
            TableName=target.placed.name,
            Item={name: {"S": value} for name, value in {
                "pk": "T#old", "sk": "T", "entity_type": "Thing", "k": "old", "state": "s", "label": "a",
            }.items()},
        )  # fmt: skip
        result = {entry.k: entry.label for entry in models.of_state(db, state="s")}
    assert result == {"new": "a", "old": old}
    client.close()
    driver.close()

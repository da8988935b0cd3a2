"""Names and texts full of quotes and comment signs: the stock tools make just what is declared on real servers."""

from pathlib import Path

import pytest
from tests.hostile.texts import FRAGMENTS
from tests.live import stock_tools
from tests.live.test_redis import booted
from tests.live.test_stock_tools import Start, differences, run
from tests.projects import a_project, imported_alone

from keywright import api
from keywright.api import Compiled
from keywright.compiler import localised
from keywright.drivers.redis.driver import client
from keywright.engines.redis.schema.directive import quoted
from keywright.local import RECIPES, FoundServer, Running
from keywright.local.environment import cache_folder

pytestmark = pytest.mark.live

SIGNS = "'\"`\\\\ */ --> ]]> -- // # ; ${x} $$ {{ .x }} %0A"

MONGODB = f"""
from typing import Annotated, ClassVar, Literal
from pydantic import BaseModel, Field
import keywright as kw

mdb = kw.MongoDatabase("hostile")
SIGNS = {SIGNS!r}

class Doc(BaseModel):
    __store__: ClassVar = kw.Collection(
        mdb, "c " + SIGNS.replace("$", ""), id="{{k}}",
        indexes=[kw.Index(["second", "first", "proto"], name="i " + SIGNS)],
    )
    k: str
    first: Annotated[int, Field(alias="7")]
    second: Annotated[str, Field(alias="b " + SIGNS.replace(".", ""))]
    proto: Annotated[str, Field(alias="__proto__")]
    one: Literal["a\\n*/ db.dropDatabase(); //", "\\u2028 db.dropDatabase();"]

doc = kw.Get(Doc, rate="1/s")
"""

CASSANDRA = f"""
from typing import Annotated, ClassVar
from pydantic import BaseModel, Field
import keywright as kw

ks = kw.Keyspace("hostile")
SIGNS = {SIGNS.replace("*/", "").replace(".", "")!r}

class Row(BaseModel):
    __store__: ClassVar = kw.CqlTable(ks, "rows", partition="k", settings={{"comment": "x\\n" + SIGNS}})
    k: Annotated[str, Field(alias="k " + SIGNS)]
    n: Annotated[int, Field(alias="n; DROP KEYSPACE hostile; --")] = 0

row = kw.Get(Row, rate="1/s")
"""


def compiled(folder: Path, text: str, server: Running) -> Compiled:
    root = a_project(folder, text).root
    with imported_alone(root):
        project = api.load(str(root))
        environment = localised(api.compile(project, "dev").environment, {server.instance.engine: server.version})
        return api.compile(project, environment)


def the_script(made: Compiled, ending: str, folder: Path) -> str:
    (artefact,) = (artefact for artefact in made.artefacts if artefact.path.endswith(ending))
    file = folder / f"script{ending}"
    file.write_text(artefact.text, encoding="utf-8", newline="\n")
    return str(file)


def test_mongosh_makes_objects_with_any_legal_name(start: Start, tmp_path: Path) -> None:
    server = start("mongodb")
    created = compiled(tmp_path, MONGODB, server)
    file = the_script(created, ".js", tmp_path)
    for _ in range(2):
        run(*stock_tools.mongosh(), server.url, "--quiet", "--norc", "--file", file, HOME=str(tmp_path))
    assert differences(created, server) == []


def test_cqlsh_makes_objects_with_any_legal_name(start: Start, tmp_path: Path) -> None:
    server = start("cassandra")
    created = compiled(tmp_path, CASSANDRA, server)
    login = ("127.0.0.1", str(server.port), "-u", "cassandra", "-p", "cassandra", "--request-timeout", "60")
    for _ in range(2):
        printed = run(*stock_tools.cqlsh(), *login, "-f", the_script(created, ".cql", tmp_path), HOME=str(tmp_path))
        assert "rror" not in printed, printed
    assert differences(created, server) == []


def test_a_server_reads_a_quoted_text_of_its_file_as_it_is(start: Start, tmp_path: Path) -> None:
    start("redis", "quoted")
    server = RECIPES["redis"].locate(cache_folder())
    if not isinstance(server, FoundServer):
        pytest.skip("the local server is somebody else's: its program is not known")
    text = "".join(fragment for fragment in FRAGMENTS if fragment != "\x00")
    file = tmp_path / "server.conf"
    file.write_text(f"masteruser {quoted(text)}\nhz 11\n", encoding="utf-8", newline="\n")
    with booted(str(server.location), file) as url, client(url) as asking:
        config_get = asking.config_get("masteruser", "hz", "masterauth")
    assert config_get == {"masteruser": text, "hz": "11", "masterauth": ""}

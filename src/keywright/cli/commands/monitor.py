"""`keywright monitor`: alert rules, their tests, and alarms, from the same models."""

from pathlib import Path

import click

from keywright import api
from keywright.api.monitoring import FOLDER, files
from keywright.project.build import changes, write_build
from keywright.report.document import document

from .compile import body, tell
from .options import Command, Common, formats
from .say import say
from .values import FOLDER as FOLDER_TYPE


@click.command(cls=Command)
@click.option("--out", metavar="DIR", type=FOLDER_TYPE, help="Folder to write to, in place of build/<env>.")
@click.option("--check", is_flag=True, help="Write nothing; exit 1 if anything would change.")
@formats("text", "json")
@click.pass_obj
def command(common: Common, out: str | None, check: bool, format_: str) -> int:
    """Write what tells when something is wrong: rules of Prometheus for Cassandra, MongoDB and Redis, each with tests
    that promtool runs, and the alarms of CloudWatch that the stack of the environment has.

    \b
    keywright --env prod monitor            into build/prod/monitoring/
    keywright --env prod monitor --check    exit 1 if that is behind the models
    promtool test rules build/prod/monitoring/redis.rules.test.yaml
    """
    compiled = api.compile(api.load(common.project), common.env)
    settings = compiled.project.settings
    folder = Path(out) if out else settings.root / settings.build / compiled.environment.name
    made = files(compiled)
    found = changes(folder, made, [] if out else [FOLDER])
    if not check:
        write_build(folder, made, found)
    if format_ == "json":
        say(document("monitor/1", body(compiled.environment.name, folder, len(made), found)), nl=False)
    else:
        tell(common, out or folder.name, len(made), found, check)
    return 1 if check and found else 0

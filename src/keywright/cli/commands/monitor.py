"""`keywright monitor`: alerting rules with tests, and alarms, from the models."""

from pathlib import Path

import click

from keywright import api
from keywright.api.monitoring import FOLDER, files
from keywright.project.build import changes, write_build
from keywright.report.document import document

from ..options import Command, Common, formats
from ..output import print_line
from ..values import FOLDER as FOLDER_TYPE
from .compile import body, print_changes


@click.command(cls=Command)
@click.option("--out", metavar="DIR", type=FOLDER_TYPE, help="Output folder; by default build/<env>.")
@click.option("--check", is_flag=True, help="Write nothing; exit 1 if anything would change.")
@formats("text", "json")
@click.pass_obj
def command(common: Common, out: str | None, check: bool, format_: str) -> int:
    """Generate alerting rules and alarms: Prometheus rules for Cassandra, MongoDB and Redis, with tests for promtool,
    and the CloudWatch alarms of the environment's stack.

    \b
    keywright --env prod monitor            write build/prod/monitoring/
    keywright --env prod monitor --check    exit 1 if it does not match the models
    promtool test rules build/prod/monitoring/redis.rules.test.yaml
    """
    compiled = api.compile(api.load(common.project), common.env)
    settings = compiled.project.settings
    folder = Path(out) if out else settings.root / settings.build / compiled.environment.name
    artefacts = files(compiled)
    file_changes = changes(folder, artefacts, {} if out else {FOLDER: (".yaml", ".json")})
    if not check:
        write_build(folder, artefacts, file_changes)
    if format_ == "json":
        print_line(
            document("monitor/1", body(compiled.environment.name, folder, len(artefacts), file_changes)), nl=False
        )
    else:
        print_changes(common, out or folder.name, len(artefacts), file_changes, check)
    return 1 if check and file_changes else 0

"""`keywright local`: real servers on loopback, for what the models use."""

from collections.abc import Iterable

import click

from keywright import api, local
from keywright.api.live import local_instances, running_servers
from keywright.errors import UsageError
from keywright.ir.json import Json
from keywright.local import Event, Found, Instance, Missing, Running, environment
from keywright.project.settings import Settings, read_settings
from keywright.report.document import document

from .options import Command, Common, Group, formats
from .say import counted, note, say, table
from .values import OneOf, Whole

ENGINE = OneOf(list(local.RECIPES))


@click.group("local", cls=Group)
def command(**values: object) -> None:
    """Start and stop real servers on this machine, for what the models use.

    \b
    keywright local up                 all that the models need
    keywright local up redis mongodb
    keywright local status
    eval "$(keywright local env)"      AWS clients of this shell ask DynamoDB Local
    keywright local down
    """


@command.command(cls=Command)
@click.argument("engines", nargs=-1, type=ENGINE, metavar="[ENGINE]...")
@formats("text", "json")
@click.pass_obj
def up(common: Common, engines: tuple[str, ...], format_: str) -> int:
    """Start servers, with empty data; those that run are left alone."""
    settings = read_settings(common.project)
    wanted = _instances(common, settings, engines)
    if not wanted and format_ == "text":
        note("the models store nothing: no server is needed")
    required = {*engines, *(local.required_engines(local.RECIPES) & {one.engine for one in wanted})}
    answers = local.up(settings.state / "local", wanted, required=required, tell=_teller(common))
    _report(common, format_, zip(wanted, answers, strict=True), "local/1")
    return 0


@command.command(cls=Command)
@click.argument("engines", nargs=-1, type=ENGINE, metavar="[ENGINE]...")
@formats("text", "json")
@click.pass_obj
def down(common: Common, engines: tuple[str, ...], format_: str) -> int:
    """Stop what `local up` started here, and nothing else."""
    settings = read_settings(common.project)
    stopped = local.down(settings.state / "local", engines, tell=_teller(common))
    if format_ == "json":
        names: list[Json] = [str(one.instance) for one in stopped]
        say(document("local-down/1", {"stopped": names}), nl=False)
    elif common.verbosity >= 0:
        say(f"stopped {counted(len(stopped), 'server')}" if stopped else "nothing runs here")
    return 0


@command.command(cls=Command)
@click.argument("engines", nargs=-1, type=ENGINE, metavar="[ENGINE]...")
@formats("text", "json")
@click.pass_obj
def status(common: Common, engines: tuple[str, ...], format_: str) -> int:
    """Show what runs, what could be started, and where it comes from."""
    settings = read_settings(common.project)
    wanted = _instances(common, settings, engines)
    answers = local.status(settings.state / "local", wanted)
    _report(common, format_, zip(wanted, answers, strict=True), "local/1")
    if format_ == "text" and common.verbosity >= 0:
        say("\nwhere servers come from when none is installed")
        for line in table([_origin(row) for row in local.recipes_table()]):
            say(line)
    return 0


@command.command(cls=Command)
@click.argument("engines", nargs=-1, type=ENGINE, metavar="[ENGINE]...")
@click.option("-n", "--lines", default=40, show_default=True, type=Whole(0), help="Lines of each log; 0 for all.")
@click.pass_obj
def logs(common: Common, engines: tuple[str, ...], lines: int) -> int:
    """Print the end of each server's log."""
    settings = read_settings(common.project)
    for instance in _instances(common, settings, engines):
        path = local.log_path(settings.state / "local", instance)
        say(f"== {instance}")
        text = path.read_text(errors="replace").splitlines() if path.is_file() else ["no log yet"]
        for line in text[-lines:]:
            say(line)
    return 0


@command.command(cls=Command)
@click.pass_obj
def env(common: Common) -> int:
    """Print what a shell is told so that AWS clients in it, Pulumi's provider too, ask DynamoDB Local as --local does.

    \b
    eval "$(keywright local env)"
    """
    settings = read_settings(common.project)
    (server,) = running_servers(settings, [Instance("dynamodb", "dynamodb")]).values()
    for name, value in environment.of_aws(server.url).items():
        say(f"export {name}={value}")
    return 0


def _instances(common: Common, settings: Settings, engines: tuple[str, ...]) -> tuple[Instance, ...]:
    """The servers that the models need, or those of the named engines."""
    compiled = api.compile(api.load(common.project), common.env)
    needed = local_instances(compiled)
    if not engines:
        return needed
    chosen = tuple(one for one in needed if one.engine in engines)
    for engine in engines:
        if engine not in {one.engine for one in needed}:
            if engine == "redis":
                help = "declare one with RedisServer(...), or leave redis out"
                raise UsageError("the models declare no Redis server to start", help)
            chosen += (Instance(engine, engine),)
    return chosen


def _teller(common: Common) -> local.Tell:
    def tell(event: Event) -> None:
        if common.verbosity < 0 and event.phase != "licence":
            return
        if event.phase == "ready" and common.verbosity < 1:
            return  # the report says it
        name = event.engine if event.name in ("", event.engine) else f"{event.engine}/{event.name}"
        took = f" ({event.seconds:.1f} s)" if event.seconds else ""
        note(click.style(f"{name}: {event.phase} {event.text}{took}" if name else event.text, dim=True))

    return tell


def _report(
    common: Common, format_: str, answers: Iterable[tuple[Instance, Running | Found | Missing]], schema: str
) -> None:
    answers = list(answers)
    if format_ == "json":
        servers: list[Json] = [_json(instance, answer) for instance, answer in answers]
        say(document(schema, {"servers": servers}), nl=False)
        return
    if common.verbosity < 0:
        return
    for line in table([_row(instance, answer) for instance, answer in answers], indent=""):
        say(line)
    for instance, answer in answers:
        if isinstance(answer, Missing):
            note(f"  help for {instance}: {answer.help}")


def _row(instance: Instance, answer: Running | Found | Missing) -> tuple[str, str, str, str]:
    match answer:
        case Running():
            return str(instance), click.style("runs", fg="green"), answer.version, answer.url
        case Found():
            return str(instance), "could start", answer.version, answer.source
        case Missing():
            return str(instance), click.style("skipped", fg="yellow"), "", answer.reason


def _origin(row: local.Row) -> tuple[str, str, str, str]:
    tested = "" if row.is_tested else "untested"
    system = f"{' '.join(row.system)}{' (here)' if row.is_here else ''}"
    return row.title, system, row.fetched or "nothing can be fetched", tested


def _json(instance: Instance, answer: Running | Found | Missing) -> Json:
    made: dict[str, Json] = {"engine": instance.engine, "name": instance.name}
    match answer:
        case Running():
            made |= {"state": "runs", "url": answer.url, "version": answer.version, "pid": answer.pid}
        case Found():
            made |= {"state": "could-start", "source": answer.source}
        case Missing():
            made |= {"state": "missing", "reason": answer.reason, "help": answer.help}
    return made

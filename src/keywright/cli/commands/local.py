"""`keywright local`: real servers on loopback for the engines of the models."""

import shlex
from collections.abc import Iterable

import click

from keywright import api, local
from keywright.api.live.local_servers import START, local_instances, products_of
from keywright.engines.registry import engine_named, facts_of
from keywright.errors import Unavailable, UsageError
from keywright.ir.json import Json
from keywright.local import FoundServer, Running, ServerEvent, UnavailableServer, WantedServer
from keywright.local.environment import without_secrets
from keywright.local.instance import exports
from keywright.project.settings import Settings, read_settings
from keywright.report.document import document

from ..options import Command, Common, Group, formats
from ..output import counted, note, print_line, table
from ..values import EngineName, WholeNumber

ENGINE = EngineName()


@click.group("local", cls=Group)
def command(**values: object) -> None:
    """Start and stop real servers on this machine, for the engines of the models.

    \b
    keywright local up                 all engines of the models
    keywright local up redis mongodb
    keywright local status
    eval "$(keywright local env)"      variables for clients in this shell
    keywright local down
    """


@command.command(cls=Command)
@click.argument("engines", nargs=-1, type=ENGINE, metavar="[ENGINE]...")
@formats("text", "json")
@click.pass_obj
def up(common: Common, engines: tuple[str, ...], format_: str) -> int:
    """Start servers without data; running servers are not changed."""
    settings = read_settings(common.project)
    servers, products = _servers(common, settings, engines)
    if not servers and format_ == "text":
        note("the models have no stores: no server is needed")
    required = {*engines, *(local.required_engines(local.RECIPES) & {server.engine for server in servers})}
    answers = local.up(settings.state / "local", servers, required=required, tell=_notifier(common), products=products)
    _report(common, format_, zip(servers, answers, strict=True), "local/1")
    return 0


@command.command(cls=Command)
@click.argument("engines", nargs=-1, type=ENGINE, metavar="[ENGINE]...")
@formats("text", "json")
@click.pass_obj
def down(common: Common, engines: tuple[str, ...], format_: str) -> int:
    """Stop the servers that `local up` started here, and no others."""
    settings = read_settings(common.project)
    stopped = local.down(settings.state / "local", engines, tell=_notifier(common))
    if format_ == "json":
        names: list[Json] = [str(running.instance) for running in stopped]
        print_line(document("local-down/1", {"stopped": names}), nl=False)
    elif common.verbosity >= 0:
        print_line(f"stopped {counted(len(stopped), 'server')}" if stopped else "no server is running here")
    return 0


@command.command(cls=Command)
@click.argument("engines", nargs=-1, type=ENGINE, metavar="[ENGINE]...")
@formats("text", "json")
@click.pass_obj
def status(common: Common, engines: tuple[str, ...], format_: str) -> int:
    """Show running and available servers, with their sources."""
    settings = read_settings(common.project)
    servers, products = _servers(common, settings, engines)
    answers = local.status(settings.state / "local", servers, products)
    _report(common, format_, zip(servers, answers, strict=True), "local/1")
    if format_ == "text" and common.verbosity >= 0:
        print_line("\nsources of servers that are not installed")
        for line in table([_origin(row) for row in local.recipes_table()]):
            print_line(line)
    return 0


@command.command(cls=Command)
@click.argument("engines", nargs=-1, type=ENGINE, metavar="[ENGINE]...")
@click.option(
    "-n", "--lines", default=40, show_default=True, type=WholeNumber(0), help="Number of lines of each log; 0 for all."
)
@click.pass_obj
def logs(common: Common, engines: tuple[str, ...], lines: int) -> int:
    """Print the end of each server's log."""
    settings = read_settings(common.project)
    for instance in _instances(common, settings, engines):
        path = local.log_path(settings.state / "local", instance)
        print_line(f"== {instance}")
        text = path.read_text(errors="replace").splitlines() if path.is_file() else ["no log yet"]
        for line in text[-lines:]:
            print_line(line)
    return 0


@command.command(cls=Command)
@click.pass_obj
def env(common: Common) -> int:
    """Print variables that connect clients in a shell, including Pulumi's providers, to the running local servers.

    \b
    eval "$(keywright local env)"
    """
    settings = read_settings(common.project)
    servers = local.running(settings.state / "local", _instances(common, settings, ()))
    if not servers:
        raise Unavailable("no local server is running", START)
    for name, value in exports(servers).items():
        print_line(f"export {name}={shlex.quote(value)}")
    return 0


def _instances(common: Common, settings: Settings, engines: tuple[str, ...]) -> tuple[WantedServer, ...]:
    """Servers that the models need, or those of the named engines."""
    return _servers(common, settings, engines)[0]


def _servers(
    common: Common, settings: Settings, engines: tuple[str, ...]
) -> tuple[tuple[WantedServer, ...], dict[str, str]]:
    """(servers that the models need, or those of the named engines; their products, by engine)."""
    compiled = api.compile(api.load(common.project), common.env)
    needed, products = local_instances(compiled), products_of(compiled)
    if not engines:
        return needed, products
    selected = tuple(server for server in needed if server.engine in engines)
    for engine in engines:
        if engine not in {server.engine for server in needed}:
            if facts_of(engine).nouns.is_server:
                title = engine_named(engine).title
                help = f"declare one with {title}Server(...), or leave {engine} out"
                raise UsageError(f"the models declare no {title} server to start", help)
            selected += (WantedServer(engine, engine),)
    return selected, products


def _notifier(common: Common) -> local.Tell:
    def notify(event: ServerEvent) -> None:
        if common.verbosity < 0 and event.phase != "licence":
            return
        if event.phase == "ready" and common.verbosity < 1:
            return  # the report contains it
        name = event.engine if event.name in ("", event.engine) else f"{event.engine}/{event.name}"
        duration = f" ({event.seconds:.1f} s)" if event.seconds else ""
        note(click.style(f"{name}: {event.phase} {event.text}{duration}" if name else event.text, dim=True))

    return notify


def _report(
    common: Common,
    format_: str,
    answers: Iterable[tuple[WantedServer, Running | FoundServer | UnavailableServer]],
    schema: str,
) -> None:
    answers = list(answers)
    if format_ == "json":
        servers: list[Json] = [_json(instance, answer) for instance, answer in answers]
        print_line(document(schema, {"servers": servers}), nl=False)
        return
    if common.verbosity < 0:
        return
    for line in table([_row(instance, answer) for instance, answer in answers], indent=""):
        print_line(line)
    for instance, answer in answers:
        if isinstance(answer, UnavailableServer):
            note(f"  help for {instance}: {answer.help}")


def _row(instance: WantedServer, answer: Running | FoundServer | UnavailableServer) -> tuple[str, str, str, str]:
    match answer:
        case Running():
            return str(instance), click.style("running", fg="green"), answer.version, _public_url(answer)
        case FoundServer():
            return str(instance), "could start", answer.version, answer.source
        case UnavailableServer():
            return str(instance), click.style("skipped", fg="yellow"), "", answer.reason


def _public_url(server: Running) -> str:
    """URL of a server; without login and options if a variable gave it, because it may contain secrets."""
    return without_secrets(server.url) if server.pid is None else server.url


def _origin(row: local.PlatformRow) -> tuple[str, str, str, str]:
    tested = "" if row.is_tested else "untested"
    system = f"{' '.join(row.system)}{' (here)' if row.is_here else ''}"
    return row.title, system, row.fetched or "cannot be fetched", tested


def _json(instance: WantedServer, answer: Running | FoundServer | UnavailableServer) -> Json:
    server: dict[str, Json] = {"engine": instance.engine, "name": instance.name}
    match answer:
        case Running():
            server |= {"state": "runs", "url": _public_url(answer), "version": answer.version, "pid": answer.pid}
        case FoundServer():
            server |= {"state": "could-start", "source": answer.source}
        case UnavailableServer():
            server |= {"state": "missing", "reason": answer.reason, "help": answer.help}
    return server

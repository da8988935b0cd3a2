"""`keywright prove`: every access pattern on a real server."""

import time
from collections.abc import Iterable
from functools import partial

import click

from keywright import api
from keywright.access.path import NotServed
from keywright.api.live import local_instances
from keywright.api.patterns import line
from keywright.api.prove import Proved, evidence_on, prove_local, prove_on, unproved
from keywright.api.scratch import Server, server_at
from keywright.engines.registry import ENGINES
from keywright.errors import UsageError
from keywright.ir.json import Json
from keywright.report import matrix
from keywright.report.document import long_document

from .options import Command, Common, formats
from .patterns import refuse_unknown
from .say import counted, note, progress, relative_file, say, table
from .values import Whole

NOT_PROVED = 1


@click.command(cls=Command)
@click.argument("names", nargs=-1, metavar="[PATTERN]...")
@click.option("--local", "is_local", is_flag=True, help="On the servers of `keywright local`.")
@click.option("--endpoint", "endpoints", multiple=True, metavar="ENGINE=URL", help="On a server of yours.")
@click.option("--load", is_flag=True, help="With --endpoint: make and load scratch stores there; else it only reads.")
@click.option("--scale", default=200, show_default=True, type=Whole(1), help="Items of the largest entity.")
@click.option("--seed", default=0, show_default=True, type=Whole(), help="The same seed gives the same data and calls.")
@formats("text", "json")
@click.pass_obj
def command(
    common: Common,
    names: tuple[str, ...],
    is_local: bool,
    endpoints: tuple[str, ...],
    load: bool,
    scale: int,
    seed: int,
    format_: str,
) -> int:
    """Run each access pattern on a real server, compare the answer with Python's, and judge the server's evidence.

    Makes scratch stores with names of their own, loads generated data, calls each pattern as an application would, and
    removes the stores. Exits 1 if a pattern is not proved.

    On an endpoint without --load nothing is written: patterns that read are called on the stores as they are, and only
    the server's evidence is judged.

    \b
    keywright local up && keywright prove --local
    keywright prove --local orders_of_user --scale 1000
    keywright prove --endpoint mongodb=mongodb://127.0.0.1:27017
    """
    if is_local == bool(endpoints):
        raise UsageError("where are the patterns to be proved?", "say --local, or --endpoint ENGINE=URL")
    if load and is_local:
        raise UsageError("--load goes with --endpoint", "on local servers data is always loaded")
    project = api.load(common.project)
    compiled = api.compile(project, common.env)
    refuse_unknown(names, [pattern.name for pattern in project.design.patterns])
    started = time.monotonic()
    is_shown = common.verbosity >= 0 and format_ == "text"

    def tell(text: str) -> None:
        if is_shown:
            progress(f"{text} ({time.monotonic() - started:.0f} s)")

    if is_local:
        found = prove_local(project, compiled, scale=scale, seed=seed, wanted=names, tell=tell)
    else:
        servers = _servers(compiled, endpoints)
        prove = partial(prove_on, scale=scale) if load else evidence_on
        found = prove(project, compiled, servers, seed=seed, wanted=names, tell=tell)
    progress("")
    if format_ == "json":
        say(_document(found, project), nl=False)
    else:
        _say(common, found)
        say(summary(found))
    return NOT_PROVED if any(unproved(found)) else 0


def _servers(compiled: api.Compiled, endpoints: tuple[str, ...]) -> list[Server]:
    """The servers that were named, each for all stores of its engine."""
    named: dict[str, str] = {}
    for text in endpoints:
        engine, sign, url = text.partition("=")
        if not sign or engine not in {one.name for one in ENGINES}:
            known = ", ".join(one.name for one in ENGINES)
            raise UsageError(f'"{text}" names no engine and address', f"write ENGINE=URL; engines are {known}")
        named[engine] = url
    wanted = [one for one in local_instances(compiled) if one.engine in named]
    return [server_at(instance, named[instance.engine]) for instance in wanted]


def summary(found: Iterable[Proved]) -> str:
    """How many patterns are proved, and on how many engines."""
    found = list(found)
    proved = [one for one in found if one.proof and one.proof.is_proved]
    engines = {one.row.placed.engine.name for one in proved}
    declared = sum(1 for one in found if one.row.pattern.unserved and not one.row.planned.is_served)
    text = f"{len(proved)} of {counted(len(found) - declared, 'pattern')} proved on {counted(len(engines), 'engine')}"
    if declared:
        text += f", {declared} declared as unserved"
    if skipped := sum(1 for one in found if one.skipped):
        text += f", {skipped} skipped"
    return text


def _say(common: Common, found: list[Proved]) -> None:
    wrong = set(map(id, unproved(found)))
    for one, text in zip(found, table([_cells(one) for one in found], indent=""), strict=True):
        if common.verbosity >= 0 or id(one) in wrong:
            say(text)
        for problem in _problems(one):
            say(f"    {problem}")
    for reason in sorted({one.skipped for one in found if one.skipped}):
        note(f"skipped: {reason}; `keywright local status` says why")


def _cells(one: Proved) -> tuple[str, ...]:
    proof, path = one.proof, one.row.planned.path
    by = str(path.by) if not isinstance(path, NotServed) else ""
    if proof is None:
        verdict = ("skipped", "yellow") if one.skipped else ("NOT SERVED", "red")
        verdict = ("unserved", "yellow") if one.row.pattern.unserved and not one.skipped else verdict
        return click.style(verdict[0], fg=verdict[1]), one.row.pattern.name, by, "", ""
    word = click.style("proved", fg="green") if proof.is_proved else click.style("NOT PROVED", fg="red", bold=True)
    compared = f"{proof.returned} of {proof.expected}" if proof.expected else f"{proof.returned}"
    return word, one.row.pattern.name, by, f"{counted(proof.calls, 'call')}, {compared}", f"{proof.milliseconds:.0f} ms"


def _problems(one: Proved) -> list[str]:
    proof, path = one.proof, one.row.planned.path
    if proof is None:
        return [path.reason] if isinstance(path, NotServed) and not one.row.pattern.unserved else []
    told = [proof.tolerance] if proof.tolerance else []
    return told + [click.style(problem, fg="red") for problem in proof.problems]


def _document(found: Iterable[Proved], project: api.Project) -> str:
    rows: list[Json] = []
    for one in found:
        described = matrix.described(line(one.row, project.design, relative_file))
        rows.append({**described, "proof": _proof(one)})
    return long_document("prove/1", {"patterns": rows})


def _proof(one: Proved) -> Json:
    proof = one.proof
    if proof is None:
        return None
    return {
        "proved": proof.is_proved,
        "compared": proof.is_compared,
        "calls": proof.calls,
        "returned": proof.returned,
        "expected": proof.expected,
        "evidence": [dict(event) for event in proof.evidence],
        "problems": [*proof.problems],
        "tolerance": proof.tolerance or None,
        "milliseconds": round(proof.milliseconds, 1),
    }

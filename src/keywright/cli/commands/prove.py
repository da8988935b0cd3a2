"""`keywright prove`: verify every access pattern on a real server."""

import time
from collections.abc import Iterable
from functools import partial

import click

from keywright import api
from keywright.access.path import NotServed
from keywright.api.check.matrix import line
from keywright.api.live.local_servers import local_instances
from keywright.api.prove.prove import ProofResult, evidence_on, prove_local, prove_on, unproved
from keywright.api.prove.scratch import Server, server_at
from keywright.engines.registry import NAMES, is_engine
from keywright.errors import UsageError
from keywright.ir.json import Json
from keywright.report import matrix
from keywright.report.document import long_document

from ..options import Command, Common, formats
from ..output import counted, note, print_line, progress, relative_file, table
from ..values import WholeNumber
from .patterns import reject_unknown

NOT_PROVED = 1


@click.command(cls=Command)
@click.argument("names", nargs=-1, metavar="[PATTERN]...")
@click.option("--local", "is_local", is_flag=True, help="Use the servers of `keywright local`.")
@click.option(
    "--endpoint", "endpoints", multiple=True, metavar="ENGINE=URL", help="Use another server; may be repeated."
)
@click.option("--load", is_flag=True, help="With --endpoint: create and load scratch stores; by default only reads.")
@click.option(
    "--scale", default=200, show_default=True, type=WholeNumber(1), help="Number of items of the largest entity."
)
@click.option(
    "--seed", default=0, show_default=True, type=WholeNumber(), help="The same seed gives the same data and calls."
)
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
    """Run each access pattern on a real server, compare the answer with one computed in Python, and verify the server's
    evidence.

    Creates scratch stores, loads generated data, calls each pattern like an application, and removes the stores. Exits
    1 if a pattern is not proved.

    On an endpoint without --load the command writes nothing: it calls only patterns that read, on the existing stores,
    and verifies only the server's evidence.

    \b
    keywright local up && keywright prove --local
    keywright prove --local orders_of_user --scale 1000
    keywright prove --endpoint mongodb=mongodb://127.0.0.1:27017
    """
    if is_local == bool(endpoints):
        raise UsageError("prove requires either --local or --endpoint", "add --local, or --endpoint ENGINE=URL")
    if load and is_local:
        raise UsageError("--load requires --endpoint", "on local servers data is always loaded")
    project = api.load(common.project)
    compiled = api.compile(project, common.env)
    reject_unknown(names, [pattern.name for pattern in project.design.patterns])
    started = time.monotonic()
    has_progress = common.verbosity >= 0 and format_ == "text"

    def notify(text: str) -> None:
        if has_progress:
            progress(f"{text} ({time.monotonic() - started:.0f} s)")

    if is_local:
        results = prove_local(project, compiled, scale=scale, seed=seed, selected=names, tell=notify)
    else:
        servers = _servers(compiled, endpoints)
        prove = partial(prove_on, scale=scale) if load else evidence_on
        results = prove(project, compiled, servers, seed=seed, selected=names, tell=notify)
    progress("")
    if format_ == "json":
        print_line(_document(results, project), nl=False)
    else:
        _print_results(common, results)
        print_line(summary(results))
    return NOT_PROVED if any(unproved(results)) else 0


def _servers(compiled: api.Compiled, endpoints: tuple[str, ...]) -> list[Server]:
    """The named servers, each for all stores of its engine."""
    named: dict[str, str] = {}
    for text in endpoints:
        engine, sign, url = text.partition("=")
        if not sign or not is_engine(engine):
            raise UsageError(f'"{text}" is not ENGINE=URL', f"engines are {', '.join(NAMES)}")
        named[engine] = url
    servers = [instance for instance in local_instances(compiled) if instance.engine in named]
    return [server_at(instance, named[instance.engine]) for instance in servers]


def summary(results: Iterable[ProofResult]) -> str:
    """Counts of proved patterns, and of their engines."""
    results = list(results)
    proved = [result for result in results if result.proof and result.proof.is_proved]
    engines = {result.row.placed.engine.name for result in proved}
    declared = sum(1 for result in results if result.row.pattern.unserved and not result.row.planned.is_served)
    text = f"{len(proved)} of {counted(len(results) - declared, 'pattern')} proved on {counted(len(engines), 'engine')}"
    if declared:
        text += f", {declared} declared as unserved"
    if skipped := sum(1 for result in results if result.skipped):
        text += f", {skipped} skipped"
    return text


def _print_results(common: Common, results: list[ProofResult]) -> None:
    failed = set(map(id, unproved(results)))
    for proof_result, text in zip(results, table([_cells(result) for result in results], indent=""), strict=True):
        if common.verbosity >= 0 or id(proof_result) in failed:
            print_line(text)
        for problem in _problems(proof_result):
            print_line(f"    {problem}")
    for reason in sorted({result.skipped for result in results if result.skipped}):
        note(f"skipped: {reason}; `keywright local status` shows the reason")


def _cells(result: ProofResult) -> tuple[str, ...]:
    proof, path = result.proof, result.row.planned.path
    by = str(path.by) if not isinstance(path, NotServed) else ""
    if proof is None:
        verdict = ("skipped", "yellow") if result.skipped else ("NOT SERVED", "red")
        verdict = ("unserved", "yellow") if result.row.pattern.unserved and not result.skipped else verdict
        return click.style(verdict[0], fg=verdict[1]), result.row.pattern.name, by, "", ""
    word = click.style("proved", fg="green") if proof.is_proved else click.style("NOT PROVED", fg="red", bold=True)
    compared = f"{proof.returned} of {proof.expected}" if proof.expected else f"{proof.returned}"
    return (
        word,
        result.row.pattern.name,
        by,
        f"{counted(proof.calls, 'call')}, {compared}",
        f"{proof.milliseconds:.0f} ms",
    )


def _problems(result: ProofResult) -> list[str]:
    proof, path = result.proof, result.row.planned.path
    if proof is None:
        return [path.reason] if isinstance(path, NotServed) and not result.row.pattern.unserved else []
    tolerances = [proof.tolerance] if proof.tolerance else []
    return tolerances + [click.style(problem, fg="red") for problem in proof.problems]


def _document(results: Iterable[ProofResult], project: api.Project) -> str:
    rows: list[Json] = []
    for proof_result in results:
        described = matrix.described(line(proof_result.row, project.design, relative_file))
        rows.append({**described, "proof": _proof(proof_result)})
    return long_document("prove/1", {"patterns": rows})


def _proof(result: ProofResult) -> Json:
    proof = result.proof
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

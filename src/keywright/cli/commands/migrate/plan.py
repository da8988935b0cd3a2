"""`keywright migrate plan`: show the steps that apply would run."""

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import click

from keywright.api.live.unmanaged import RivalIndex
from keywright.api.migrate.estimates import NOTHING, Estimates, estimated
from keywright.api.migrate.plan import Due, MigrationPlan
from keywright.cli.options import Command, Common, formats
from keywright.cli.output import counted, print_line
from keywright.engines.contract.change import path_of
from keywright.ir.json import Json
from keywright.migrations.backfill.item_check import indexed
from keywright.migrations.run.gates import awaited
from keywright.project.files import write
from keywright.report.document import document

from ...store_options import difference_json, difference_line, local, selector_of, statement_json
from .sizes import count_lines, counts_json, estimate_json, size_lines, warnings_json

DUE = 1


@click.command(cls=Command)
@local
@click.option("--to", metavar="MIGRATION", help="Last migration to apply; by default all.")
@click.option(
    "-o", "--output", metavar="FILE", type=click.Path(dir_okay=False), help="File to write the plan to, as JSON."
)
@formats("text", "json")
@click.pass_obj
def command(common: Common, is_local: bool, to: str | None, output: str | None, format_: str) -> int:
    """Show each step and statement that apply would run now, and the hash that approves them.

    Reads the stores and changes nothing; exits 1 if steps are due.
    """
    plan, estimates = estimated(selector_of(common, is_local), to=to, today=date.today())
    text = document("migrate-plan/2", body(plan, estimates))
    if output:
        write(Path(output), text)
    if format_ == "json":
        print_line(text, nl=False)
    else:
        _print_plan(common, plan, estimates)
    return DUE if plan.is_due else 0


def body(plan: MigrationPlan, estimates: Estimates = NOTHING) -> dict[str, Json]:
    """JSON body of a plan, with estimates of the data that it reads and writes."""
    steps: list[Json] = [
        {
            "migration": due.migration.folder,
            "n": due.step.n,
            "phase": due.step.phase,
            "by": due.step.by,
            "op": due.step.op,
            "store": due.step.store or None,
            "text": due.step.text or None,
            "statements": [statement_json(statement) for statement in due.statements],
            **estimate_json(estimates.steps.get((due.migration.number, due.step.n))),
            **counts_json(estimates.answers.get((due.migration.number, due.step.n), ())),
            **_rival_json(estimates.rivals.get((due.migration.number, due.step.n))),
        }
        for due in plan.due
    ]
    return {
        "environment": plan.environment,
        "hash": plan.hash,
        "fresh": plan.is_fresh,
        "live": dict(plan.live),
        "steps": steps,
        "settings": [
            {"store": statement.store, "summary": statement.summary, "statement": statement.native}
            for statement in plan.settings
        ],
        "drift": [difference_json(*difference) for difference in plan.drift],
        **warnings_json(estimates.warnings),
    }


def _rival_lines(estimates: Estimates, key: tuple[str, int]) -> Iterator[str]:
    """Lines about an unmanaged index that is equal to a new index or conflicts with it."""
    if rival := estimates.rivals.get(key):
        yield f"{rival.text}," if rival.is_equal else rival.text
        if rival.is_equal:
            yield "and run `keywright migrate diff --amend` to adopt it instead of building a second index"


def _rival_json(rival: RivalIndex | None) -> dict[str, Json]:
    return {"equal" if rival.is_equal else "in_the_way": rival.name} if rival else {}


def _print_plan(common: Common, plan: MigrationPlan, estimates: Estimates) -> None:
    for difference in plan.drift:
        print_line(f"{click.style('drift', fg='red')}: {difference_line(*difference)}")
    for statement in plan.settings:
        print_line(f"  settings       {statement.store}: {statement.summary}")
    if not plan.is_due:
        print_line("nothing to apply")
    if not plan.due:
        for folder in plan.files:
            print_line(f"{click.style(folder, bold=True)}  all steps have run; apply verifies and records it as done")
        return
    before = ""
    for due in plan.due:
        if due.migration.folder != before and not plan.is_fresh:
            before = due.migration.folder
            print_line(click.style(before, bold=True))
        for line in _lines(due):
            print_line(f"  {due.step.n:4} {due.step.phase:9} {line}")
        key = due.migration.number, due.step.n
        for line in (
            *size_lines(estimates.steps.get(key)),
            *count_lines(estimates.answers.get(key, ())),
            *_rival_lines(estimates, key),
        ):
            print_line(f"{'':17}{line}")
    for finding in estimates.warnings:
        print_line(f"{click.style('warning', fg='yellow')}[{finding.code}] {finding.object}: {finding.message}")
        print_line(f"  help: {finding.help}")
    if common.verbosity >= 0:
        print_line(f"{counted(len(plan.due), 'step')}; approve with --approved {plan.hash}")


def _lines(due: Due) -> Iterator[str]:
    """Lines of a step, one for each statement."""
    step = due.step
    if step.is_gate:
        yield f"waits for {awaited(step)}"
    elif step.op == "alter":
        by = "  by pulumi" if step.by == "pulumi" else ""
        yield from (f"{statement.store}: {statement.summary}{by}" for statement in due.statements)
        if not due.statements and step.store:
            yield f"{step.store}: by hand: {step.object}"
    elif step.op == "check_index_values":
        table, index = indexed(step)
        yield f'{step.store}: every stored value fits index "{index}" of "{table}"'
    elif step.op == "check_validator":
        yield f'{step.store}: no stored document breaks the validator of "{path_of(step.object)[3]}"'
    elif step.op == "assert_snapshot":
        yield "compares all stores with the migration"
    else:
        yield f"{step.store}: {step.op} {step.object}"

"""`keywright migrate resolve`: record the outcome of a step or migration that needs a person's decision."""

import click

from keywright.api.migrate.amend import amend
from keywright.api.migrate.apply import resolve
from keywright.api.migrate.locks import ApplyOptions
from keywright.api.migrate.recovery import resolve_applied, resolve_undone
from keywright.cli.options import Command, Common, formats
from keywright.cli.output import print_line
from keywright.cli.values import Choice
from keywright.errors import UsageError
from keywright.report.document import document

from ...store_options import local, selector_of, watcher


@click.command(cls=Command)
@click.argument("step", metavar="STEP|MIGRATION")
@local
@click.option(
    "--as", "outcome", required=True, type=Choice(("applied", "skip", "undone", "amended")), help="Outcome to record."
)
@click.option("--reason", required=True, metavar="TEXT", help="Reason, recorded in the history.")
@formats("text", "json")
@click.pass_obj
def command(common: Common, step: str, is_local: bool, outcome: str, reason: str, format_: str) -> int:
    """Record the outcome of a step or of a migration, so that apply can continue.

    `applied`: it was applied by hand, or by restoring the store; rejected unless the store shows it. `skip`: the step
    is not applied; only for steps with `optional: true`. `undone`: a migration of the history, and those after it, are
    not in the store; rejected unless the store shows it. `amended`: the remaining steps of an unfinished migration were
    edited, such as a transform that fails for some items; rejected if the completed steps have changed. To retry a
    step, run apply again.

    \b
    keywright migrate resolve 0008/20 --as applied --reason "built by hand, ticket 812" --local
    keywright migrate resolve 0008 --as undone --reason "restored from Monday" --local
    """
    selector, watch = selector_of(common, is_local), watcher(common)
    if "/" in step:
        if outcome == "undone":
            raise UsageError(
                '"undone" requires a migration, not a step', f"run `keywright migrate abort {step.partition('/')[0]}`"
            )
        if outcome == "amended":
            raise UsageError('"amended" requires a migration, not a step', f"name {step.partition('/')[0]}")
        resolve(selector, step, outcome, reason, ApplyOptions(), watch)
    elif outcome == "applied":
        resolve_applied(selector, step, reason, ApplyOptions(), watch)
    elif outcome == "undone":
        step = ", ".join(resolve_undone(selector, step, reason, ApplyOptions(), watch))
    elif outcome == "amended":
        amend(selector, step, reason, ApplyOptions(), watch)
    else:
        raise UsageError('"skip" requires a step', f"name it, such as {step}/20")
    if format_ == "json":
        print_line(document("migrate-resolve/1", {"step": step, "as": outcome}), nl=False)
    else:
        print_line(f"{step} is recorded as {outcome}; `keywright migrate apply` continues after it")
    return 0

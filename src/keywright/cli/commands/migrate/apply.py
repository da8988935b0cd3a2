"""`keywright migrate apply`: apply migrations to the stores."""

import json
import time
from pathlib import Path

import click

from keywright.api.migrate.apply import apply
from keywright.api.migrate.locks import ApplyOptions
from keywright.api.migrate.plan import MigrationPlan
from keywright.cli.options import Command, Common, formats
from keywright.cli.output import counted, print_line
from keywright.cli.values import WholeNumber
from keywright.errors import UsageError
from keywright.migrations.backfill.backfill import BackfillSettings
from keywright.report.document import document

from ...store_options import local, selector_of, watcher
from .plan import body


@click.command(cls=Command)
@local
@click.option("--approved", metavar="HASH", help="Apply only if the plan has this hash.")
@click.option(
    "--plan", "file", metavar="FILE", type=click.Path(exists=True), help="Apply only if the plan equals this file."
)
@click.option("--to", metavar="MIGRATION", help="Last migration to apply; by default all.")
@click.option("--ack", "gates", multiple=True, metavar="POS", help="Open a gate, such as 0008/10; may be repeated.")
@click.option("--note", "gate_note", default="", metavar="TEXT", help="Note on the opened gates, for the history.")
@click.option("--lock-timeout", default=90.0, show_default=True, metavar="SECONDS", help="Maximum wait for the locks.")
@click.option(
    "--workers",
    type=WholeNumber(min=1),
    default=BackfillSettings().workers,
    show_default=True,
    metavar="N",
    help="Number of threads of a backfill.",
)
@formats("text", "json")
@click.pass_obj
def command(
    common: Common,
    is_local: bool,
    approved: str | None,
    file: str | None,
    to: str | None,
    gates: tuple[str, ...],
    gate_note: str,
    lock_timeout: float,
    workers: int,
    format_: str,
) -> int:
    """Apply pending migrations step by step, under the locks of all stores.

    After a crash or Ctrl-C, run the same command again: it continues, and no step runs twice. Exits 4 if a lock or gate
    blocks it, 5 if a person must decide.

    \b
    keywright migrate apply --local
    keywright --env prod migrate apply --approved sha256:41c0... --ack 0008/10 --note release-51
    """
    started = time.monotonic()
    options = ApplyOptions(
        to=to,
        approved=_hash_in(file) if file else approved,
        acknowledged=dict.fromkeys(gates, gate_note or "acknowledged"),
        lock_seconds=lock_timeout,
        backfill=BackfillSettings(workers=workers),
    )
    plan = apply(selector_of(common, is_local), options, watcher(common))
    if format_ == "json":
        print_line(document("migrate-apply/2", body(plan)), nl=False)
    else:
        _print_result(plan, time.monotonic() - started)
    return 0


def _hash_in(file: str) -> str:
    try:
        return str(json.loads(Path(file).read_text(encoding="utf-8"))["hash"])
    except (ValueError, KeyError, TypeError):
        raise UsageError(f'"{file}" is not a plan', "write one with `keywright migrate plan -o FILE`") from None


def _print_result(plan: MigrationPlan, seconds: float) -> None:
    if not plan.due:
        done = [counted(len(plan.settings), "setting")] if plan.settings else []
        done += [f"{file}, whose steps had all run" for file in plan.files]
        print_line(f"{click.style('applied', fg='green')} {', '.join(done)}" if done else "nothing to apply")
        return
    names = list(dict.fromkeys(due.migration.folder for due in plan.due))
    applied = (
        "all migrations to empty stores" if plan.is_fresh else f"{counted(len(names), 'migration')}: {', '.join(names)}"
    )
    print_line(f"{click.style('applied', fg='green')} {applied}; every store matches {names[-1]} ({seconds:.1f} s)")

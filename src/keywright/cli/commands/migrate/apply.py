"""`keywright migrate apply`: bring the stores to the last version."""

import json
import time
from pathlib import Path

import click

from keywright.api.locked import Order
from keywright.api.migrate import apply
from keywright.api.plans import Plan
from keywright.cli.options import Command, Common, formats
from keywright.cli.say import counted, say
from keywright.cli.values import Whole
from keywright.errors import UsageError
from keywright.history.backfill import Settings
from keywright.report.document import document

from .plan import body
from .where import local, watcher, where


@click.command(cls=Command)
@local
@click.option("--approved", metavar="HASH", help="Only if the plan has this hash.")
@click.option("--plan", "file", metavar="FILE", type=click.Path(exists=True), help="Only if the plan is this one.")
@click.option("--to", metavar="VERSION", help="The last version; all by default.")
@click.option("--ack", "gates", multiple=True, metavar="POS", help="Open a gate, such as 0008/10; may be repeated.")
@click.option("--note", "said", default="", metavar="TEXT", help="What is kept of the gates that are opened.")
@click.option("--lock-timeout", default=90.0, show_default=True, metavar="SECONDS", help="Wait for others so long.")
@click.option(
    "--workers",
    type=Whole(min=1),
    default=Settings().workers,
    show_default=True,
    metavar="N",
    help="Threads of a backfill.",
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
    said: str,
    lock_timeout: float,
    workers: int,
    format_: str,
) -> int:
    """Carry out what is due, one stage after the other, under the locks of all stores.

    After a crash or Ctrl-C the same command goes on from there; nothing is done twice. Exits 4 where it must wait,
    5 where a person must decide.

    \b
    keywright migrate apply --local
    keywright --env prod migrate apply --approved sha256:41c0... --ack 0008/10 --note release-51
    """
    started = time.monotonic()
    order = Order(
        to=to,
        approved=_hash_in(file) if file else approved,
        acknowledged=dict.fromkeys(gates, said or "acknowledged"),
        lock_seconds=lock_timeout,
        backfill=Settings(workers=workers),
    )
    made = apply(where(common, is_local), order, watcher(common))
    if format_ == "json":
        say(document("migrate-apply/1", body(made)), nl=False)
    else:
        _say(made, time.monotonic() - started)
    return 0


def _hash_in(file: str) -> str:
    try:
        return str(json.loads(Path(file).read_text(encoding="utf-8"))["hash"])
    except (ValueError, KeyError, TypeError):
        raise UsageError(f'"{file}" is no plan', "write one with `keywright migrate plan -o FILE`") from None


def _say(made: Plan, seconds: float) -> None:
    if not made.due:
        done = [counted(len(made.settings), "setting")] if made.settings else []
        done += [f"{one}, of which every step was done" for one in made.files]
        say(f"{click.style('applied', fg='green')} {', '.join(done)}" if done else "nothing was due")
        return
    versions = list(dict.fromkeys(one.version.folder for one in made.due))
    how = "made from nothing" if made.is_fresh else f"{counted(len(versions), 'version')}: {', '.join(versions)}"
    say(f"{click.style('applied', fg='green')} {how}; every store is as {versions[-1]} says ({seconds:.1f} s)")

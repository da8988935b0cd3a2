"""`keywright migrate resolve`: say what became of a step that a person had to decide about."""

import click

from keywright.api.locked import Order
from keywright.api.migrate import resolve
from keywright.cli.options import Command, Common, formats
from keywright.cli.say import say
from keywright.cli.values import OneOf
from keywright.report.document import document

from .where import local, watcher, where


@click.command(cls=Command)
@click.argument("step", metavar="STEP")
@local
@click.option("--as", "how", required=True, type=OneOf(("applied", "skip")), help="What it is.")
@click.option("--reason", required=True, metavar="TEXT", help="Why; kept in the history.")
@formats("text", "json")
@click.pass_obj
def command(common: Common, step: str, is_local: bool, how: str, reason: str, format_: str) -> int:
    """Record what became of a step, so that apply goes on behind it.

    `applied`: it was carried out by hand; refused unless the store shows it. `skip`: it is left out; only steps that
    say `optional: true`. To try it again, just run apply.

    \b
    keywright migrate resolve 0008/20 --as applied --reason "built by hand, ticket 812" --local
    """
    resolve(where(common, is_local), step, how, reason, Order(), watcher(common))
    if format_ == "json":
        say(document("migrate-resolve/1", {"step": step, "as": how}), nl=False)
    else:
        say(f"{step} is recorded as {how}; `keywright migrate apply` goes on from there")
    return 0

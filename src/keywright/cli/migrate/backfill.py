"""`keywright migrate backfill`: watch, steer and mend a backfill."""

from typing import Any

import click

from keywright.api.backfills import Standing
from keywright.api.locked import Order
from keywright.api.steer import Steering, steer
from keywright.cli.options import Command, Common, formats
from keywright.cli.say import counted, say
from keywright.errors import UsageError
from keywright.ir.json import Json, canonical
from keywright.report.document import document

from .where import local, watcher, where

FAILED = 5


@click.command(cls=Command)
@click.argument("step", metavar="STEP")
@local
@click.option("--join", is_flag=True, help="Work on it here too, beside the process that runs it.")
@click.option("--pause", is_flag=True, help="Let all workers wait.")
@click.option("--resume", is_flag=True, help="Let them go on.")
@click.option("--abort", is_flag=True, help="Let them stop; what is written stays.")
@click.option("--rate", type=float, metavar="N", help="Items a second for each process; 0 for as fast as it goes.")
@click.option("--retry-quarantine", is_flag=True, help="Try again what could not be transformed.")
@click.option("--restart", is_flag=True, help="Begin anew, also with another transform.")
@formats("text", "json")
@click.pass_obj
def command(common: Common, /, step: str, is_local: bool, format_: str, **options: Any) -> int:
    """Show how far a backfill is and what it could not transform; steer it while it runs.

    \b
    keywright migrate backfill 0008/20 --local
    keywright migrate backfill 0008/20 --local --rate 500
    keywright migrate backfill 0008/20 --local --retry-quarantine
    """
    if sum(bool(options[name]) for name in ("pause", "resume", "abort")) > 1:
        raise UsageError("--pause, --resume and --abort exclude each other", "say one of them")
    steering = Steering(**options)
    found = steer(where(common, is_local), step, steering, Order(), watcher(common))
    if format_ == "json":
        say(document("migrate-backfill/1", _json(step, found)), nl=False)
    else:
        _say(step, found)
    return FAILED if found and found.quarantine else 0


def _say(step: str, found: Standing | None) -> None:
    if found is None:
        say(f"{step} has not begun")
        return
    counts = found.counts
    say(f"{step}: {found.segments_done} of {counted(found.segments, 'segment')} done; {counts.read} read")
    say(
        f"  {counts.written} written, {counts.already_new} new already, {counts.unchanged} unchanged,"
        f" {counts.contended} contended, {counts.rejected} rejected"
    )
    for key, why in found.quarantine[:20]:
        say(f"  {canonical(key)}: {why}")
    if len(found.quarantine) > 20:
        say(f"  and {len(found.quarantine) - 20} more in quarantine")


def _json(step: str, found: Standing | None) -> dict[str, Json]:
    if found is None:
        return {"step": step, "begun": False}
    counts = found.counts
    poison: list[Json] = [{"key": key, "error": why} for key, why in found.quarantine]
    return {
        "step": step,
        "begun": True,
        "segments": found.segments,
        "segments_done": found.segments_done,
        "counts": {
            "read": counts.read,
            "written": counts.written,
            "already_new": counts.already_new,
            "unchanged": counts.unchanged,
            "contended": counts.contended,
            "rejected": counts.rejected,
        },
        "quarantine": poison,
    }

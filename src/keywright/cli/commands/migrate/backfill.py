"""`keywright migrate backfill`: show, control and repair a backfill."""

from typing import Any

import click

from keywright.api.migrate.backfill import BackfillProgress
from keywright.api.migrate.backfill_control import BackfillControl, control_backfill
from keywright.api.migrate.locks import ApplyOptions
from keywright.cli.options import Command, Common, formats
from keywright.cli.output import counted, print_line
from keywright.errors import UsageError
from keywright.ir.json import Json, canonical
from keywright.report.document import document

from ...store_options import local, selector_of, watcher

FAILED = 5


@click.command(cls=Command)
@click.argument("step", metavar="STEP")
@local
@click.option("--join", is_flag=True, help="Run it in this process too, in parallel with others.")
@click.option("--pause", is_flag=True, help="Pause all workers.")
@click.option("--resume", is_flag=True, help="Resume all workers.")
@click.option("--abort", is_flag=True, help="Stop all workers; written items remain.")
@click.option("--rate", type=float, metavar="N", help="Maximum items per second of each process; 0 for no limit.")
@click.option("--retry-quarantine", is_flag=True, help="Transform the items in quarantine again.")
@click.option("--restart", is_flag=True, help="Start again, even if the transform has changed.")
@formats("text", "json")
@click.pass_obj
def command(common: Common, /, step: str, is_local: bool, format_: str, **options: Any) -> int:
    """Show the progress and quarantine of a backfill; control it while it runs.

    \b
    keywright migrate backfill 0008/20 --local
    keywright migrate backfill 0008/20 --local --rate 500
    keywright migrate backfill 0008/20 --local --retry-quarantine
    """
    if sum(bool(options[name]) for name in ("pause", "resume", "abort")) > 1:
        raise UsageError("--pause, --resume and --abort exclude each other", "add only one of them")
    control = BackfillControl(**options)
    progress = control_backfill(selector_of(common, is_local), step, control, ApplyOptions(), watcher(common))
    if format_ == "json":
        print_line(document("migrate-backfill/1", _json(step, progress)), nl=False)
    else:
        _print_progress(step, progress)
    return FAILED if progress and progress.quarantine else 0


def _print_progress(step: str, progress: BackfillProgress | None) -> None:
    if progress is None:
        print_line(f"{step} has not started")
        return
    counts = progress.counts
    print_line(f"{step}: {progress.segments_done} of {counted(progress.segments, 'segment')} done; {counts.read} read")
    print_line(
        f"  {counts.written} written, {counts.already_new} already new, {counts.unchanged} unchanged,"
        f" {counts.contended} contended, {counts.rejected} rejected"
    )
    for key, reason in progress.quarantine[:20]:
        print_line(f"  {canonical(key)}: {reason}")
    if len(progress.quarantine) > 20:
        print_line(f"  and {len(progress.quarantine) - 20} more in quarantine")


def _json(step: str, progress: BackfillProgress | None) -> dict[str, Json]:
    if progress is None:
        return {"step": step, "begun": False}
    counts = progress.counts
    quarantine: list[Json] = [{"key": key, "error": reason} for key, reason in progress.quarantine]
    return {
        "step": step,
        "begun": True,
        "segments": progress.segments,
        "segments_done": progress.segments_done,
        "counts": {
            "read": counts.read,
            "written": counts.written,
            "already_new": counts.already_new,
            "unchanged": counts.unchanged,
            "contended": counts.contended,
            "rejected": counts.rejected,
        },
        "quarantine": quarantine,
    }

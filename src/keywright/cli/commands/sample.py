"""`keywright sample`: print or load sample data for the models."""

import json
import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import click

from keywright import api
from keywright.errors import UsageError
from keywright.sample import generate, to_json

if TYPE_CHECKING:
    from keywright.api.local.load import LoadProgress

from ..options import Command, Common
from ..output import counted, note, print_line, progress, table
from ..values import WholeNumber


@click.command(cls=Command)
@click.option(
    "--scale", default=100, show_default=True, type=WholeNumber(1), help="Number of items of the largest entity."
)
@click.option("--seed", default=0, show_default=True, type=WholeNumber(), help="The same seed gives the same data.")
@click.option("--load", is_flag=True, help="Write the data to the stores instead of printing it.")
@click.option("--local", "is_local", is_flag=True, help="With --load: use the servers of `keywright local`.")
@click.pass_obj
def command(common: Common, scale: int, seed: int, load: bool, is_local: bool) -> int:
    """Generate sample data for the models: types, bounds, regular expressions, distinct values, references.

    \b
    keywright sample --scale 10 | head
    keywright sample --load --local --scale 1000
    """
    if load != is_local:
        raise UsageError("--load and --local require each other", "data can be loaded only into local servers")
    project = api.load(common.project)
    samples = generate(project.design, seed=seed, scale=scale, now=datetime.now(UTC))
    if not load:
        for sample in samples:
            click.echo(json.dumps({"entity": sample.entity, "value": to_json(sample.value)}, ensure_ascii=False))
        return 0
    from keywright.api.local.load import load_local

    started = time.monotonic()
    is_quiet = common.verbosity < 0

    def notify(done: "LoadProgress") -> None:
        if not is_quiet:
            place = f"{done.entity}, entity {done.entities} of {done.total_entities}"
            progress(f"{place}: {counted(done.items, 'item')} in {time.monotonic() - started:.0f} s")

    loaded = load_local(project, api.compile(project, common.env), samples, tell=notify)
    progress("")
    if common.verbosity >= 0:
        rows = [
            (loaded_object.store, loaded_object.object, str(loaded_object.items), "items")
            for loaded_object in loaded.objects
        ]
        for line in table(rows, indent=""):
            print_line(line)
        items = counted(sum(loaded_object.items for loaded_object in loaded.objects), "item")
        entities = counted(loaded.entities, "entity", "entities")
        print_line(f"{items} of {entities} in {time.monotonic() - started:.1f} s")
        for name in loaded.skipped:
            note(f"skipped {name}: its server is not running")
    return 0

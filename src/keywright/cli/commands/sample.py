"""`keywright sample`: data that fits the models, printed or loaded."""

import json
import time
from datetime import UTC, datetime

import click

from keywright import api
from keywright.errors import UsageError
from keywright.sample import generate, to_json

from .options import Command, Common
from .say import counted, note, progress, say, table
from .values import Whole


@click.command(cls=Command)
@click.option("--scale", default=100, show_default=True, type=Whole(1), help="Items of the largest entity.")
@click.option("--seed", default=0, show_default=True, type=Whole(), help="The same seed gives the same data.")
@click.option("--load", is_flag=True, help="Write it to the stores in place of printing it.")
@click.option("--local", "is_local", is_flag=True, help="With --load: to the servers of `keywright local`.")
@click.pass_obj
def command(common: Common, scale: int, seed: int, load: bool, is_local: bool) -> int:
    """Generate data that fits the models: types, bounds, patterns, distinct values, references.

    \b
    keywright sample --scale 10 | head
    keywright sample --load --local --scale 1000
    """
    if load != is_local:
        raise UsageError("--load and --local go together", "data is written to local servers only")
    project = api.load(common.project)
    samples = generate(project.design, seed=seed, scale=scale, now=datetime.now(UTC))
    if not load:
        for sample in samples:
            click.echo(json.dumps({"entity": sample.entity, "value": to_json(sample.value)}, ensure_ascii=False))
        return 0
    from keywright.api.data import load_local

    started = time.monotonic()
    is_quiet = common.verbosity < 0

    def tell(items: int) -> None:
        if not is_quiet:
            progress(f"{counted(items, 'item')} in {time.monotonic() - started:.0f} s")

    loaded = load_local(project, api.compile(project, common.env), samples, tell=tell)
    progress("")
    if common.verbosity >= 0:
        rows = [(one.store, one.object, str(one.items), "items") for one in loaded.objects]
        for line in table(rows, indent=""):
            say(line)
        items = counted(sum(one.items for one in loaded.objects), "item")
        entities = counted(loaded.entities, "entity", "entities")
        say(f"{items} of {entities} in {time.monotonic() - started:.1f} s")
        for name in loaded.skipped:
            note(f"skipped {name}: its server does not run")
    return 0

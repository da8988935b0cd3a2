"""GEN007: a copied field has no declared source, or no way by which it follows it."""

from collections.abc import Iterator

from keywright.engines.flaws.context import Flaw, Whole
from keywright.engines.flaws.copies import Copy, copies
from keywright.engines.flaws.observation import Seen
from keywright.ir.binding import Binding


def models(whole: Whole) -> Iterator[Flaw]:
    """Every such field; one that is a copy by its name alone is a warning at the most."""
    for one in copies(whole.design):
        binding = next((two for two in whole.design.bindings if two.entity is one.entity), None)
        if binding is None:
            continue
        if one.declared is None:
            yield _undeclared(binding, one)
        elif one.declared.sync == "stream" and not _has_stream(whole, one.source):
            yield Flaw(
                problem=f'"{one.path}" follows "{one.source}.{one.attribute}" by a stream, and no store of '
                f'"{one.source}" declares one',
                help="add stream=kw.Stream(consumers=[kw.Consumer(...)]) there, or say how else it follows, by sync=",
                subject=binding.name,
                field=one.path.partition(".")[0],
            )


def live(seen: Seen) -> Iterator[Flaw]:
    """Every copy that is to follow its source, and has not in some sampled item."""
    for binding, items in seen.items():
        for path, (stale, compared) in items.stale.items():
            if stale:
                yield Flaw(
                    problem=f'"{path}" is not what it is copied from in {stale:,} of {compared:,} items compared, '
                    f"{items.sample}",
                    help="see what carries changes there: a consumer that has stopped, or a writer that leaves it out",
                    subject=binding.name,
                    field=path.partition(".")[0],
                    severity="warning",  # a change of this moment may be on its way
                )


def _undeclared(binding: Binding, copy: Copy) -> Flaw:
    fact = f'kw.CopiedFrom({copy.source}, "{copy.attribute}", sync="never")'
    return Flaw(
        problem=f'"{copy.path}" is "{copy.source}.{copy.attribute}" by its name, and nothing says how it follows that',
        help=f'declare it: {fact} keeps the value of the moment; "stream", "transaction" and "job" follow',
        subject=binding.name,
        field=copy.path.partition(".")[0],
        severity="warning",
    )


def _has_stream(whole: Whole, source: str) -> bool:
    bindings = (one for one in whole.design.bindings if one.entity.name == source)
    return any(getattr(spec, "stream", None) for one in bindings for spec in (one.spec, one.physical.spec))

"""What a client library raises, as the one exception that the rest of keywright knows."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import ParamSpec, TypeVar

from keywright.engines.interface import Driver, StatementFailed
from keywright.engines.ledger import Ledger
from keywright.engines.observer import Observer, Taken, Works
from keywright.engines.pages import Pages, Work

P = ParamSpec("P")
R = TypeVar("R")

Failures = tuple[type[Exception], ...]


def told(driver: Driver, failures: Failures, words: Callable[[Exception], str]) -> Driver:
    """The same driver, whose functions raise StatementFailed in place of the client's exceptions.

    words: what to say of one of them, in a few words.
    """

    def telling(call: Callable[P, R]) -> Callable[P, R]:
        def called(*args: P.args, **kwargs: P.kwargs) -> R:
            try:
                return call(*args, **kwargs)
            except failures as error:
                raise StatementFailed(words(error)) from error

        return called

    def ledger(home: str, store: str) -> Ledger:
        made = telling(driver.ledger)(home, store)
        return replace(
            made,
            prepare=telling(made.prepare),
            lock=telling(made.lock),
            swap=telling(made.swap),
            rows=telling(made.rows),
            put=telling(made.put),
            replace=telling(made.replace),
        )

    def pages(work: Work) -> Pages:
        made = telling(driver.pages)(work)
        return replace(
            made,
            split=telling(made.split),
            page=telling(made.page),
            find=telling(made.find),
            write=telling(made.write),
            server_side=made.server_side and telling(made.server_side),
            estimate=telling(made.estimate),
            put=telling(made.put),
            remove=telling(made.remove),
        )

    def observer() -> Observer:
        assert driver.observer is not None
        made = telling(driver.observer)()

        def sample(name: str, works: Works, limit: int) -> Iterator[tuple[Taken, ...]]:
            pages = made.sample(name, works, limit)
            following = telling(lambda: next(pages, None))
            while (page := following()) is not None:
                yield page

        return replace(
            made,
            sample=sample,
            count=telling(made.count),
            table=telling(made.table),
            ways=telling(made.ways),
            figures=telling(made.figures),
            absent=made.absent and telling(made.absent),
            values=made.values and telling(made.values),
            watch=made.watch and telling(made.watch),
        )

    return replace(
        driver,
        introspect=telling(driver.introspect),
        names=telling(driver.names),
        run=telling(driver.run),
        load=telling(driver.load),
        stored=telling(driver.stored),
        observe=telling(driver.observe),
        ledger=ledger,
        pages=pages,
        observer=driver.observer and observer,
        uses=driver.uses and telling(driver.uses),
        size=telling(driver.size),
        misfits=driver.misfits and telling(driver.misfits),
        drop=telling(driver.drop),
    )

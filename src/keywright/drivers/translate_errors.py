"""Translates the exceptions of client libraries, and their absence, into the errors of drivers."""

from collections.abc import Callable, Iterator
from typing import ParamSpec, TypeVar

from keywright.engines.contract.ledger import Ledger
from keywright.engines.contract.observer import Observer
from keywright.engines.contract.pages import Marks, Pages, Work
from keywright.engines.interface import Driver, StatementFailed
from keywright.errors import Unavailable
from keywright.record import replace

P = ParamSpec("P")
R = TypeVar("R")
Page = TypeVar("Page")

Failures = tuple[type[Exception], ...]


def translate_errors(
    driver: Driver,
    failures: Failures,
    failure_of: Callable[[Exception], StatementFailed],
) -> Driver:
    """The driver with functions that raise StatementFailed instead of the client's exceptions.

    failure_of: returns the error that replaces an exception.
    """

    def translated(call: Callable[P, R]) -> Callable[P, R]:
        def called(*args: P.args, **kwargs: P.kwargs) -> R:
            try:
                return call(*args, **kwargs)
            except failures as error:
                raise failure_of(error) from error

        return called

    def ledger(home: str, store: str) -> Ledger:
        ledger_of_driver = translated(driver.ledger)(home, store)
        return replace(
            ledger_of_driver,
            prepare=translated(ledger_of_driver.prepare),
            lock=translated(ledger_of_driver.lock),
            swap=translated(ledger_of_driver.swap),
            rows=translated(ledger_of_driver.rows),
            row=translated(ledger_of_driver.row),
            put=translated(ledger_of_driver.put),
            replace=translated(ledger_of_driver.replace),
            now=translated(ledger_of_driver.now),
        )

    def pages(work: Work) -> Pages:
        pages_of_driver = translated(driver.pages)(work)
        return replace(
            pages_of_driver,
            split=translated(pages_of_driver.split),
            page=translated(pages_of_driver.page),
            find=translated(pages_of_driver.find),
            write=translated(pages_of_driver.write),
            marks=Marks(
                admit=translated(pages_of_driver.marks.admit),
                clear=translated(pages_of_driver.marks.clear),
                dismiss=translated(pages_of_driver.marks.dismiss),
            ),
            server_side=pages_of_driver.server_side and translated(pages_of_driver.server_side),
            estimate=translated(pages_of_driver.estimate),
            put=translated(pages_of_driver.put),
            remove=translated(pages_of_driver.remove),
        )

    def observer() -> Observer:
        assert driver.observer is not None
        observer_of_driver = translated(driver.observer)()

        def paged(pages: Iterator[Page]) -> Iterator[Page]:
            following = translated(lambda: next(pages, None))
            while (page := following()) is not None:
                yield page

        survey = observer_of_driver.survey
        return replace(
            observer_of_driver,
            sample=lambda name, works, limit: paged(observer_of_driver.sample(name, works, limit)),
            survey=survey and (lambda name, limit, is_over: paged(survey(name, limit, is_over))),
            count=translated(observer_of_driver.count),
            table=translated(observer_of_driver.table),
            indexes=translated(observer_of_driver.indexes),
            figures=translated(observer_of_driver.figures),
            absent=observer_of_driver.absent and translated(observer_of_driver.absent),
            values=observer_of_driver.values and translated(observer_of_driver.values),
            watch=observer_of_driver.watch and translated(observer_of_driver.watch),
        )

    return replace(
        driver,
        introspect=translated(driver.introspect),
        names=translated(driver.names),
        run=translated(driver.run),
        load=translated(driver.load),
        stored=translated(driver.stored),
        observe=translated(driver.observe),
        ledger=ledger,
        pages=pages,
        observer=driver.observer and observer,
        uses=driver.uses and translated(driver.uses),
        size=translated(driver.size),
        counted=driver.counted and translated(driver.counted),
        dead_letters=driver.dead_letters and translated(driver.dead_letters),
        misfits=driver.misfits and translated(driver.misfits),
        drop=translated(driver.drop),
    )


def not_installed(extra: str) -> Unavailable:
    """The error of a driver without its client library, with the extra to install."""
    return Unavailable(f'the extra "{extra}" is not installed', f'pip install "keywright[{extra}]"')

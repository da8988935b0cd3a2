"""What a client library raises, told by the drivers in one way; no server answers here."""

from collections.abc import Callable

import pytest
from pymongo.errors import BulkWriteError, OperationFailure, ServerSelectionTimeoutError

from keywright.drivers.dynamodb import driver as dynamodb
from keywright.drivers.mongodb import driver as mongodb
from keywright.drivers.redis import driver as redis
from keywright.drivers.translate_errors import translate_errors
from keywright.engines.contract.ledger import UNHELD, Ledger
from keywright.engines.contract.pages import Pages, Work
from keywright.engines.contract.plan import Statement
from keywright.engines.interface import Driver, StatementFailed
from keywright.record import replace

WORK = Work(object="target", reads=(), writes=())
STEP = Statement("store", "target", (), "create it", {}, {})
NOBODY = "127.0.0.1:1"
"""An address at which nothing listens."""


class Refused(Exception):
    """What a client raises."""


def refuse(*args: object) -> None:
    raise Refused("no")


CALLS: dict[str, Callable[[Driver], object]] = {
    "introspect": lambda driver: driver.introspect(["target"]),
    "names": lambda driver: driver.names(),
    "run": lambda driver: driver.run(STEP),
    "load": lambda driver: driver.load("target", []),
    "stored": lambda driver: driver.stored("target", {}),
    "observe": lambda driver: driver.observe(),
    "ledger": lambda driver: driver.ledger("home", "store"),
    "pages": lambda driver: driver.pages(WORK),
    "drop": lambda driver: driver.drop(["target"]),
    "size": lambda driver: driver.size("target"),
    "dead_letters": lambda driver: driver.dead_letters and driver.dead_letters(),
    "misfits": lambda driver: driver.misfits and driver.misfits("target", {}, None, 1),
}
LEDGER_CALLS: dict[str, Callable[[Ledger], object]] = {
    "prepare": lambda ledger: ledger.prepare(),
    "lock": lambda ledger: ledger.lock(),
    "swap": lambda ledger: ledger.swap(UNHELD, UNHELD),
    "rows": lambda ledger: ledger.rows(""),
    "row": lambda ledger: ledger.row("key"),
    "put": lambda ledger: ledger.put("key", {}, 1),
    "replace": lambda ledger: ledger.replace("key", None, {}, 0),
    "now": lambda ledger: ledger.now(),
}
REFUSING = Driver(**dict.fromkeys((*CALLS, "close"), refuse))  # type: ignore[arg-type]


@pytest.mark.parametrize("call", CALLS)
def test_every_function_fails_with_the_words_of_the_server(call: str) -> None:
    driver = translate_errors(REFUSING, (Refused,), lambda error: StatementFailed(f"it says {error}"))
    with pytest.raises(StatementFailed, match=r"^it says no$") as failure:
        CALLS[call](driver)
    assert isinstance(failure.value.__cause__, Refused)


@pytest.mark.parametrize("call", LEDGER_CALLS)
def test_every_function_of_a_ledger_fails_with_the_words_of_the_server(call: str) -> None:
    functions = dict.fromkeys(LEDGER_CALLS, refuse)
    refusing = replace(REFUSING, ledger=lambda home, store: Ledger(place=home, **functions))  # type: ignore[arg-type]
    ledger = translate_errors(refusing, (Refused,), StatementFailed).ledger("home", "store")
    assert ledger.place == "home"
    with pytest.raises(StatementFailed, match=r"^no$"):
        LEDGER_CALLS[call](ledger)


PAGES_CALLS: dict[str, Callable[[Pages], object]] = {
    "split": lambda pages: pages.split(1),
    "page": lambda pages: pages.page(None, None, 1),
    "find": lambda pages: pages.find([]),
    "write": lambda pages: pages.write([]),
    "server_side": lambda pages: pages.server_side and pages.server_side(None, None, 1),
    "estimate": lambda pages: pages.estimate(),
    "put": lambda pages: pages.put({}),
    "remove": lambda pages: pages.remove(None),
}


@pytest.mark.parametrize("call", PAGES_CALLS)
def test_every_function_of_pages_fails_with_the_words_of_the_server(call: str) -> None:
    functions = dict.fromkeys((*PAGES_CALLS, "form"), refuse)
    refusing = replace(REFUSING, pages=lambda work: Pages(**functions))  # type: ignore[arg-type]
    pages = translate_errors(refusing, (Refused,), StatementFailed).pages(WORK)
    with pytest.raises(StatementFailed, match=r"^no$"):
        PAGES_CALLS[call](pages)


def test_what_is_no_failure_of_the_server_stays_what_it_is() -> None:
    driver = translate_errors(replace(REFUSING, names=lambda: 1 / 0), (Refused,), StatementFailed)  # type: ignore[arg-type,return-value]
    with pytest.raises(ZeroDivisionError):
        driver.names()


@pytest.mark.parametrize("call", ["introspect", "names"])
def test_a_dynamodb_that_does_not_answer_could_not_be_reached(call: str) -> None:
    driver = dynamodb.connect(f"http://{NOBODY}")
    with pytest.raises(StatementFailed, match=r"^could not reach it: "):
        CALLS[call](driver)
    driver.close()


def test_a_redis_that_does_not_answer_could_not_be_reached() -> None:
    driver = redis.connect(f"redis://{NOBODY}")
    with pytest.raises(StatementFailed, match=r"^could not reach it: "):
        CALLS["introspect"](driver)
    driver.close()


MONGODB_WORDS = {
    "could not reach it: 127.0.0.1:1: timed out": ServerSelectionTimeoutError(
        "127.0.0.1:1: timed out (configured timeouts: connectTimeoutMS: 10000.0ms), Timeout: 10.0s, Topology ..."
    ),
    "unknown field": OperationFailure("unknown field, full error: {...}", 40415, {"errmsg": "unknown field"}),
    "Document failed validation": BulkWriteError(
        {"writeErrors": [{"errmsg": "Document failed validation"}, {"errmsg": "another"}], "writeConcernErrors": []}
    ),
}


@pytest.mark.parametrize("words", MONGODB_WORDS)
def test_mongodb_is_quoted_without_the_rest_of_its_answer(words: str) -> None:
    assert str(mongodb._failure(MONGODB_WORDS[words])) == words

"""The servers of one project: up, down, status, running; the interface for the rest of keywright."""

from collections.abc import Collection, Generator, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from keywright.errors import Unavailable
from keywright.local import environment, record
from keywright.local.environment import url_variable, without_secrets
from keywright.local.event import ServerEvent, Tell, one_at_a_time
from keywright.local.instance import Running, WantedServer, folder_of, from_record
from keywright.local.lock import file_lock
from keywright.local.recipes.table import RECIPES, recipe_of
from keywright.local.server_program import FoundServer, UnavailableServer
from keywright.local.several import Answer, start_all, stop
from keywright.local.start import locate

OWN = "own"
"""A file that marks a folder whose servers no variable replaces."""

WAIT_SECONDS = 10
"""Time that a second `up` or `down` of the same project waits for the first."""


def up(
    folder: Path,
    instances: Sequence[WantedServer],
    *,
    required: Collection[str] = (),
    tell: Tell,
    wait_seconds: float = WAIT_SECONDS,
    is_own: bool = False,
    products: Mapping[str, str] | None = None,
) -> tuple[Running | UnavailableServer, ...]:
    """Ensure that these servers run: running servers are unchanged, the others are started with empty data.

    folder: `.keywright/local` of the project.
    required: engines that may not be missing.
    tell: called with each event, by one thread at a time.
    products: the product of an engine's servers, by engine, where the usual one lacks what the models use. A running
    server of another product is replaced.
    is_own: start servers even if variables contain addresses, now and for all later calls with this folder.
    Returns one result per instance, in order. Raises UsageError for invalid variables; Unavailable if a required
    engine is missing or a server does not start, after the others were started; Blocked while another command works on
    the same servers.
    """
    folder, tell, products = folder.absolute(), one_at_a_time(tell), products or {}
    if is_own:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / OWN).touch()
    urls = {instance: _replacement_url(folder, instance.engine) for instance in instances}
    answers: dict[WantedServer, Answer] = {
        instance: _replacement_server(instance, url) for instance, url in urls.items() if url is not None
    }
    with _locked(folder, tell, wait_seconds):
        answers |= {
            server: own_server
            for server in urls
            if server not in answers and (own_server := _own_server(folder, server, products.get(server.engine, "")))
        }
        absent = tuple(instance for instance in urls if instance not in answers)
        if absent:
            answers |= start_all(folder, absent, tell, products)
    _raise_failures(answers, required)
    return tuple(answer for server in instances if not isinstance(answer := answers[server], Unavailable))


def down(
    folder: Path, engines: Collection[str] = (), *, tell: Tell, wait_seconds: float = WAIT_SECONDS
) -> tuple[Running, ...]:
    """Stop the servers that `up` started in this folder and no others: all, or only these engines.

    Returns the stopped servers. Raises Blocked while another command works on the same servers.
    """
    chosen = {recipe_of(engine).engine for engine in engines or RECIPES}
    folder, tell = folder.absolute(), one_at_a_time(tell)
    if not folder.is_dir():
        return ()
    with _locked(folder, tell, wait_seconds):
        own = [place for place, entry in record.alive(folder) if entry.engine in chosen]
        with ThreadPoolExecutor(max(1, len(own))) as pool:
            stopping = [pool.submit(stop, place, tell) for place in own]  # `map` would cancel the rest after a failure
    return tuple(server for future in stopping if (server := future.result()))


def status(
    folder: Path, instances: Sequence[WantedServer], products: Mapping[str, str] | None = None
) -> tuple[Running | FoundServer | UnavailableServer, ...]:
    """For each instance: the running server, else a server that can start without a fetch, else the missing part."""
    return tuple(
        _status(folder.absolute(), instance, (products or {}).get(instance.engine, "")) for instance in instances
    )


def running(folder: Path, instances: Iterable[WantedServer] = ()) -> tuple[Running, ...]:
    """The running servers of this folder, without engines whose variable names another server.

    instances: servers to check at the addresses in variables as well; one that does not respond is left out.
    """
    folder = folder.absolute()
    started = (from_record(entry) for _, entry in record.alive(folder) if entry.is_ready)
    own = tuple(server for server in started if not _replacement_url(folder, server.instance.engine))
    urls = ((instance, _replacement_url(folder, instance.engine)) for instance in instances)
    replacements = (_replacement_server(instance, url) for instance, url in urls if url)
    return (*own, *(answer for answer in replacements if isinstance(answer, Running)))


def log_path(folder: Path, instance: WantedServer) -> Path:
    """The log file of a server; it stays after `down`, until the next `up`."""
    return folder_of(folder.absolute(), instance) / "log"


@contextmanager
def _locked(folder: Path, tell: Tell, wait_seconds: float) -> Generator[None, None, None]:
    subject = "the local servers of this project"

    def waiting(text: str) -> None:
        tell(ServerEvent("", "", "wait", text))

    with file_lock(folder / "lock", subject, wait_seconds=wait_seconds, waiting=waiting):
        yield


def _replacement_url(folder: Path, engine: str) -> str | None:
    """The address in a variable that replaces a server of this folder; None if there is none."""
    return None if (folder / OWN).exists() else environment.replacement(recipe_of(engine).engine)


def _replacement_server(instance: WantedServer, url: str) -> Running | Unavailable:
    """The server at an address in a variable, which is never started or stopped, or the reason why it is unusable."""
    variable = url_variable(instance.engine)
    try:
        driver = recipe_of(instance.engine).driver()
    except Unavailable as absent:
        return absent
    if not driver.is_ready(url):
        return Unavailable(
            f'"{variable}" names "{without_secrets(url)}", which does not respond', f"start it or unset {variable}"
        )
    try:
        port = urlsplit(url).port
    except ValueError:  # several hosts, each with a port
        port = None
    return Running(instance, None, port, url, f"${variable}", driver.version(url))


def _own_server(folder: Path, instance: WantedServer, product: str) -> Running | None:
    """The running server; None if there is none, or if it is not of the product."""
    entry = record.read(folder_of(folder, instance))
    is_wanted = entry is not None and entry.is_ready and product in ("", entry.product)
    return from_record(entry) if entry and is_wanted else None


def _status(folder: Path, instance: WantedServer, product: str) -> Running | FoundServer | UnavailableServer:
    if url := _replacement_url(folder, instance.engine):
        answer = _replacement_server(instance, url)
        return UnavailableServer(answer.problem, answer.help) if isinstance(answer, Unavailable) else answer
    if own_server := _own_server(folder, instance, product):
        return own_server
    return locate(recipe_of(instance.engine).of(product), environment.cache_folder())


def _raise_failures(answers: Mapping[WantedServer, Answer], required: Collection[str]) -> None:
    """Raise one error for all servers that should run and do not."""
    failures = [answer for answer in answers.values() if isinstance(answer, Unavailable)]
    failures += [
        Unavailable(f'no server for "{instance}", which is required: {answer.reason}', answer.help)
        for instance, answer in answers.items()
        if isinstance(answer, UnavailableServer) and instance.engine in required
    ]
    if failures:
        helps = dict.fromkeys(failure.help for failure in failures)
        raise Unavailable("\n".join(failure.problem for failure in failures), "\n".join(helps))

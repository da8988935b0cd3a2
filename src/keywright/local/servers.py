"""The servers of one project: up, down, status, running; the whole of what the rest of keywright calls."""

from collections.abc import Collection, Generator, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from keywright.errors import Unavailable
from keywright.local import environment, record, replaced
from keywright.local.event import Event, Tell, one_at_a_time
from keywright.local.instance import Instance, Running, folder_of, from_record
from keywright.local.lock import held
from keywright.local.recipe import Found, Missing
from keywright.local.recipes import RECIPES, recipe_of
from keywright.local.several import Answer, start_all, stop
from keywright.local.start import locate

WAIT_SECONDS = 10
"""How long a second `up` or `down` of the same project waits for the first."""


def up(
    folder: Path,
    instances: Sequence[Instance],
    *,
    required: Collection[str] = (),
    tell: Tell,
    wait_seconds: float = WAIT_SECONDS,
) -> tuple[Running | Missing, ...]:
    """Have these servers run: those that do are left alone, the others are started with empty data.

    folder: `.keywright/local` of the project.
    required: engines that may not be missing.
    tell: told what happens, by one thread at a time.
    Returns one answer per instance, in their order. Raises UsageError for unfit variables; Unavailable when a required
    engine is missing or a server doesn't start, after the others were started; Blocked while another command works on
    the same servers.
    """
    urls = {instance: _named(instance.engine) for instance in instances}
    folder, tell = folder.absolute(), one_at_a_time(tell)
    answers: dict[Instance, Answer] = {
        instance: replaced.ask(instance, url) for instance, url in urls.items() if url is not None
    }
    with _locked(folder, tell, wait_seconds):
        answers |= {one: ours for one in urls if one not in answers and (ours := _ours(folder, one))}
        absent = tuple(instance for instance in urls if instance not in answers)
        if absent:
            answers |= start_all(folder, absent, tell)
    _raise_failures(answers, required)
    return tuple(answer for one in instances if not isinstance(answer := answers[one], Unavailable))


def down(
    folder: Path, engines: Collection[str] = (), *, tell: Tell, wait_seconds: float = WAIT_SECONDS
) -> tuple[Running, ...]:
    """Stop what `up` started in this folder and nothing else: all of it, or only these engines.

    Returns what was stopped. Raises Blocked while another command works on the same servers.
    """
    chosen = {recipe_of(engine).engine for engine in engines or RECIPES}
    folder, tell = folder.absolute(), one_at_a_time(tell)
    if not folder.is_dir():
        return ()
    with _locked(folder, tell, wait_seconds):
        own = [place for place, entry in record.alive(folder) if entry.engine in chosen]
        with ThreadPoolExecutor(max(1, len(own))) as pool:
            stopped = tuple(pool.map(lambda place: stop(place, tell), own))
    return tuple(one for one in stopped if one)


def status(folder: Path, instances: Sequence[Instance]) -> tuple[Running | Found | Missing, ...]:
    """For each instance: what runs, else what could be started without fetching, else what is missing."""
    return tuple(_status(folder.absolute(), instance) for instance in instances)


def running(folder: Path, instances: Iterable[Instance] = ()) -> tuple[Running, ...]:
    """The servers that this folder runs, without those of engines whose variable names another.

    instances: servers that are also looked for behind the variables; one that doesn't answer is left out.
    """
    own = (from_record(entry) for _, entry in record.alive(folder.absolute()) if entry.is_ready)
    ours = tuple(one for one in own if not environment.replacement(one.instance.engine))
    theirs = (replaced.ask(one, url) for one in instances if (url := _named(one.engine)))
    return (*ours, *(answer for answer in theirs if isinstance(answer, Running)))


def log_path(folder: Path, instance: Instance) -> Path:
    """The file that a server writes its log to; it stays after `down`, until the next `up`."""
    return folder_of(folder.absolute(), instance) / "log"


@contextmanager
def _locked(folder: Path, tell: Tell, wait_seconds: float) -> Generator[None, None, None]:
    subject = "the local servers of this project"

    def waiting(text: str) -> None:
        tell(Event("", "", "wait", text))

    with held(folder / "lock", subject, wait_seconds=wait_seconds, waiting=waiting):
        yield


def _named(engine: str) -> str | None:
    return environment.replacement(recipe_of(engine).engine)


def _ours(folder: Path, instance: Instance) -> Running | None:
    entry = record.read(folder_of(folder, instance))
    return from_record(entry) if entry and entry.is_ready else None


def _status(folder: Path, instance: Instance) -> Running | Found | Missing:
    if url := _named(instance.engine):
        answer = replaced.ask(instance, url)
        return Missing(answer.problem, answer.help) if isinstance(answer, Unavailable) else answer
    if ours := _ours(folder, instance):
        return ours
    return locate(recipe_of(instance.engine), environment.cache_folder())


def _raise_failures(answers: Mapping[Instance, Answer], required: Collection[str]) -> None:
    """One error for all servers that should run and don't."""
    failures = [answer for answer in answers.values() if isinstance(answer, Unavailable)]
    failures += [
        Unavailable(f'no server for "{instance}", which is required: {answer.reason}', answer.help)
        for instance, answer in answers.items()
        if isinstance(answer, Missing) and instance.engine in required
    ]
    if failures:
        helps = dict.fromkeys(failure.help for failure in failures)
        raise Unavailable("\n".join(failure.problem for failure in failures), "\n".join(helps))

"""Sources of adopted objects: live stores by address, and schema files."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeAlias

from keywright.engines.contract.adoption import Adopted, Adoption, NotExpressed, Sample, Schema
from keywright.engines.contract.observer import LiveIndex, Observer, SurveyPage
from keywright.engines.environment import EngineEnvironment
from keywright.engines.interface import Driver, Engine, StatementFailed
from keywright.engines.registry import NAMES, adoption_of, engine_named, module_of
from keywright.errors import Unavailable, UsageError
from keywright.ir.binding import Binding
from keywright.ir.design import Design
from keywright.ir.json import Json
from keywright.migrations.backfill.throttle import Clock, Throttle
from keywright.project.environments.environment import Environment
from keywright.project.template_yaml import json_of_yaml
from keywright.record import Record, replace

from ..live.local_servers import answering
from .patterns import with_patterns
from .server_names import ServerNames

Rates: TypeAlias = Mapping[str, Mapping[tuple[str, str], str]]
"""Measured rates by table; see `Sample.rates`."""

SAMPLED = 1000
"""Items of each table or collection that give types."""

ITEMS_PER_SECOND = 2000
"""Most items that are read in a second."""

SURVEY_SECONDS = 300
"""Time after which no further names of keys are read."""


TEMPLATE = 4 * 1024 * 1024
"""Most characters of a YAML file, which is read slowly; CloudFormation accepts templates of 1 MB.
Source: https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/cloudformation-limits.html, 2026-11-28."""

_PROGRAMS = (".js", ".mjs", ".cjs", ".ts", ".py", ".tf", ".java", ".go", ".rb")
"""Suffixes of programs, such as models of ElectroDB, that would have to run to give a schema."""


class AdoptedTarget(Record):
    """Declarations for one target."""

    engine: str
    """Name of the engine."""
    doc: str
    """Docstring of its file, without its name."""
    name: str
    """Declared name of the target."""
    adopted: Adopted
    """The declarations."""
    settings: Mapping[str, Json]
    """The engine's settings in the stack file of a new project."""
    names: tuple[str, ...]
    """Declared names of the target: several if the project calls one server by several."""
    is_same: Callable[[Binding, Binding], bool]
    """See `Adoption.is_same`."""
    within: Callable[[Binding, Any], Binding]
    """See `Adoption.within`."""
    unread: tuple[NotExpressed, ...] = ()
    """Statements of its schema files that could not be read, by file and line."""


class SchemaFiles(Record):
    """Schema files as targets."""

    targets: tuple[AdoptedTarget, ...]
    """Declarations for each target."""
    not_expressed: tuple[NotExpressed, ...] = ()
    """Statements that could not be read, by file and line."""
    unread: tuple[str, ...] = ()
    """Files that are no schemas."""


def from_address(
    address: str, environment: Environment, names: ServerNames | None = None, rates: Rates = MappingProxyType({})
) -> Iterator[AdoptedTarget]:
    """Declarations for everything in the stores at an address, which is only read.

    names: names of servers that have none of their own. rates: measured rates by physical table.

    UsageError for an address of no engine; Unavailable if the
    server does not answer.
    """
    engine = _engine_at(address)
    adoption = adoption_of(engine.name)
    if adoption is None:
        raise UsageError(f"{engine.title} cannot be adopted yet", "declare its models by hand")
    try:
        module = module_of(engine.name, "driver")
        driver = module.connect(address)
    except StatementFailed as failure:
        raise Unavailable(f"{engine.title}: {failure}", "check that it runs, and the address") from failure
    with closing(driver), answering(engine.title):
        version = module.version(address)
        part = _part(engine, environment, version if adoption.has_version_defaults else "")
        for name in sorted(driver.names()):
            if adoption.history and name.endswith(adoption.history):
                continue  # of this environment or another one
            description = driver.introspect([name])[name]
            if description is not None:
                settings = adoption.settings(address, version, description)
                own_names = (names or ServerNames(Design())).of(engine, adoption.name, address) if adoption.name else ()
                description = {**description, "name": own_names[0]} if own_names else description
                adopted = _adopted(engine, adoption, description, part, driver, settings, rates.get(name, {}))
                yield replace(adopted, names=own_names or adopted.names)


def from_files(paths: Mapping[str, str], environment: Environment, rates: Rates = MappingProxyType({})) -> SchemaFiles:
    """Declarations for the targets in schema files, which are read in the order of their names.

    paths: contents by path. rates: measured rates by table.

    UsageError if no file is a schema; other files are listed as not expressed.
    """
    read = _read(paths, environment, rates)
    short = [path for path in read.unread if len(paths[path]) <= TEMPLATE]
    converted = {path: text for path in short if (text := json_of_yaml(paths[path])) is not None}
    again = _read(converted, environment, rates)
    unread = [path for path in read.unread if path not in converted or path in again.unread]
    if len(unread) == len(paths):
        raise _unknown(Path(next(iter(paths), "")))
    missing = (*read.not_expressed, *again.not_expressed, *(NotExpressed(path, "not a schema") for path in unread))
    return SchemaFiles((*read.targets, *again.targets), missing)


def _read(paths: Mapping[str, str], environment: Environment, rates: Rates) -> SchemaFiles:
    """The targets in files of any engine."""
    targets: list[AdoptedTarget] = []
    missing: list[NotExpressed] = []
    unread = dict(paths)
    for name in NAMES:
        adoption = adoption_of(name)
        own = {path: text for path, text in unread.items() if adoption and _schema(adoption, {path: text})}
        schema = _schema(adoption, own) if adoption and own else None
        if schema is None or adoption is None:
            continue
        engine: Engine[Any, Any] = engine_named(name)
        part = _part(engine, environment)
        unread_parts = schema.not_expressed if len(schema.targets) == 1 else ()
        for target in schema.targets:
            samples = {name: schema.samples[name] for name in schema.samples if name == target.name}
            samples |= _documents(engine.name, schema.documents.get(target.name, {}))
            declared = schema.adopted.get(target.name) or adoption.adopt(target, samples, part)
            own_rates = {target.name: Sample(rates=rates[target.name])} if target.name in rates else {}
            adopted = with_patterns(engine, adoption, declared, part, own_rates)
            settings = schema.settings.get(target.name) or adoption.settings("", "", {})
            targets.append(replace(_target(engine, adoption, target.name, adopted, settings), unread=unread_parts))
        missing += schema.not_expressed
        unread = {path: text for path, text in unread.items() if path not in own}
    return SchemaFiles(tuple(targets), tuple(missing), tuple(unread))


def _schema(adoption: Adoption, paths: Mapping[str, str]) -> Schema | None:
    """The targets of the files; UsageError for a file that no program writes."""
    try:
        return adoption.read_schema(paths)
    except RecursionError as error:
        raise UsageError(
            f'"{next(iter(paths))}" is nested too deeply for a schema', "name a file with fewer levels"
        ) from error


def _documents(engine: str, files: Mapping[str, str]) -> dict[str, Sample]:
    """Documents of files beside the schema files, by collection."""
    existing = {name: Path(path) for name, path in files.items() if Path(path).is_file()}
    if not existing:
        return {}
    documents_in = module_of(engine, "driver").documents_in
    return {name: Sample(documents_in(path, SAMPLED)) for name, path in existing.items()}


def _unknown(path: Path) -> UsageError:
    """The error for a file of no known kind."""
    kinds = "; ".join(kind for adoption in _adoptions() for kind in adoption.files)
    if path.suffix in _PROGRAMS:
        problem = f'"{path.name}" is a program, and keywright runs no programs of others'
        return UsageError(problem, f"name the address of the store, or one of: {kinds}")
    return UsageError(
        f'"{path.name}" is not a schema of a known kind', f"name the address of a store, or one of: {kinds}"
    )


def _adoptions() -> list[Adoption]:
    return [*filter(None, map(adoption_of, NAMES))]


def schema_suffixes() -> tuple[str, ...]:
    """Suffixes of the schema files of all engines."""
    return tuple(suffix for adoption in _adoptions() for suffix in adoption.suffixes)


def included(name: str, text: str) -> tuple[str, ...]:
    """Patterns of the files that a schema file includes, relative to its folder."""
    adoptions = filter(None, map(adoption_of, NAMES))
    return next((adoption.included(text) for adoption in adoptions if name.endswith(adoption.suffixes)), ())


def _adopted(
    engine: Engine[Any, Any],
    adoption: Adoption,
    description: Any,
    part: EngineEnvironment,
    driver: Driver,
    settings: Mapping[str, Json],
    rates: Mapping[tuple[str, str], str],
) -> AdoptedTarget:
    target = engine.unplace(engine.parse(description), part)
    samples = _samples(adoption, description, driver)
    declared = adoption.adopt(target, samples, part)
    measured = {target.name: replace(samples.get(target.name, Sample()), rates=rates)} if rates else {}
    adopted = with_patterns(engine, adoption, declared, part, {**samples, **measured})
    return _target(engine, adoption, target.name, adopted, settings)


def _target(
    engine: Engine[Any, Any], adoption: Adoption, name: str, adopted: Adopted, settings: Mapping[str, Json]
) -> AdoptedTarget:
    return AdoptedTarget(engine.name, adoption.doc, name, adopted, settings, (name,), adoption.is_same, adoption.within)


def _samples(adoption: Adoption, description: Any, driver: Driver) -> dict[str, Sample]:
    """A bounded sample of each table or collection, read page by page with pauses, as a live check reads.

    Where the store knows all types, only its evidence is read.
    """
    places, remembering = adoption.sampled(description), adoption.remembers(description)
    if driver.observer is None or not (places or remembering):
        return {}
    clock, samples = Clock(), dict[str, Sample]()
    observer, throttle = driver.observer(), Throttle(clock, ITEMS_PER_SECOND)
    for name, place in remembering.items():
        samples[name] = _with_requests(Sample(), adoption, observer, place)
    commands = observer.commands() if places else None
    ends = clock.now() + SURVEY_SECONDS
    for name, place in places.items():
        before = _with_requests(Sample(), adoption, observer, place)
        items: list[Any] = []
        for page in _pages(observer, place, lambda: clock.now() >= ends):
            items += page.items
            clock.sleep(throttle.spend(page.cost))
        samples[name] = replace(
            before, items=items, count=observer.count(place), indexes=_indexes(observer, place), commands=commands
        )
    return samples


def _with_requests(sample: Sample, adoption: Adoption, observer: Observer, place: str) -> Sample:
    """The sample with the requests that the server remembers; without them if the user may not read them."""
    try:
        remembered = observer.remembered(place)
    except StatementFailed:
        return sample
    return replace(sample, remembered=remembered, rates=adoption.rates(remembered))


def _indexes(observer: Observer, place: str) -> tuple[LiveIndex, ...]:
    """Indexes with their uses; none if the user may not read them."""
    try:
        return observer.indexes(place)
    except StatementFailed:
        return ()


def _pages(observer: Observer, place: str, is_over: Callable[[], bool]) -> Iterator[SurveyPage]:
    if observer.survey is not None:
        yield from observer.survey(place, SAMPLED, is_over)
        return
    for page in observer.sample(place, {}, SAMPLED):
        yield SurveyPage(len(page), tuple(sampled.item for sampled in page if sampled.item is not None))


def _engine_at(address: str) -> Engine[Any, Any]:
    scheme = address.partition(":")[0].lower()
    for name in NAMES:
        engine: Engine[Any, Any] = engine_named(name)
        if scheme in engine.schemes or (engine.service and address.startswith(engine.service)):
            return engine
    schemes = sorted(scheme for name in NAMES for scheme in engine_named(name).schemes)
    raise UsageError(f'no engine has addresses that start with "{scheme}:"', f"it takes {', '.join(schemes)}")


def _part(engine: Engine[Any, Any], environment: Environment, version: str = "") -> EngineEnvironment:
    """The engine's part of the environment, or a plain one."""
    return environment.of(engine.name) or engine.localise(None, version)

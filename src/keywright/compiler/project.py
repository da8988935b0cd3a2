"""A project from its files: load it, check it, compile it for an environment."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from keywright.declare.locate import place_in
from keywright.engines.interface import Artefact, Engine, Refusal, Target
from keywright.engines.registry import NAMES, engine_named
from keywright.errors import NOWHERE, DeclarationError, DeclarationErrors, Place, did_you_mean, gathering, report
from keywright.frontend.check import check as check_design
from keywright.frontend.discover import import_models, model_files
from keywright.frontend.lower import lower, models_of, patterns_of
from keywright.frontend.source import from_source
from keywright.ir.design import Design
from keywright.project.environment import Environment, read_environment, unknown_names
from keywright.project.settings import Settings, read_settings


@dataclass(frozen=True, slots=True)
class Project:
    """A project's settings and what its models declare."""

    settings: Settings
    """Where its parts are."""
    design: Design
    """Everything that it declares."""
    files: dict[str, str]
    """Path of each model file, by dotted name."""
    models: dict[str, object]
    """The user's class, or what `bind` returned, by binding name."""
    patterns: dict[tuple[str, str], object]
    """The user's declaration of each pattern, by (module, variable)."""


@dataclass(frozen=True, slots=True)
class Placed:
    """One target in one environment."""

    engine: Engine[Any, Any]
    """Its engine."""
    declared: Target
    """As the models say."""
    placed: Target
    """With what the environment adds."""

    @property
    def store(self) -> str:
        """The store that it is in, such as `mongodb/content`."""
        return self.engine.store(self.declared)


@dataclass(frozen=True, slots=True)
class Compiled:
    """A project in one environment."""

    project: Project
    """What was compiled."""
    environment: Environment
    """For where."""
    targets: tuple[Placed, ...]
    """Every table, database, keyspace and server."""

    @property
    def artefacts(self) -> tuple[Artefact, ...]:
        """The files for stock tools, sorted by path."""
        made: list[Artefact] = []
        for one in self.targets:
            part = self.environment.of(one.engine.name)
            made += one.engine.render(one.declared, one.placed, part)
        return tuple(sorted(made, key=lambda artefact: artefact.path))


def load(project: str | None = None) -> Project:
    """The project in a folder, by default the nearest one; DeclarationErrors holds all that is wrong with it."""
    loaded, errors = try_load(read_settings(project))
    _raise(errors)
    return loaded


def try_load(settings: Settings) -> tuple[Project, list[DeclarationError]]:
    """The project, as far as it is legal, and everything that is wrong with it."""
    with gathering() as errors, from_source(settings.root_paths):
        modules = import_models(model_files(settings.model_paths, settings.root_paths), settings.root_paths)
        design = lower(modules)
    files = {module.__name__: str(module.__file__) for module in modules}
    project = Project(settings, design, files, models_of(modules), patterns_of(modules))
    errors += check_design(design, files)
    for engine in _engines(design):
        errors += (_located(refusal, project) for refusal in engine.check(design.of_engine(engine.name)))
    return project, _in_order(errors)


def compile(project: Project, environment: str | Environment | None = None) -> Compiled:
    """A project in an environment, by default its default one; DeclarationErrors holds what it cannot have there."""
    compiled, errors = try_compile(project, environment)
    _raise(errors)
    return compiled


def try_compile(
    project: Project, environment: str | Environment | None = None
) -> tuple[Compiled, list[DeclarationError]]:
    """The project in the environment, and everything that the environment refuses."""
    with gathering() as errors:
        if not isinstance(environment, Environment):
            name = environment or project.settings.default_environment
            try:
                environment = read_environment(project.settings, name)
                errors += unknown_names(project.settings, environment, project.design)
            except DeclarationError as error:  # a file of which nothing can be read
                environment = Environment(name)
                report(error)
    targets = []
    for engine in _engines(project.design) if not errors else ():
        part = environment.of(engine.name)
        for declared in engine.lower(project.design.of_engine(engine.name)):
            if part is None:
                errors.append(_without_part(engine, environment))
                break
            placed = engine.place(declared, part)
            errors += (_located(refusal, project, environment) for refusal in engine.refuse(placed, part))
            targets.append(Placed(engine, declared, placed))
    if targets and not errors:
        errors += _without_history(environment, {one.store for one in targets})
    return Compiled(project, environment, tuple(targets)), _in_order(errors)


def _engines(design: Design) -> list[Engine[Any, Any]]:
    """The engines of what is declared."""
    used = {physical.engine for physical in design.physicals}
    return [engine_named(name) for name in NAMES if name in used]


def localised(environment: Environment, versions: dict[str, str]) -> Environment:
    """The environment as local servers serve it: their flavours and versions.

    versions: what the running server of each engine reports of itself.
    """
    parts = dict(environment.engines)
    for name, version in versions.items():
        parts[name] = engine_named(name).localise(parts.get(name), version)
    return replace(environment, engines=parts)


def _without_history(environment: Environment, stores: set[str]) -> Iterator[DeclarationError]:
    if environment.history is not None and environment.history not in stores:
        problem = f'the history is to be kept in "{environment.history}", which no model declares'
        yield DeclarationError("E0402", problem, environment.at, did_you_mean(environment.history, sorted(stores)))


def _without_part(engine: Engine[Any, Any], environment: Environment) -> DeclarationError:
    problem = f'the models use {engine.title}, and environment "{environment.name}" has no part for it'
    return DeclarationError("E0406", problem, environment.at, f"add {engine.name}: {{flavour: {engine.name}}}")


def _located(refusal: Refusal, project: Project, environment: Environment | None = None) -> DeclarationError:
    """A refusal with its line: in the environment's file if a setting is wrong, else of the declaration."""
    if environment is not None and refusal.code.startswith("E04"):
        return DeclarationError(refusal.code, refusal.problem, environment.at, refusal.help)
    at = refusal.at if refusal.at != NOWHERE else place_of(project, refusal.subject, refusal.part, refusal.field)
    return DeclarationError(refusal.code, refusal.problem, at, refusal.help, refusal.subject)


def place_of(project: Project, subject: str, part: str = "", field: str = "") -> Place:
    """Where a declaration stands, by the name of a binding or a physical thing, of a part of it, or of a field."""
    design = project.design
    binding = next((one for one in design.bindings if subject in _names(one)), None)
    physical = next((one for one in design.physicals if one.name == subject), None)
    if field and binding and (file := project.files.get(binding.entity.context)):
        return place_in(file, binding.entity.name, field)
    owner = binding or physical
    if owner is None:
        return NOWHERE
    parts = engine_named(owner.engine).listed(owner) if part else ()
    return next((one.at for one in parts if one.name == part and one.at != NOWHERE), owner.at)


def _names(binding: Any) -> tuple[str, ...]:
    return binding.name, getattr(binding.spec, "name", binding.name)


def _in_order(errors: Iterable[DeclarationError]) -> list[DeclarationError]:
    """Each error once, sorted by place."""
    seen: dict[tuple[str, str, str], DeclarationError] = {}
    for error in errors:
        seen.setdefault((error.code, error.problem, str(error.at)), error)
    return sorted(seen.values(), key=lambda error: (error.at.file, error.at.line, error.code, error.problem))


def _raise(errors: Sequence[DeclarationError]) -> None:
    if errors:
        raise DeclarationErrors(f"{len(errors)} {'error' if len(errors) == 1 else 'errors'}", errors)

"""Loads, checks and compiles a project for an environment."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from keywright.declare.declared import recording
from keywright.declare.locate import place_in
from keywright.engines.contract.resource import StackResource
from keywright.engines.interface import Artefact, Engine, Rejection, Target
from keywright.engines.registry import engine_named, in_order
from keywright.errors import NOWHERE, DeclarationError, DeclarationErrors, Place, did_you_mean, gathering, report
from keywright.frontend.check import check as check_design
from keywright.frontend.discover import import_models, model_files
from keywright.frontend.lower import lower, models_of, patterns_of
from keywright.frontend.source import from_source
from keywright.ir.binding import Binding, Physical
from keywright.ir.design import Design
from keywright.project.environments.environment import Environment, read_environment, unknown_names, unknown_settings
from keywright.project.settings import Settings, read_settings
from keywright.record import Record, replace


class Project(Record):
    """A project's settings and declarations."""

    settings: Settings
    """Settings of pyproject.toml."""
    design: Design
    """All declarations."""
    files: dict[str, str]
    """Path of each model file, by dotted name."""
    models: dict[str, object]
    """The user's class, or what `bind` returned, by binding name."""
    patterns: dict[tuple[str, str], object]
    """The user's declaration of each pattern, by (module, variable)."""


class Placed(Record):
    """One target in one environment."""

    engine: Engine[Any, Any]
    """Its engine."""
    declared: Target
    """The target of the models."""
    placed: Target
    """The target with the settings of the environment."""

    @property
    def store(self) -> str:
        """The store of the target, such as `mongodb/content`."""
        return self.engine.store(self.declared)

    @property
    def resources(self) -> tuple[StackResource, ...]:
        """Its Pulumi resources."""
        return self.engine.to_resources(self.declared.name, self.placed)


class Compiled(Record):
    """A project in one environment."""

    project: Project
    """The compiled project."""
    environment: Environment
    """Its environment."""
    targets: tuple[Placed, ...]
    """Every table, database, keyspace and server."""

    @property
    def artefacts(self) -> tuple[Artefact, ...]:
        """The artefacts, sorted by path."""
        artefacts: list[Artefact] = []
        for target in self.targets:
            part = self.environment.of(target.engine.name)
            artefacts += target.engine.render(target.declared, target.placed, part)
        return tuple(sorted(artefacts, key=lambda artefact: artefact.path))


def load(project: str | Settings | None = None) -> Project:
    """Load the project of a folder or of settings, by default the nearest one; raises DeclarationErrors."""
    loaded, errors = try_load(project if isinstance(project, Settings) else read_settings(project))
    _raise(errors)
    return loaded


def try_load(settings: Settings) -> tuple[Project, list[DeclarationError]]:
    """The project without its rejected declarations, and all compile errors."""
    with gathering() as errors, recording() as declared, from_source(settings.root_paths):
        files = model_files(settings.model_paths, settings.root_paths)
        modules = import_models(files, settings.root_paths, settings.import_timeout_seconds)
        design = lower(modules, declared)
    paths = {module.__name__: str(module.__file__) for module in modules}
    project = Project(settings, design, paths, models_of(modules), patterns_of(modules))
    errors += check_design(design, paths)
    for engine in _engines(design):
        rejections = engine.check(design.of_engine(engine.name))
        errors += (_located(rejection, project, engine.name) for rejection in rejections)
    return project, _in_order(errors)


def compile(project: Project, environment: str | Environment | None = None) -> Compiled:
    """Compile a project for an environment, by default the default one; raises DeclarationErrors."""
    compiled, errors = try_compile(project, environment)
    _raise(errors)
    return compiled


def try_compile(
    project: Project, environment: str | Environment | None = None
) -> tuple[Compiled, list[DeclarationError]]:
    """The project in the environment, and the errors of its settings."""
    with gathering() as errors:
        if not isinstance(environment, Environment):
            name = environment or project.settings.default_environment
            try:
                environment = read_environment(project.settings, name)
                errors += unknown_names(project.settings, environment, project.design)
            except DeclarationError as error:  # the file cannot be read at all
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
            rejections = engine.refuse(placed, part)
            errors += (_located(rejection, project, engine.name, environment) for rejection in rejections)
            targets.append(Placed(engine, declared, placed))
    errors += unknown_settings(environment, {target.store for target in targets})
    if targets and not errors:
        errors += _without_history(environment, {target.store for target in targets})
    return Compiled(project, environment, tuple(targets)), _in_order(errors)


def _engines(design: Design) -> list[Engine[Any, Any]]:
    """The engines of the design's physical objects."""
    used = {physical.engine for physical in design.physicals}
    return [engine_named(name) for name in in_order(used)]


def localised(environment: Environment, versions: dict[str, str]) -> Environment:
    """The environment with the flavours and versions of local servers.

    versions: the version that the running server of each engine reports.
    """
    parts = dict(environment.engines)
    for name, version in versions.items():
        parts[name] = engine_named(name).localise(parts.get(name), version)
    return replace(environment, engines=parts)


def _without_history(environment: Environment, stores: set[str]) -> Iterator[DeclarationError]:
    if environment.history is not None and environment.history not in stores:
        problem = f'history: names the store "{environment.history}", which no model declares'
        yield DeclarationError("E0402", problem, environment.at, did_you_mean(environment.history, sorted(stores)))


def _without_part(engine: Engine[Any, Any], environment: Environment) -> DeclarationError:
    problem = f'the models use {engine.title}, but environment "{environment.name}" has no settings for it'
    return DeclarationError("E0406", problem, environment.at, f"add {engine.name}: {{flavour: {engine.name}}}")


def _setting_at(rejection: Rejection, engine: str, environment: Environment) -> Place:
    """The place of a wrong setting in the stack file, or of the nearest setting around it."""
    if not rejection.setting:
        return environment.at
    # Settings of one table, keyspace or server are below its name; other settings are for all of them.
    own_paths = (path for path in environment.places if len(path) == 3 and path[::2] == (engine, rejection.subject))
    own = next(own_paths, None)
    paths = [(engine, *rejection.setting), *([(*own, *rejection.setting)] if own else [])]
    existing = [_existing(path, environment) for path in paths]
    matches = [sum(key in rejection.setting for key in path[1:]) for path in existing]
    nearest = existing[-1] if matches[-1] >= matches[0] else existing[0]
    return environment.places.get(nearest, environment.at)


def _existing(path: tuple[str, ...], environment: Environment) -> tuple[str, ...]:
    """The longest prefix of a settings path that the file contains."""
    while path and path not in environment.places:
        path = path[:-1]
    return path


def _located(
    rejection: Rejection, project: Project, engine: str, environment: Environment | None = None
) -> DeclarationError:
    """A rejection with its place: in the environment's file for a wrong setting, else at the declaration."""
    if environment is not None and rejection.code.startswith("E04"):
        at = _setting_at(rejection, engine, environment)
        return DeclarationError(rejection.code, rejection.problem, at, rejection.help)
    at = rejection.at if rejection.at != NOWHERE else _place_of(project, rejection, engine)
    return DeclarationError(rejection.code, rejection.problem, at, rejection.help, rejection.subject)


def _place_of(project: Project, rejection: Rejection, engine: str) -> Place:
    """The place of a rejected binding or physical object, or of its part or field."""
    design = project.design.of_engine(engine)
    binding = next((binding for binding in design.bindings if rejection.subject in _names(binding)), None)
    physical = next((physical for physical in design.physicals if physical.name == rejection.subject), None)
    owner = binding or physical
    if owner is None:
        return NOWHERE
    return place_of(project, owner, rejection.part, rejection.field)


def place_of(project: Project, owner: Binding | Physical, part: str = "", field: str = "") -> Place:
    """The place of a declaration, or of its part or field."""
    if field and isinstance(owner, Binding) and (file := project.files.get(owner.entity.context)):
        return place_in(file, owner.entity.name, field)
    parts = engine_named(owner.engine).listed(owner) if part else ()
    return next((listed.at for listed in parts if listed.name == part and listed.at != NOWHERE), owner.at)


def _names(binding: Any) -> tuple[str, ...]:
    return binding.name, getattr(binding.spec, "name", binding.name)


def _in_order(errors: Iterable[DeclarationError]) -> list[DeclarationError]:
    """Each error once, sorted by place."""
    unique: dict[tuple[str, str, str], DeclarationError] = {}
    for error in errors:
        unique.setdefault((error.code, error.problem, str(error.at)), error)
    return sorted(unique.values(), key=lambda error: (error.at.file, error.at.line, error.code, error.problem))


def _raise(errors: Sequence[DeclarationError]) -> None:
    if errors:
        raise DeclarationErrors(f"{len(errors)} {'error' if len(errors) == 1 else 'errors'}", errors)

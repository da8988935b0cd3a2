"""Functions of `keywright` for programs: `check`, `compile`, `patterns` and `diff`, with typed results.

They read the project as the commands of the same names do, write nothing, and print nothing.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from os import PathLike, fspath
from typing import TypeAlias

from keywright.compiler import AccessPlan, Compiled, load, plan_access
from keywright.compiler import compile as compile_project
from keywright.errors import gathering
from keywright.frontend.discover import model_files
from keywright.frontend.fresh_import import fresh_import
from keywright.project.migrations.folder import read_folder
from keywright.project.settings import Settings, read_settings

from .author.diff import ModelDifference, difference
from .check.check import CheckOptions, CheckReport
from .check.check import check as check_project

ProjectFolder: TypeAlias = str | PathLike[str] | None
"""Folder of a project; None for the nearest one above the working directory."""


def check(
    project: ProjectFolder = None,
    environment: str | None = None,
    *,
    paths: Iterable[str | PathLike[str]] = (),
    select: Iterable[str] = (),
    ignore: Iterable[str] = (),
    profile: str | None = None,
    git_base: str | None = None,
) -> CheckReport:
    """Check a project, as `keywright check` does, with its suppressions and its baseline.

    project: folder of the project, by default the nearest one. environment: by default the project's default one.
    paths: files and folders to which errors and findings are limited. select, ignore: codes of rules, or beginnings of
    codes. profile: profile of severities. git_base: branch, tag or commit; findings that the merge base has too are
    left out.

    Returns errors of models that do not compile, else findings; places are absolute. Raises UsageError for a folder
    that is no project and for an unknown environment or reference.
    """
    options = CheckOptions(
        paths=tuple(fspath(path) for path in paths),
        select=tuple(select),
        ignore=tuple(ignore),
        profile=profile,
        git_base=git_base,
    )
    with _alone(project) as settings:
        return check_project(settings, environment, options)


def compile(project: ProjectFolder = None, environment: str | None = None) -> Compiled:
    """Compile a project, as `keywright compile` does, without writing.

    project: folder of the project, by default the nearest one. environment: by default the project's default one.

    Returns the declared and the placed targets; `artefacts` of the result are the files with their texts. Raises
    DeclarationErrors with all errors of the models or of the environment, UsageError for a folder that is no project.
    """
    with _alone(project) as settings:
        return compile_project(load(settings), environment)


def patterns(project: ProjectFolder = None, environment: str | None = None) -> AccessPlan:
    """Plan the access patterns of a project, as `keywright patterns` does.

    project, environment: as of `compile`. Returns a row for each pattern: what serves it, or why nothing does. Raises
    the errors of `compile`.
    """
    with _alone(project) as settings:
        return plan_access(compile_project(load(settings), environment))


def diff(project: ProjectFolder = None, environment: str | None = None) -> ModelDifference:
    """Compare the models of a project with its last migration, as `keywright migrate diff` does, without writing.

    project, environment: as of `compile`. Returns the changes; none if the migrations lead to the models. Raises the
    errors of `compile`, and UsageError for a folder of migrations that was edited or cannot be read.
    """
    with _alone(project) as settings:
        return difference(compile_project(load(settings), environment), read_folder(settings))


@contextmanager
def _alone(project: ProjectFolder) -> Iterator[Settings]:
    """Settings of a project whose models are imported anew, since a program may ask again, or of another project."""
    settings = read_settings(project)
    with gathering():  # the load that follows reports the same problems
        files = model_files(settings.model_paths, settings.root_paths)
    with fresh_import(files, settings.root_paths):
        yield settings

"""Imports the modules of a project anew, and leaves those of the calling program as they were."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import RLock
from types import ModuleType

from keywright.engines.registry import is_of_engine

from .discover import ModelFile
from .source import is_own

_lock = RLock()
"""Modules belong to the whole process: one thread at a time may exchange them."""


@contextmanager
def fresh_import(files: Sequence[ModelFile], roots: Sequence[Path]) -> Iterator[None]:
    """Within the block, these model files are imported anew, whatever has been imported under their names.

    files: model files of a project. roots: its import roots; modules below them that the block imports for the first
    time, such as helpers of models, are forgotten afterwards. Modules of this package and of engines stay, wherever
    they lie: they are imported when first needed, and a second copy of a class is another class to `isinstance`.
    """
    packages = {file.module.partition(".")[0] for file in files}
    with _lock:
        path, modules = sys.path[:], dict(sys.modules)
        for name in [name for name in modules if name.partition(".")[0] in packages and not is_of_engine(name)]:
            del sys.modules[name]
        try:
            yield
        finally:
            sys.path[:] = path
            for name, module in list(sys.modules.items()):
                is_new = module is not modules.get(name) and (name in modules or _is_below(module, roots))
                if is_new and not is_of_engine(name):
                    del sys.modules[name]
            sys.modules.update(modules)


def _is_below(module: ModuleType, roots: Sequence[Path]) -> bool:
    folders = [getattr(module, "__file__", None), *getattr(module, "__path__", ())]
    return any(is_own(folder, roots) for folder in folders if folder)

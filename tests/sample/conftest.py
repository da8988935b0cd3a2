"""The worked example as a design of all four engines, and its models."""

import importlib
from pathlib import Path

import pytest
from pydantic import BaseModel

from keywright.frontend.discover import import_models, model_files
from keywright.frontend.lower import lower
from keywright.ir.design import Design
from keywright.project.settings import read_settings

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def design() -> Design:
    settings = read_settings(str(ROOT))
    modules = import_models(model_files(settings.model_paths, settings.root_paths), settings.root_paths)
    return lower(modules)


@pytest.fixture(scope="session")
def models(design: Design) -> dict[str, type[BaseModel]]:
    return {entity.name: getattr(importlib.import_module(entity.context), entity.name) for entity in design.entities}

"""Schema files as tables: CreateTable, DescribeTable, templates, states and NoSQL Workbench models; all as JSON."""

import json
from collections.abc import Mapping
from pathlib import PurePath
from typing import Any

from keywright.engines.contract.adoption import Adopted, NotExpressed, Sample, Schema
from keywright.ir.json import Json

from ..schema.target import TableTarget
from .cloudformation import is_template, tables_in_template
from .create_table import NoTable, sample_of, table_of
from .data_model import is_data_model, tables_of_model
from .file_table import FileTable
from .onetable import is_onetable, table_of_onetable
from .states import is_state, tables_in_state
from .table_settings import defined_settings

SUFFIXES = (".json", ".yaml", ".yml", ".tfstate")
"""Suffixes of schema files."""

FILES = (
    "CreateTable or DescribeTable JSON", "CloudFormation or SAM template", "Terraform or Pulumi state as JSON",
    "NoSQL Workbench model", "data model of the DynamoDB MCP server", "OneTable schema as JSON",
)  # fmt: skip
"""Kinds of schema files."""


def read_schema(paths: Mapping[str, str]) -> Schema | None:
    """See `Adoption.read_schema`."""
    tables: dict[str, TableTarget] = {}
    samples: dict[str, Sample] = {}
    adopted: dict[str, Adopted] = {}
    settings: dict[str, Mapping[str, Json]] = {}
    problems: list[NotExpressed] = []
    for path, text in paths.items():
        try:
            read = _tables(_parsed(text), path)
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            problems.append(NotExpressed(path, f"not read: {error} is missing or of another form"))
            continue
        if read is None:
            return None
        if not read:
            problems.append(NotExpressed(path, "it has no DynamoDB table"))
        for table in read:
            problems += table.not_expressed
            if table.target is not None:
                tables[table.target.name] = table.target
                samples[table.target.name] = table.sample
            if table.settings and table.target is not None:
                settings[table.target.name] = {"flavour": "dynamodb", "tables": {table.target.name: {**table.settings}}}
            if isinstance(table.adopted, Adopted) and table.target is not None:
                adopted[table.target.name] = table.adopted
    return Schema(tuple(tables.values()), samples, tuple(problems), adopted=adopted, settings=settings)


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return None


def _tables(document: Any, path: str) -> list[FileTable] | None:
    """The tables of a document; None for documents of another kind."""
    stem = PurePath(path).stem
    if is_data_model(document):
        return list(tables_of_model(document, path))
    if is_onetable(document):
        return [table_of_onetable(document, stem, path)]
    definitions = _definitions(document, stem)
    return None if definitions is None else [_defined(definition, path) for definition in definitions]


def _defined(definition: Mapping[str, Any], path: str) -> FileTable:
    try:
        return FileTable(table_of(definition), sample_of(definition), settings=defined_settings(definition))
    except (NoTable, KeyError, TypeError, AttributeError) as error:
        reason = str(error) if isinstance(error, NoTable) else f"{error} is missing or of another form"
        return FileTable(None, not_expressed=(NotExpressed(path, f"table not read: {reason}"),))


def _definitions(document: Any, stem: str) -> list[dict[str, Any]] | None:
    """The definitions of tables in a document, in the form of CreateTable or of Workbench; None for other documents.

    stem: the name of a table whose definition has none.
    """
    match document:
        case [*elements]:
            parts = [_definitions(element, stem) for element in elements]
            return [definition for part in parts for definition in part or ()] if any(parts) else None
        case {"DataModel": [*models]}:
            return [model for model in models if isinstance(model, dict)]
        case {"Table": dict() as table} | {"TableDescription": dict() as table}:
            return [table]
        case {"KeySchema": _, "AttributeDefinitions": _}:
            return [{"TableName": stem, **document}]
        case dict() if is_template(document):
            return list(tables_in_template(document))
        case dict() if is_state(document):
            return list(tables_in_state(document))
        case _:
            return None

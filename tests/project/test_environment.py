"""The environments of stack files."""

from pathlib import Path

import pytest
from tests.projects import a_project

from keywright.engines.dynamodb.declare.settings import DynamoEnvironment, TableSettings, Throughput
from keywright.errors import DeclarationError, UsageError, gathering
from keywright.project.environments.environment import Environment, environment_names, read_environment

HEAD = "config:\n  keywright:environment:\n"


def read(folder: Path, text: str | bytes, name: str = "dev") -> Environment:
    settings = a_project(folder, {})
    (folder / "stacks" / f"Pulumi.{name}.yaml").write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_environment(settings, name)


def refused(folder: Path, text: str | bytes) -> str:
    with gathering() as errors:
        try:
            read(folder, text)
        except DeclarationError as error:
            errors.append(error)
    return "\n".join(map(str, errors)).replace(f"{folder}/stacks/Pulumi.dev.yaml", "dev.yaml")


def test_an_environment_is_typed(tmp_path: Path) -> None:
    text = (
        HEAD
        + """
    mode: gated
    tags: {team: shop}
    history: mongodb/content
    dynamodb:
      flavour: dynamodb
      billing: provisioned
      capacity: {read: 10, write: 5}
      name-prefix: "prod-"
      tags: {cost: "42"}
      tables:
        messaging: {billing: on-demand, protect: false}
    """
    )
    environment = read(tmp_path, text)
    assert (environment.mode, environment.tags, environment.history) == ("gated", {"team": "shop"}, "mongodb/content")
    assert environment.of("mongodb") is None
    assert environment.of("dynamodb") == DynamoEnvironment(
        flavour="dynamodb",
        billing="provisioned",
        capacity=Throughput(read=10, write=5),
        name_prefix="prod-",
        tags={"team": "shop", "cost": "42"},
        tables={"messaging": TableSettings(billing="on-demand", protect=False)},
    )


def test_environments_are_named_by_their_files(tmp_path: Path) -> None:
    settings = a_project(tmp_path, {"stacks/Pulumi.prod.yaml": "", "stacks/Pulumi.yaml": ""})
    assert environment_names(settings) == ("dev", "prod")
    with pytest.raises(UsageError) as error:
        read_environment(settings, "prd")
    assert str(error.value) == (
        'there is no environment "prd": no stacks/Pulumi.prd.yaml\n  help: did you mean "prod"?'
    )


def test_anchors_may_be_shared_and_overridden(tmp_path: Path) -> None:
    text = (
        "shared: &shared {flavour: dynamodb, protect: false}\n"
        + HEAD
        + ("    dynamodb:\n      <<: *shared\n      protect: true\n")
    )
    part = read(tmp_path, text).of("dynamodb")
    assert isinstance(part, DynamoEnvironment)
    assert part.protect is True


WRONG = {
    "a part for no engine": (
        "    dynamo: {}\n",
        'dev.yaml:3: error[E0401]: an environment has no setting "dynamo"\n  help: did you mean "dynamodb"?',
    ),
    "an unknown setting": (
        "    dynamodb:\n      flavor: dynamodb\n",
        'dev.yaml:4: error[E0401]: "dynamodb" has no setting "flavor"\n  help: did you mean "flavour"?',
    ),
    "an unknown setting of a table": (
        "    dynamodb:\n      flavour: dynamodb\n      tables:\n        shop: {protected: true}\n",
        'dev.yaml:6: error[E0401]: "dynamodb.tables.shop" has no setting "protected"\n  help: did you mean "protect"?',
    ),
    "several at once": (
        "    mode: production\n    dynamodb:\n      flavour: dynamo\n      protect: 1\n",
        'dev.yaml:3: error[E0402]: "mode" is "production", it takes "dev", "gated"\n  help: known: "dev", "gated"\n'
        'dev.yaml:5: error[E0402]: "dynamodb.flavour" is "dynamo", it takes "dynamodb", "dynamodb-local"\n'
        '  help: did you mean "dynamodb"?\n'
        'dev.yaml:6: error[E0402]: "dynamodb.protect" is 1, it takes true or false\n  help: write true or false',
    ),
    "a number for text": (
        "    tags: {year: 2026}\n",
        'dev.yaml:3: error[E0402]: "tags.year" is the number 2026, it takes text\n  help: put it in quotes: "2026"',
    ),
    "text for a mapping": (
        "    dynamodb: dynamodb\n",
        'dev.yaml:3: error[E0402]: "dynamodb" is "dynamodb", it takes a mapping\n'
        "  help: write its keys below it, indented",
    ),
    "nothing for a mapping": (
        "    dynamodb:\n",
        'dev.yaml:3: error[E0402]: "dynamodb" is empty, it takes a mapping\n  help: write its keys below it, indented',
    ),
    "a size that is none": (
        "    redis: {flavour: redis, ram: much}\n",
        'dev.yaml:3: error[E0402]: "redis.ram" is "much", it takes a size\n  help: such as 512mb or 4gb',
    ),
    "a required setting": (
        "    dynamodb: {protect: true}\n",
        'dev.yaml:3: error[E0405]: "dynamodb" needs "flavour"\n  help: add flavour: dynamodb',
    ),
    "a setting twice": (
        "    mode: dev\n    mode: gated\n",
        'dev.yaml:4: error[E0404]: the key "mode" occurs twice\n  help: keep one of them',
    ),
    "a gated environment with Redis without history": (
        "    mode: gated\n    redis: {flavour: redis}\n",
        "dev.yaml:2: error[E0405]: a gated environment with Redis has no store for the migration history\n"
        "  help: add history: mongodb/<database>, or another store",
    ),
    "an anchor inside itself": (
        "    dynamodb: &all\n      tables: *all\n",
        "dev.yaml:3: error[E0403]: an anchor is used inside its own value\n"
        "  help: write the value out, without the alias",
    ),
    "a brace that is not closed": (
        "    dynamodb: {flavour: dynamodb\n",
        "dev.yaml:4: error[E0403]: the file is not valid YAML: expected ',' or '}', but got '<stream end>'\n"
        "  help: correct the indentation, quotes or braces",
    ),
    "a tag that nobody knows": (
        "    mode: !mode dev\n",
        "dev.yaml:3: error[E0403]: the file is not valid YAML: could not determine a constructor for the tag '!mode'\n"
        "  help: correct the indentation, quotes or braces",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong_has_its_line(case: str, tmp_path: Path) -> None:
    text, message = WRONG[case]
    assert refused(tmp_path, HEAD + text) == message


WHOLE = {
    "an empty file": ("", "E0406"),
    "a file without config": ("a: 1\n", "E0406"),
    "config without the key": ("config:\n  aws:region: eu-west-1\n", "E0406"),
    "a file that is no mapping": ("- a\n", "E0406"),
    "a key with text": ("config:\n  keywright:environment: dev\n", "E0402"),
    "a tabulator": ("config:\n\tkeywright:environment: dev\n", "E0403"),
    "two documents": ("a: 1\n---\nb: 2\n", "E0403"),
    "no text": (b"\xff\xfe\x00", "E0403"),
    "a character that YAML forbids": ("a: \x00\n", "E0403"),
}


@pytest.mark.parametrize("case", WHOLE)
def test_a_file_without_environment_is_refused(case: str, tmp_path: Path) -> None:
    text, code = WHOLE[case]
    assert f"error[{code}]" in refused(tmp_path, text)


UNSTORABLE = [
    ('    tags: {paid: "a\\ud800"}', 4, '"tags.paid" contains \\ud800, half of a surrogate pair'),
    ('    tags:\n      "a\\0": b', 5, 'the key "tags.a\\u0000" contains \\u0000, the NUL character'),
    ('    mongodb:\n      flavour: mongodb\n      version: "\\udfff"', 6, '"mongodb.version" contains \\udfff'),
    ('    dynamodb: {flavour: dynamodb,\n      replicas: ["eu-west-1\\0"]}', 5, '"dynamodb.replicas" contains \\u0000'),
    ('    "\\ud800": 1', 4, 'the key "\\ud800" contains \\ud800'),
]
"""Lines of a stack file, that of the mistake, and the words about it."""


@pytest.mark.parametrize(("lines", "at", "words"), UNSTORABLE)
def test_characters_that_only_yaml_can_write_are_refused_at_their_line(
    lines: str, at: int, words: str, tmp_path: Path
) -> None:
    text = refused(tmp_path, f"{HEAD}    mode: dev\n{lines}\n")
    assert text.startswith(f"dev.yaml:{at}: error[E0402]: {words}")
    assert text.endswith("which cannot be stored\n  help: remove the escape")


def test_characters_that_cannot_be_stored_are_refused_together(tmp_path: Path) -> None:
    text = refused(tmp_path, HEAD + '    tags: {a: "\\0", b: "\\ud800"}\n')
    assert text.count("error[E0402]") == 2

"""Wrong command lines: one sentence, what would be right, and exit code 2."""

from pathlib import Path

import pytest

from .conftest import Keywright

WRONG = {
    "compil": ('there is no command "compil"', 'did you mean "compile"?'),
    "local upp": ('there is no command "local upp"', 'did you mean "up"?'),
    "compile --chek": ('there is no option "--chek"', 'did you mean "--check"?'),
    "check -z": ('there is no option "-z"', "see `keywright check --help`"),
    "--colour never check": ('there is no option "--colour"', 'did you mean "--color"?'),
    "check --format jsn": (
        '"--format" is "jsn", it takes "text", "concise", "json", "sarif", "github", "gitlab", "junit", "markdown"',
        'did you mean "json"?',
    ),
    "check --color alway": ('"--color" is "alway", it takes "auto", "always", "never"', 'did you mean "always"?'),
    "compile --engine redi": (
        '"--engine" is "redi", it takes "dynamodb", "mongodb", "cassandra", "redis"',
        'did you mean "redis"?',
    ),
    "local up mongo": (
        '"ENGINE" is "mongo", it takes "dynamodb", "mongodb", "cassandra", "redis"',
        'did you mean "mongodb"?',
    ),
    "completion": ('"SHELL" is missing', 'choices: "bash", "zsh", "fish"'),
    "completion bsh": ('"SHELL" is "bsh", it takes "bash", "zsh", "fish"', 'did you mean "bash"?'),
    "sample --scale 0": ('"--scale" is "0", it takes a whole number of at least 1', "such as 100"),
    "sample --seed x": ('"--seed" is "x", it takes a whole number', "such as 0"),
    "local logs -n -1": ('"--lines" is "-1", it takes a whole number of at least 0', "such as 0"),
    "compile now": ("got unexpected extra argument (now)", "see `keywright compile --help`"),
    "compile --env": ('option "--env" requires an argument', "see `keywright --help`"),
    "-q": ("missing command", "see `keywright --help`"),
    "explain E0303X": ('there is no code "E0303X"', 'did you mean "E0303"?'),
    "explain nope": ('there is no code "nope"', "`keywright explain` lists all codes"),
    "check nope.py": ('there is no file or folder "nope.py"', "name model files, or folders that contain them"),
    "apply": (
        "apply works only on local servers: add --local",
        "`pulumi up` and migrations change environments",
    ),
    "inspect": ("no stores selected: add --local, or --env ENV", "the default environment is not used here"),
    "inspect --local --as rendered": ("--as requires -o", "add -o PATH"),
    "sample --load": ("--load and --local require each other", "data can be loaded only into local servers"),
    "--env pord check": ('there is no environment "pord": no stacks/Pulumi.pord.yaml', 'did you mean "prod"?'),
    "compile --env pord": ('there is no environment "pord": no stacks/Pulumi.pord.yaml', 'did you mean "prod"?'),
    "compile --out pyproject.toml": (
        '"--out" has an invalid value: directory "pyproject.toml" is a file',
        "see `keywright compile --help`",
    ),
}


@pytest.mark.parametrize("line", WRONG)
@pytest.mark.usefixtures("project")
def test_a_wrong_command_line_says_what_would_be_right(keywright: Keywright, line: str) -> None:
    problem, help = WRONG[line]
    assert keywright(*line.split()) == (2, "", f"error: {problem}\n  help: {help}\n")


@pytest.mark.parametrize(
    "command", ["compile", "check", "sample", "local up", "local down", "local logs", "inspect --local"]
)
def test_a_command_outside_any_project_says_how_to_begin_one(
    keywright: Keywright, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.chdir(tmp_path)
    said = keywright(*command.split())
    assert (said.code, said.out) == (2, "")
    assert said.err.splitlines() == [
        f'error: no project found: no pyproject.toml with a [tool.keywright] table in "{tmp_path}" or above',
        "  help: run `keywright init` to create a project, or name its folder with --project DIR or KEYWRIGHT_PROJECT",
    ]


@pytest.mark.parametrize(
    "command", ["init", "compile", "check", "local", "apply", "inspect", "sample", "explain", "completion"]
)
@pytest.mark.parametrize("option", ["-h", "--help"])
def test_every_command_has_help(keywright: Keywright, command: str, option: str) -> None:
    said = keywright(command, option)
    assert (said.code, said.err) == (0, "")
    assert said.out.startswith(f"Usage: keywright {command} ")
    assert "--project DIR" in said.out


@pytest.mark.parametrize("command", ["up", "down", "status", "logs"])
def test_every_command_of_local_has_help(keywright: Keywright, command: str) -> None:
    assert keywright("local", command, "-h").out.startswith(f"Usage: keywright local {command} ")


def test_the_word_local_alone_shows_its_help(keywright: Keywright) -> None:
    said = keywright("local")
    assert (said.code, said.err) == (0, "")
    assert "  status  Show running and available servers, with their sources.\n" in said.out


@pytest.mark.parametrize("line", [[], ["-h"], ["--help"], ["-q", "--help"]])
def test_the_program_alone_shows_its_help(keywright: Keywright, line: list[str]) -> None:
    said = keywright(*line)
    assert (said.code, said.err) == (0, "")
    assert said.out.startswith("Usage: keywright [OPTIONS] COMMAND [ARGS]...\n")


@pytest.mark.parametrize("line", [["--version"], ["-q", "--version"]])
def test_the_version_is_told(keywright: Keywright, line: list[str]) -> None:
    assert keywright(*line) == (0, "keywright 0.1.0\n", "")

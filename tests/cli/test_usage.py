"""Wrong command lines: one sentence, what would be right, and exit code 2."""

from pathlib import Path

import pytest

from .conftest import Keywright

WRONG = {
    "compil": ('there is no command "compil"', 'did you mean "compile"?'),
    "local upp": ('there is no command "local upp"', 'did you mean "up"?'),
    "compile --chek": ('there is no option "--chek"', 'did you mean "--check"?'),
    "check -z": ('there is no option "-z"', "`keywright check --help` tells more"),
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
    "completion": ('"SHELL" is missing', 'known: "bash", "zsh", "fish"'),
    "completion bsh": ('"SHELL" is "bsh", it takes "bash", "zsh", "fish"', 'did you mean "bash"?'),
    "sample --scale 0": ('"--scale" is "0", it takes a whole number from 1 on', "such as 100"),
    "sample --seed x": ('"--seed" is "x", it takes a whole number', "such as 0"),
    "local logs -n -1": ('"--lines" is "-1", it takes a whole number from 0 on', "such as 0"),
    "compile now": ("got unexpected extra argument (now)", "`keywright compile --help` tells more"),
    "compile --env": ('option "--env" requires an argument', "`keywright --help` tells more"),
    "-q": ("missing command", "`keywright --help` tells more"),
    "explain E0303X": ('there is no code "E0303X"', 'did you mean "E0303"?'),
    "explain nope": ('there is no code "nope"', "`keywright explain` lists them"),
    "check nope.py": ('there is no file or folder "nope.py"', "name model files, or folders with some"),
    "apply": (
        "apply works on local servers only: add --local",
        "environments are changed by `pulumi up` and by versioned migrations",
    ),
    "inspect": ("say which stores: add --local, or --env ENV", "an environment is never guessed"),
    "inspect --local --as rendered": ("--as says in what form -o writes", "add -o PATH"),
    "sample --load": ("--load and --local go together", "data is written to local servers only"),
    "--env pord check": ('there is no environment "pord": no stacks/Pulumi.pord.yaml', 'did you mean "prod"?'),
    "compile --env pord": ('there is no environment "pord": no stacks/Pulumi.pord.yaml', 'did you mean "prod"?'),
    "compile --out pyproject.toml": (
        '"--out" cannot be that: directory "pyproject.toml" is a file',
        "`keywright compile --help` tells more",
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
        f'error: no project here: no pyproject.toml with a [tool.keywright] table in "{tmp_path}" or above',
        "  help: run `keywright init` to make one, or name its folder with --project DIR or KEYWRIGHT_PROJECT",
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
    assert "  status  Show what runs, what could be started, and where it comes from.\n" in said.out


@pytest.mark.parametrize("line", [[], ["-h"], ["--help"], ["-q", "--help"]])
def test_the_program_alone_shows_its_help(keywright: Keywright, line: list[str]) -> None:
    said = keywright(*line)
    assert (said.code, said.err) == (0, "")
    assert said.out.startswith("Usage: keywright [OPTIONS] COMMAND [ARGS]...\n")


@pytest.mark.parametrize("line", [["--version"], ["-q", "--version"]])
def test_the_version_is_told(keywright: Keywright, line: list[str]) -> None:
    assert keywright(*line) == (0, "keywright 0.1.0\n", "")

"""Completion: the scripts of three shells, and what the program offers them."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from .conftest import Keywright

OFFERED = {
    "keywright co": ["compile", "completion"],
    "keywright local st": ["status"],
    "keywright compile --en": ["--engine", "--env"],
    "keywright compile --engine r": ["redis"],
    "keywright --env p": ["prod"],
    "keywright explain GEN10": ["GEN101", "GEN102", "GEN103", "GEN104", "GEN105", "GEN106", "GEN107"],
    "keywright check --format ": ["text", "concise", "json", "sarif", "github", "gitlab", "junit", "markdown"],
}


def offered(keywright: Keywright, monkeypatch: pytest.MonkeyPatch, line: str) -> list[str]:
    """What the program offers a shell at the end of a line."""
    monkeypatch.setenv("_KEYWRIGHT_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", line)
    monkeypatch.setenv("COMP_CWORD", str(len(line.split(" ")) - 1))
    said = keywright()
    assert (said.code, said.err) == (0, "")
    return said.out.split()


@pytest.mark.parametrize("line", OFFERED)
@pytest.mark.usefixtures("project")
def test_a_word_that_was_begun_is_completed(keywright: Keywright, monkeypatch: pytest.MonkeyPatch, line: str) -> None:
    assert offered(keywright, monkeypatch, line) == [f"plain,{word}" for word in OFFERED[line]]


@pytest.mark.parametrize("line", ["keywright --project ", "keywright compile --out ", "keywright init "])
@pytest.mark.usefixtures("project")
def test_where_a_folder_is_due_the_shell_offers_folders(
    keywright: Keywright, monkeypatch: pytest.MonkeyPatch, line: str
) -> None:
    assert offered(keywright, monkeypatch, line) == ["dir,"]


def test_outside_a_project_no_environment_is_offered(
    keywright: Keywright, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    assert offered(keywright, monkeypatch, "keywright --env ") == []


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_has_a_script(keywright: Keywright, shell: str) -> None:
    said = keywright("completion", shell)
    assert said.code == 0
    assert f"_KEYWRIGHT_COMPLETE={shell}_complete" in said.out


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash here")
def test_bash_completes_after_it_read_the_script(project: Path, tmp_path: Path) -> None:
    shim = tmp_path / "bin" / "keywright"
    shim.parent.mkdir()
    shim.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m keywright "$@"\n')
    shim.chmod(0o755)
    script = f"""
        PATH="{shim.parent}:$PATH"
        eval "$(keywright completion bash)"
        COMP_WORDS=(keywright local s); COMP_CWORD=2
        _keywright_completion keywright
        echo "${{COMPREPLY[@]}}"
    """
    ended = subprocess.run(["bash", "-c", script], check=False, capture_output=True, text=True)
    assert (ended.stdout, ended.stderr) == ("status\n", "")

"""Comparing the folder of artefacts with a build, and writing the differences."""

from pathlib import Path

from keywright.project.build import FileChange, changes, write_build

FILES = {"ir.json": "{}\n", "redis/a.conf": "port 1\n"}
OWNED = {"redis": (".conf",)}


def a_build(folder: Path, **files: str) -> Path:
    """A folder with these files; a double underscore stands for the slash, a single one for the dot."""
    for name, text in files.items():
        path = folder / name.replace("__", "/").replace("_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def test_an_equal_folder_has_no_changes(tmp_path: Path) -> None:
    assert changes(a_build(tmp_path, ir_json="{}\n", redis__a_conf="port 1\n"), FILES, OWNED) == []


def test_what_is_missing_is_new_and_what_differs_is_changed(tmp_path: Path) -> None:
    assert changes(a_build(tmp_path, redis__a_conf="port 2\n"), FILES, OWNED) == [
        FileChange("ir.json", "new"),
        FileChange("redis/a.conf", "changed"),
    ]


def test_line_ends_count(tmp_path: Path) -> None:
    folder = a_build(tmp_path, ir_json="{}\n")
    (folder / "redis").mkdir()
    (folder / "redis" / "a.conf").write_bytes(b"port 1\r\n")
    assert changes(folder, FILES, {}) == [FileChange("redis/a.conf", "changed")]


def test_what_is_not_text_is_new(tmp_path: Path) -> None:
    folder = a_build(tmp_path, ir_json="{}\n", redis__a_conf="")
    (folder / "redis" / "a.conf").write_bytes(b"\xff")
    assert changes(folder, FILES, {}) == [FileChange("redis/a.conf", "new")]


def test_only_files_with_a_known_ending_in_owned_folders_are_stale(tmp_path: Path) -> None:
    folder = a_build(
        tmp_path,
        ir_json="{}\n",
        redis__a_conf="port 1\n",
        redis__b_conf="",
        redis__c_txt="",
        mongodb__d_js="",
        e_json="",
    )
    (folder / "redis" / "f.conf").mkdir()
    assert changes(folder, FILES, OWNED) == [FileChange("redis/b.conf", "stale")]


def test_a_folder_is_made_equal(tmp_path: Path) -> None:
    folder = a_build(tmp_path, redis__b_conf="")
    write_build(folder, FILES, changes(folder, FILES, OWNED))
    assert {str(file.relative_to(folder)): file.read_text() for file in folder.rglob("*") if file.is_file()} == FILES

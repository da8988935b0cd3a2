"""A golden file that differs is shown as a short diff."""

from pathlib import Path

from tests.goldens import LONGEST, difference


def test_equal_texts_have_no_difference(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("a\nb\n")
    assert difference(tmp_path / "a.txt", "a\nb\n") == ""


def test_a_changed_line_is_shown_between_its_neighbours(tmp_path: Path) -> None:
    golden = tmp_path / "a.txt"
    golden.write_text("a\nb\nc\nd\ne")
    assert difference(golden, "a\nb\nx\nd\ne") == f"--- {golden}\n+++ now\n@@ -2,3 +2,3 @@\n b\n-c\n+x\n d\n"


def test_a_missing_line_end_is_a_difference(tmp_path: Path) -> None:
    golden = tmp_path / "a.txt"
    golden.write_text("a\n")
    assert difference(golden, "a") != ""


def test_a_long_difference_is_cut(tmp_path: Path) -> None:
    golden = tmp_path / "a.txt"
    golden.write_text("a\n" * 100)
    lines = difference(golden, "b\n" * 100).splitlines()
    assert (len(lines), lines[-1]) == (LONGEST + 1, "… and 163 more lines")


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    assert difference(tmp_path / "a.txt", "a") == f"{tmp_path / 'a.txt'} does not exist\n"

"""The checksum file: cumulative, independent of tests and line ends."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from keywright.migrations.checksums import Checksums, checksums_of, read

TWO = (
    ("0001_baseline", {"migration.yaml": b'version: "0001"\n'}),
    ("0002_add_slug", {"migration.yaml": b'version: "0002"\n', "rendered/mongodb/010.js": b"1;\n"}),
)


def test_the_file_is_the_documented_one() -> None:
    assert checksums_of(TWO).text == (
        "keywright-sum 1 95cf294d0b47ee74de8c39184ffc6be81110e6146768de997865279934870db8\n"
        "0001_baseline 5149b0d7c1ff337f4755b8a959506fcc3ff5f954b564ce75f232413a99eb3012\n"
        "0002_add_slug 9767d34f90d72a67e1fdd70e29f0ef9fd27ecf738c52c735fbbc2bf7d2fbeeb6\n"
    )


@settings(deadline=None)
@given(st.integers(1, 6), st.integers(0, 5), st.binary(min_size=1, max_size=4))
def test_an_edit_changes_the_lines_from_its_version_on(count: int, at: int, more: bytes) -> None:
    at %= count
    folders = [(f"{number:04d}_v", {"migration.yaml": b"x"}) for number in range(count)]
    edited = [*folders[:at], (folders[at][0], {"migration.yaml": b"x" + more}), *folders[at + 1 :]]
    before, after = checksums_of(folders).entries, checksums_of(edited).entries
    same = [entry == other for entry, other in zip(before, after, strict=True)]
    if more.replace(b"\r\n", b"\n"):
        assert same == [True] * at + [False] * (count - at)


def test_tests_caches_and_line_ends_do_not_count() -> None:
    more = {"test_it.py": b"1", "__pycache__/x.pyc": b"2", ".DS_Store": b"3"}
    windows = {"migration.yaml": b'version: "0001"\r\n'}
    assert checksums_of([("0001_baseline", {**windows, **more})]).entries == checksums_of(TWO[:1]).entries


def test_it_is_read_back_and_edits_are_noticed() -> None:
    checksums = checksums_of(TWO)
    assert read(checksums.text) == checksums
    assert read(Checksums(()).text) == Checksums(())
    for broken in (
        checksums.text.replace("0002", "0003"),
        checksums.text + "<<<<<<< HEAD\n",
        checksums.text[:-1] + "0\n",
        "x",
    ):
        with pytest.raises(ValueError, match=r"first line|no entries"):
            read(broken)

"""The access matrix as a page, in a real browser: at two widths, in both colour schemes."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.live.browser import Tab, opened, program

from keywright import api
from keywright.api.check.matrix import lines
from keywright.report.matrix import MatrixRow
from keywright.report.page import page

pytestmark = pytest.mark.live
ROOT = Path(__file__).parents[2]
ROWS = "[...document.querySelectorAll('tbody tr:not(.context)')]"


@pytest.fixture(scope="module")
def found() -> list[MatrixRow]:
    project = api.load(str(ROOT))
    return list(lines(api.plan_access(api.compile(project)), lambda file: str(Path(file).relative_to(ROOT))))


@pytest.fixture(scope="module")
def tab(found: list[MatrixRow], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tab]:
    executable = program()
    if executable is None:
        reason = "no Chromium: `make browser` gets one, KEYWRIGHT_CHROMIUM names one"
        pytest.fail(reason) if os.environ.get("KEYWRIGHT_REQUIRE_ENGINES") == "all" else pytest.skip(reason)
    file = tmp_path_factory.mktemp("page") / "patterns.html"
    file.write_text(page("shop", "dev", found), encoding="utf-8")
    with opened(executable, file) as tab:
        yield tab


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_every_pattern_is_shown_and_nothing_overflows(
    tab: Tab, found: list[MatrixRow], width: int, scheme: str
) -> None:
    tab.shape(width, 900, scheme)
    names = tab.ask(f"{ROWS}.map(row => row.querySelector('strong').textContent)")
    assert names == [line.pattern.name for line in found]
    assert tab.ask("document.documentElement.scrollWidth") == width
    too_wide = "el => el.scrollWidth > el.clientWidth + 1 && el.clientWidth > 0"
    assert (
        tab.ask(f"[...document.querySelectorAll('td, code, small')].filter({too_wide}).map(el => el.textContent)") == []
    )
    outside = f"{ROWS}.filter(row => row.getBoundingClientRect().right > {width} + 1).length"
    assert tab.ask(outside) == 0


def test_light_and_dark_are_two_schemes_that_can_both_be_read(tab: Tab) -> None:
    seen = set()
    for scheme in ("light", "dark"):
        tab.shape(1280, 900, scheme)
        back = tab.ask("getComputedStyle(document.body).backgroundColor")
        seen.add(back)
        for selector in ("body", "small", "tr.served td:last-child"):
            colour = tab.ask(f"getComputedStyle(document.querySelector('{selector}')).color")
            assert contrast(colour, back) >= 4.5, (scheme, selector, colour, back)
    assert len(seen) == 2


def test_a_search_leaves_what_holds_all_its_words(tab: Tab, found: list[MatrixRow]) -> None:
    tab.shape(1280, 900, "light")
    shown = f"{ROWS}.filter(row => row.offsetParent !== null).map(row => row.querySelector('strong').textContent)"
    search(tab, "orders_of_user dynamodb")
    assert tab.ask(shown) == ["orders_of_user"]
    assert tab.ask("document.getElementById('shown').textContent") == "1"
    search(tab, "nothing has these words")
    assert tab.ask(shown) == []
    search(tab, "")
    assert len(tab.ask(shown)) == len(found)


def test_a_click_on_a_heading_sorts_and_another_turns_it(tab: Tab) -> None:
    tab.shape(1280, 900, "light")
    values = (
        "[...document.querySelectorAll('tbody')].map(body =>"
        " [...body.querySelectorAll('tr:not(.context)')].map(row => Number(row.cells[3].dataset.value)))"
    )
    tab.ask("document.querySelectorAll('thead th')[3].querySelector('button').click()")
    for group in tab.ask(values):
        assert group == sorted(group)
    tab.ask("document.querySelectorAll('thead th')[3].querySelector('button').click()")
    for group in tab.ask(values):
        assert group == sorted(group, reverse=True)


def test_the_page_asks_for_nothing_outside_itself(tab: Tab) -> None:
    assert tab.ask("performance.getEntriesByType('resource').length") == 0


def search(tab: Tab, words: str) -> None:
    tab.ask(
        f"(() => {{ const box = document.getElementById('search'); box.value = '{words}';"
        " box.dispatchEvent(new Event('input')); })()"
    )


def contrast(one: str, other: str) -> float:
    """Contrast of two colours. Source: https://www.w3.org/TR/WCAG21/#dfn-contrast-ratio, 2026-11-21."""
    lighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: str) -> float:
    parts = [int(part) / 255 for part in colour.removeprefix("rgb(").removesuffix(")").split(",")]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue

"""Updates of MongoDB that find their document by a unique index, across schema versions, on a real server."""

import itertools
from collections.abc import Iterator

import pytest
from tests.live.conftest import Start
from tests.live.versioned import Versioned, versioned

from keywright import runtime

pytestmark = pytest.mark.live


@pytest.fixture(scope="module")
def store(start: Start, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Versioned]:
    with versioned("unique", start("mongodb"), tmp_path_factory.mktemp("unique")) as created:
        yield created


CALLS = {"label_by_mail": ({"label": "x"}, {2: 1, 3: 3}), "state_by_mail": ({"state": "x"}, {2: 2, 3: 2}),
         "add_by_mail": ({"by": 2}, {}), "push_by_mail": ({"tags": "x"}, {})}  # fmt: skip
"""Writes by the unique index: their values, and the first version that each code's write admits."""


@pytest.mark.parametrize(("code", "stored"), [*itertools.product((1, 2, 3), (1, 2, 3))])
@pytest.mark.parametrize("call", CALLS)
def test_a_write_by_a_unique_index_meets_a_document_of_any_version(
    store: Versioned, call: str, code: int, stored: int
) -> None:
    values, least = CALLS[call]
    key = f"{call}{code}{stored}"
    store.apps[stored].put(key, mail=key)
    before = store.stored(key)
    if least.get(code, 1) <= stored <= code:
        store.apps[code](call, mail=key, **values)
        after = store.stored(key)
        assert after != before
        assert after.get("_kw_v") == before.get("_kw_v")
        return
    with pytest.raises(runtime.WrongVersion) as caught:
        store.apps[code](call, mail=key, **values)
    assert (caught.value.entity, caught.value.stored, caught.value.code) == ("Thing", stored, code)
    assert key not in str(caught.value)
    assert store.stored(key) == before


@pytest.mark.parametrize("code", [1, 2, 3])
@pytest.mark.parametrize("call", CALLS)
def test_a_value_that_no_document_has_is_a_failed_condition(store: Versioned, call: str, code: int) -> None:
    with pytest.raises(runtime.ConditionFailed):
        store.apps[code](call, mail="nobody", **CALLS[call][0])

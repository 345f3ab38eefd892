"""The evenings of the letters once more, each on PostgreSQL."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from feltwork.site.books.connection import Connection
from tests.books.room import BooksRoom
from tests.progressive import test_scenarios

EVENINGS = [
    (name, lock_at)
    for name, scenario in vars(test_scenarios).items()
    if name.startswith("test_") and "Room" in scenario.__code__.co_names
    for lock_at in (("claim", "confirm") if "lock_at" in scenario.__code__.co_varnames[:1] else (None,))
]


@pytest.fixture
def scenarios(fresh: Connection, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The module of the pure scenarios, with rooms whose books are PostgreSQL."""
    monkeypatch.setattr(test_scenarios, "Room", partial(BooksRoom, fresh))
    return test_scenarios


@pytest.mark.requirement("LT-02", "LT-03", "LT-05", "LT-06", "LT-07", "LT-08", "LT-09", "GEN-10", "WA-05")
@pytest.mark.parametrize(("name", "lock_at"), EVENINGS)
def test_an_evening_on_postgresql(scenarios: Any, name: str, lock_at: str | None) -> None:
    evening: Callable[..., None] = getattr(scenarios, name)
    evening(lock_at) if lock_at else evening()

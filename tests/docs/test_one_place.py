"""A figure or a list that code decides is written in one place, and that place agrees with the code."""

import re

from feltwork.site.wire.streams import consumer_config
from tests.docs.console import ROOT, tracked_files

PAGES = {
    str(path.relative_to(ROOT)): path.read_text(encoding="utf-8")
    for path in tracked_files()
    if path.suffix == ".md" and (path.parent == ROOT or (ROOT / "docs") in path.parents)
}


def pages_with(pattern: str) -> list[str]:
    return sorted(name for name, text in PAGES.items() if re.search(pattern, text, flags=re.M))


def test_settings_and_options_are_listed_by_built_pages_only() -> None:
    assert pages_with(r"^\| `FELTWORK_") == []
    # The page of rehearsals explains what each way of running one proves.
    assert pages_with(r"^\| `--") == ["docs/rehearsals.md"]


def test_the_redelivery_time_is_written_once_and_is_the_consumer_s() -> None:
    seconds = consumer_config("sevens").ack_wait
    page = "docs/operating/bookkeeper.md"
    assert pages_with(r"\d+ seconds \(`ack_wait`\)") == [page]
    assert f"after {seconds:g} seconds (`ack_wait`)" in PAGES[page]


def test_the_time_of_a_ci_run_is_written_once() -> None:
    assert pages_with(r"\.ci/run.*(\bmin\b|minutes|hour)") == ["docs/results.md"]

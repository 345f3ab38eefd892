"""The architecture page names packages and functions that exist."""

import pkgutil
import re

import feltwork
from tests.docs.console import ROOT

PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")


def test_every_function_of_the_trace_exists() -> None:
    names = re.findall(r"`(feltwork\.[\w.]+)`", PAGE)
    assert len(names) > 15
    for name in names:
        pkgutil.resolve_name(name)


def test_every_package_is_on_the_map() -> None:
    table = PAGE.partition("## Packages")[2].partition("\n## ")[0]
    packages = {
        name
        for row in re.findall(r"^\| (`.*?) \|", table, flags=re.M)
        for name in re.findall(r"`(\w+)`", row)
    }
    assert packages == {module.name for module in pkgutil.iter_modules(feltwork.__path__)}

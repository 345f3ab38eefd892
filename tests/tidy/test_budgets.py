"""Budgets: how many lines and how many concepts the project may have, from pyproject.toml."""

import re
import subprocess
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

from feltwork.site.books.reports.registry import REPORTS
from feltwork.site.compliance import floor_keys
from feltwork.site.progressive.fact_serializer import KINDS
from feltwork.site.web.app import application
from feltwork.site.web.screens.alarms import ALARM_TEXTS
from feltwork.site.web.settings import Settings
from tools.areas import package
from tools.command_pages import commands

ROOT = Path(__file__).parent.parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
SCHEMA = (ROOT / "src/feltwork/site/books/schema/current.sql").read_text(encoding="utf-8")


def tracked(pattern: str) -> list[Path]:
    names = subprocess.run(["git", "ls-files", pattern], cwd=ROOT, capture_output=True, text=True, check=True)
    return [ROOT / name for name in names.stdout.splitlines() if (ROOT / name).is_file()]


def lines(pattern: str) -> int:
    return sum(len(path.read_text(encoding="utf-8").splitlines()) for path in tracked(pattern))


def measured_lines() -> dict[str, int]:
    measured: Counter[str] = Counter()
    for path in tracked("src/*.py"):
        measured[f"src/{package(path.relative_to(ROOT / 'src/feltwork').parts)}"] += len(
            path.read_text(encoding="utf-8").splitlines()
        )
    measured |= {name: lines(f"{name}/*.py") for name in ("src", "lab", "tests", "tools", "bench")}
    pages = [path for path in tracked("*.md") if path.relative_to(ROOT).parts[0] not in ("src", "changes")]
    return {**measured, "words": sum(len(path.read_text(encoding="utf-8").split()) for path in pages)}


def measured_concepts() -> dict[str, int]:
    routes = list(addresses())
    roles = tomllib.loads((ROOT / "src/feltwork/site/compliance/roles.toml").read_text(encoding="utf-8"))
    extras = PROJECT["project"]["optional-dependencies"].values()
    requirements = [*PROJECT["project"]["dependencies"], *(name for extra in extras for name in extra)]
    dependencies = {re.split(r"[\[<>=!~ ]", name)[0] for name in requirements} - {"feltwork"}
    return {
        "kinds of facts": len(KINDS),
        "SQL tables": len(re.findall(r"^CREATE TABLE", SCHEMA, re.MULTILINE)),
        "SQL views": len(re.findall(r"^CREATE (?:OR REPLACE )?VIEW", SCHEMA, re.MULTILINE)),
        "SQL functions": len(re.findall(r"^CREATE (?:OR REPLACE )?FUNCTION", SCHEMA, re.MULTILINE)),
        "API routes": sum(path.startswith("/api/") for path in routes),
        "page routes": sum(not path.startswith("/api/") for path in routes),
        "commands of roles": len(roles["command"]),
        "roles": len(roles["role"]),
        "settings": len(Settings.model_fields),
        "floor keys": sum(len(keys) for name, keys in vars(floor_keys).items() if name.isupper()),
        "reports": len(REPORTS),
        "alarms": len(ALARM_TEXTS),
        "programs": len(tracked("*/feltwork-*.service")),
        "command-line commands": len(commands()),
        "dependencies": len(dependencies),
    }


def addresses() -> Iterator[str]:
    """The path of every route, once for each of its methods."""
    for router in application(Settings(dsn="host=nowhere")).routes:
        contexts = getattr(router, "effective_route_contexts", None)
        for route in contexts() if contexts else (router,):
            for _ in getattr(route, "methods", None) or ():
                yield str(getattr(route, "path", ""))


def exceeded(measured: Mapping[str, int], budget: Mapping[str, int]) -> list[str]:
    assert measured.keys() == budget.keys(), "pyproject.toml names what is measured, and nothing else"
    print(*(f"{name}: {count:,} of {budget[name]:,}" for name, count in measured.items()), sep="\n")
    return [
        f"{name}: {count:,}, and the budget is {budget[name]:,}: remove something, or lower another part"
        for name, count in measured.items()
        if count > budget[name]
    ]


def test_lines_stay_within_their_budget() -> None:
    assert exceeded(measured_lines(), PROJECT["tool"]["feltwork"]["lines"]) == []


def test_concepts_stay_within_their_budget() -> None:
    assert exceeded(measured_concepts(), PROJECT["tool"]["feltwork"]["concepts"]) == []


def test_a_budget_that_is_exceeded_names_itself_and_the_remedy() -> None:
    assert exceeded({"src": 7, "tests": 9}, {"src": 7, "tests": 8}) == [
        "tests: 9, and the budget is 8: remove something, or lower another part"
    ]

"""Hosted CI runs every test folder, on every version that we say we support."""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]

from feltwork.site.servers.postgres import EmbeddedPostgres

ROOT = Path(__file__).parent.parent.parent
WORKFLOWS = ROOT / ".github" / "workflows"
JOBS: dict[str, Any] = yaml.safe_load((WORKFLOWS / "ci.yml").read_text(encoding="utf-8"))["jobs"]
POSTGRES = {"15", "16", "17", "18"}


def folders(text: str) -> set[str]:
    """The test folders that a command names."""
    return set(re.findall(r"tests/(\w+)", text))


def commands(job: dict[str, Any]) -> str:
    """What a job runs, with its shards."""
    shards = job.get("strategy", {}).get("matrix", {}).get("shard", [])
    return " ".join([step.get("run", "") for step in job["steps"]] + [shard["tests"] for shard in shards])


def test_every_folder_of_tests_is_run() -> None:
    justfile = (ROOT / "justfile").read_text(encoding="utf-8")
    run = {name for job in JOBS.values() for name in folders(commands(job))}
    assert "just quick" in commands(JOBS["pure"])
    run |= folders(re.search(r"^pure := (.*)$", justfile, flags=re.M).group(1))  # type: ignore[union-attr]
    every = {path.parent.name for path in (ROOT / "tests").glob("*/test_*.py")}
    assert run == every


def test_the_matrix_is_what_we_say_we_support() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    python = set(re.findall(r"Python :: (3\.\d+)", " ".join(project["classifiers"])))
    assert min(python, key=lambda version: int(version[2:])) == project["requires-python"].removeprefix(">=")
    servers = JOBS["servers"]["strategy"]["matrix"]["versions"]
    pairs = JOBS["every-pair"]["strategy"]["matrix"]
    assert set(JOBS["pure"]["strategy"]["matrix"]["python"]) == python
    assert {versions["python"] for versions in servers} == set(pairs["python"]) == python
    assert {versions["postgres"] for versions in servers} == set(pairs["postgres"]) == POSTGRES
    assert f"PostgreSQL from {min(POSTGRES)} on" in (ROOT / "docs" / "books.md").read_text(encoding="utf-8")


def test_a_workflow_gets_no_more_rights_than_it_needs() -> None:
    for file in WORKFLOWS.glob("*.yml"):
        workflow = yaml.safe_load(file.read_text(encoding="utf-8"))
        assert workflow["permissions"] == {"contents": "read"}, file.name
        assert all("timeout-minutes" in job for job in workflow["jobs"].values()), file.name
    release = yaml.safe_load((WORKFLOWS / "release.yml").read_text(encoding="utf-8"))["jobs"]
    assert [name for name, job in release.items() if "environment" in job] == ["publish"]


def test_ci_runs_the_same_checks_as_a_person() -> None:
    assert ".ci/lint" in commands(JOBS["lint"])
    assert ".ci/lint" in (ROOT / ".ci" / "tests").read_text(encoding="utf-8")
    lint = (ROOT / ".ci" / "lint").read_text(encoding="utf-8")
    hooks = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))["repos"][0][
        "hooks"
    ]
    tools = {hook["entry"].removeprefix("uv run --no-sync ").split()[0] for hook in hooks}
    assert [tool for tool in tools if f"uv run --no-sync {tool}" not in lint] == []


def test_the_servers_are_the_version_that_a_job_names(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (variable,) = JOBS["servers"]["env"]
    assert JOBS["every-pair"]["env"].keys() == {variable}
    monkeypatch.setenv(variable, "/usr/bin")
    assert EmbeddedPostgres(tmp_path).binary("postgres") == Path("/usr/bin/postgres")

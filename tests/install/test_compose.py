"""A house as a composition: what it starts and sets exists, nobody has more than their own."""

import re
import shutil
import subprocess
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import msgspec.yaml
import pytest

from feltwork.site.books.people.logins import LOGINS, SQL_FILE
from feltwork.site.servers.nats_permissions import BOOKS, SERVER, SERVICE
from tests.docs.console import ROOT
from tools.command_pages import commands, variables

HOUSE: dict[str, Any] = msgspec.yaml.decode((ROOT / "compose.yaml").read_bytes())
SERVICES: dict[str, dict[str, Any]] = HOUSE["services"]
OURS = {name: service for name, service in SERVICES.items() if service["image"].startswith("feltwork:")}

#: No room installs these and no laboratory hashes them: they are in `lab`.
PROOF_TOOLS = re.compile(r"(?<![a-z])(attack|fault|planted|tortur|vopr|card_room)")


def verify_command(words: list[str]) -> None:
    command = commands()[words[0]]
    known = {text for option in command.params for text in (*option.opts, *option.secondary_opts)}
    assert {word for word in words[1:] if word.startswith("--")} <= known


@pytest.mark.parametrize("name", OURS)
def test_a_service_runs_a_command_that_there_is_with_settings_that_there_are(name: str) -> None:
    verify_command([str(word) for word in OURS[name]["command"]])
    assert {
        variable for variable in OURS[name]["environment"] if variable.startswith("FELTWORK_")
    } <= variables()


def test_every_file_that_is_named_is_declared_and_made_by_init() -> None:
    files = {f"./house/logins/{file}" for _, file in LOGINS.values()} | {f"./house/logins/{SQL_FILE}"}
    files |= {
        f"./house/keys/{who}.{kind}" for who in (BOOKS, SERVER, SERVICE) for kind in ("pem", "key", "seed")
    }
    files |= {f"./house/keys/{name}" for name in ("authority.pem", "server.conf", "site.key", "pin.key")}
    by_hand = {"./house/superuser", "./house/approved.toml", "./house/floor.toml", "./deploy/proxy/Caddyfile"}
    declared = {**HOUSE["secrets"], **HOUSE["configs"]}
    assert {entry["file"] for entry in declared.values()} <= files | by_hand
    used = {secret for service in SERVICES.values() for secret in service.get("secrets", [])}
    used |= {config["source"] for service in SERVICES.values() for config in service.get("configs", [])}
    assert used == set(declared)
    volumes = {text.partition(":")[0] for service in SERVICES.values() for text in service.get("volumes", [])}
    by_hand = {"./house/timestamp"}  # the certificate of a time-stamping authority, if there is one
    assert volumes - by_hand == set(HOUSE["volumes"])


def test_nobody_has_more_than_their_own() -> None:
    """Only the migrations own the schema, only PostgreSQL knows its superuser, no part has another's key."""
    holders = {
        secret: {name for name, service in SERVICES.items() if secret in service.get("secrets", [])}
        for secret in HOUSE["secrets"]
    }
    assert holders["owner.pgpass"] == {"migrate"}
    assert holders["superuser"] == {"books"}
    assert holders["books.seed"] == {"bookkeeper"}
    assert holders["service.seed"] == {"web"}
    assert holders["server.key"] == {"log"}
    assert holders["site.key"] == {"web", "heads"}
    assert holders["pin.key"] == {"web", "bookkeeper", "migrate"}, "who asks for PINs, and not the database"
    for name, service in OURS.items():
        assert (service["read_only"], service["cap_drop"]) == (True, ["ALL"]), name
        login = re.search(r"user=(\w+)", service["environment"]["FELTWORK_DSN"])
        assert login is not None
        assert f"/run/secrets/{LOGINS[login[1]][1]}".endswith(tuple(service["secrets"])), name
    assert [name for name, service in SERVICES.items() if "ports" in service] == ["log", "proxy"]
    assert SERVICES["proxy"]["environment"]["FELTWORK_SERVICE"] == "web:8017"
    assert SERVICES["books"]["networks"] == ["inside"]
    inside = HOUSE["networks"]["inside"]
    assert inside["internal"] is True
    trusted = SERVICES["web"]["environment"]["FELTWORK_TRUSTED_PROXIES"]
    assert inside["ipam"]["config"] == [{"subnet": trusted}], "those that reach it are inside"


def test_everything_that_lasts_is_watched_and_started_again() -> None:
    for name, service in SERVICES.items():
        lasting = name not in ("migrate", "heads")
        assert service["restart"] == ("unless-stopped" if lasting else "no")
        assert ("healthcheck" in service) == lasting
    for name in ("bookkeeper", "web"):
        assert SERVICES[name]["depends_on"]["migrate"] == {"condition": "service_completed_successfully"}


def test_what_the_image_copies_is_enough_to_build_it(tmp_path: Path) -> None:
    """No engine builds the image here; its first stage is a copy and a build, and these can be done."""
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    copied = [
        line.split()[1:-1] for line in text.splitlines() if line.startswith("COPY ") and "--from" not in line
    ]
    allowed = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    for name in [path for line in copied for path in line]:
        assert f"!{name}" in allowed
        source, target = ROOT / name, tmp_path / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copytree(source, target) if source.is_dir() else shutil.copy(source, target)
    build = ["uv", "build", "--quiet", "--wheel", "--out-dir", str(tmp_path / "dist"), str(tmp_path)]
    result = subprocess.run(build, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    (wheel,) = (tmp_path / "dist").glob("*.whl")
    with zipfile.ZipFile(wheel) as opened:
        names = set(opened.namelist())
    assert {"feltwork/site/books/schema/current.sql", "feltwork/rehearsal/verify_books.py"} <= names
    assert {name.partition("/")[0].partition("-")[0] for name in names} == {"feltwork"}
    assert [name for name in names if PROOF_TOOLS.search(name)] == []
    extras = re.findall(r"--extra (\w+)", text)
    assert set(extras) <= set(
        tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    )

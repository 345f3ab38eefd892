"""The files of a site on three machines: each host has its own, and nats-server takes them."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.console import ROOT, commands

FLOOR = ROOT / "examples" / "card_room.toml"
BESIDE = Path(sys.executable).parent
NODES = ("site-1", "site-2", "site-3")


def follow(folder: Path, *changes: tuple[str, str]) -> subprocess.CompletedProcess[str]:
    """Run the first command of the guide, with changes."""
    (folder / "house").mkdir(exist_ok=True)
    (folder / "house/floor.toml").write_bytes(FLOOR.read_bytes())
    (command,) = commands("docs/guides/three_hosts.md", "prepare")
    for old, new in changes:
        assert old in command
        command = command.replace(old, new)
    env = {**os.environ, "PATH": f"{BESIDE}:{os.environ['PATH']}", "FELTWORK_DSN": ""}
    return subprocess.run(
        ["bash", "-c", command], cwd=folder, env=env, capture_output=True, text=True, check=False
    )


@pytest.fixture(scope="module")
def hosts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("three")
    result = follow(folder)
    assert result.returncode == 0, result.stderr
    return folder / "house/hosts"


def test_nats_takes_the_configuration_of_each_host(hosts: Path) -> None:
    for host in (*NODES, "pit-1"):
        command = [str(BESIDE / "nats-server"), "-t", "-c", "server.conf"]
        result = subprocess.run(
            command, cwd=hosts / host / "log", capture_output=True, text=True, check=False
        )
        assert "is valid" in result.stderr, result.stderr


@pytest.mark.requirement("GEN-07")
def test_nodes_accept_each_other_and_no_device(hosts: Path) -> None:
    configs = [json.loads((hosts / node / "log/server.conf").read_text()) for node in NODES]
    assert {config["server_name"] for config in configs} == set(NODES)
    for config in configs:
        cluster = config["cluster"]
        assert cluster["tls"]["verify"]
        assert len(set(cluster["tls"]["pinned_certs"])) == len(cluster["routes"]) == len(NODES)
        assert not any("127.0.0.1" in listener for listener in (cluster["listen"], config["listen"]))


def test_a_pit_has_no_key_of_the_books_and_no_password(hosts: Path) -> None:
    assert {path.name for path in hosts.joinpath("pit-1").rglob("*") if path.is_file()} == {
        "server.conf", "server.pem", "server.key", "authority.pem"
    }  # fmt: skip
    for path in hosts.rglob("*"):
        if path.suffix in (".key", ".seed", ".pgpass", ".conf"):
            assert path.stat().st_mode & 0o077 == 0, path


def test_the_programs_of_each_node_have_the_keys_of_the_site(hosts: Path) -> None:
    keys = hosts.parent / "keys"
    for node in NODES:
        for name in ("books/site.key", "books/pin.key", "owner/pin.key"):
            assert (hosts / node / name).read_bytes() == (keys / Path(name).name).read_bytes()
        assert "FELTWORK_PIN_KEY=/etc/feltwork/owner/pin.key" in (hosts / node / "owner.env").read_text()
        assert not (hosts / node / "postgresql/pin.key").exists(), "not beside the database"


def test_a_commit_waits_for_one_of_two_standbys(hosts: Path) -> None:
    for node in NODES:
        settings = (hosts / node / "postgresql/feltwork.conf").read_text()
        assert """synchronous_standby_names = 'ANY 1 ("site-1", "site-2", "site-3")'""" in settings
        assert f"cluster_name = '{node}'" in settings
        followed = re.search(r"primary_conninfo = 'host=(\S+)", settings)
        assert followed is not None
        assert followed[1].split(",") == [f"10.77.0.{other[-1]}" for other in NODES if other != node]


def test_what_exists_is_kept(hosts: Path) -> None:
    before = {path: path.read_bytes() for path in hosts.parent.rglob("*") if path.suffix in (".key", ".seed")}
    assert follow(hosts.parents[1]).returncode == 0
    assert {path: path.read_bytes() for path in before} == before


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (" --node site-3=10.77.0.3", "", "there are 2 nodes"),
        ("site-3=10.77.0.3", "site-3", "cannot be read"),
        (" --logins house/logins", "", "hosts need keys, logins and a floor file"),
    ],
)
def test_a_site_that_could_not_lose_a_host_is_refused(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    result = follow(tmp_path, (old, new))
    assert (result.returncode, message in result.stderr) == (2, True), result.stderr

"""What `feltwork install` puts on a Debian machine; tools/install_test.py installs it on a real one."""

import os
import re
import shutil
import subprocess
import sys
import tarfile
import time
from pathlib import Path

import pytest

from feltwork.cli.setup import debian_installer, doctor_checks
from feltwork.cli.setup.debian_installer import FILES, Installer, unit_files
from feltwork.cli.setup.system_changes import SystemChanges
from feltwork.problem import ProblemsError
from feltwork.site.books.people.logins import LOGINS
from tests.docs.console import ROOT
from tests.install.test_compose import verify_command
from tools.command_pages import variables

SYSTEMD = shutil.which("systemd-analyze")
PROGRAM = str(Path(sys.executable).with_name("feltwork"))
SERVICES = {path.name: text for path, text in unit_files().items() if path.suffix == ".service"}
TIMERS = {path.stem: text for path, text in unit_files().items() if path.suffix == ".timer"}
(HARDENING,) = (text for path, text in unit_files().items() if path.name == "hardening.conf")


def settings_of(text: str) -> dict[str, str]:
    pairs = (line.partition("=") for line in text.splitlines() if "=" in line and not line.startswith("#"))
    return {name: value.strip('"') for name, _, value in pairs}


@pytest.mark.parametrize("name", SERVICES)
def test_a_unit_runs_a_command_that_there_is_without_rights_it_does_not_need(name: str) -> None:
    settings = settings_of(SERVICES[name])
    for words in (settings["ExecStart"].split(), settings.get("ExecCondition", "").split()):
        if words[:1] == [PROGRAM]:
            verify_command(words[1:])
    # Only the restart of the log after a full disk runs as root.
    is_root = settings["ExecStart"].startswith("+")
    assert is_root == (name == "feltwork-log-restart.service")
    assert not is_root or "--log-stuck" in settings["ExecCondition"]
    # Only the backup may write anywhere: its repository may be on any disk.
    assert settings["ProtectSystem"] == ("full" if name == "feltwork-backup.service" else "strict")
    if settings["User"] != "postgres":
        users = (FILES / "feltwork.sysusers").read_text(encoding="utf-8")
        assert re.search(rf"^u {settings['User']} ", users, flags=re.M)


def test_every_unit_is_hardened_and_started_again_however_often_it_fails() -> None:
    shared = settings_of(HARDENING)
    assert (shared["NoNewPrivileges"], shared["CapabilityBoundingSet"]) == ("yes", "")
    assert shared["StartLimitIntervalSec"] == "0"
    # With it, the end of a backup would remove the shared memory of PostgreSQL, whose user it runs as.
    assert "RemoveIPC" not in shared
    for name, text in SERVICES.items():
        settings = settings_of(text)
        assert not settings.keys() & shared.keys() - {"Description"}, f"{name} would be overruled"
        if name == "feltwork-migrate.service":
            assert f"until {PROGRAM} init; do sleep 2; done" in settings["ExecStart"]
            assert settings["TimeoutStartSec"] == "infinity"
        elif name.removesuffix(".service") in TIMERS:
            assert settings["Type"] == "oneshot"
        else:
            assert settings["Restart"] == "always"


def test_every_timer_has_its_service_and_is_enabled() -> None:
    assert {f"{name}.service" for name in TIMERS} <= set(SERVICES)
    assert {f"{name}.timer" for name in TIMERS} == set(debian_installer._TIMERS)


@pytest.mark.parametrize("name", ["service.env", "owner.env"])
def test_the_settings_of_the_units_are_settings(name: str) -> None:
    settings = settings_of((FILES / name).read_text(encoding="utf-8"))
    assert set(settings) <= variables()
    login = re.search(r"user=(\w+) passfile=\S+/(\S+)$", settings["FELTWORK_DSN"])
    assert login is not None
    assert LOGINS[login[1]][1] == login[2]


def test_nobody_reads_the_files_of_another() -> None:
    files = {user: set(names) for user, (_, names) in debian_installer._OWN_FILES.items()}
    assert files["feltwork-log"] & files["feltwork"] == {"authority.pem"}
    assert files["feltwork-owner"] == {"owner.pgpass", "pin.key"}
    assert not any("authority.key" in names for names in files.values())


def test_a_file_is_written_once_with_its_owner_and_mode(tmp_path: Path) -> None:
    messages: list[str] = []
    changes = SystemChanges(say=messages.append)
    path = tmp_path / "etc" / "secret"
    assert changes.write(path, "one", mode=0o600)
    assert not changes.write(path, "one", mode=0o600)
    assert changes.write(path, "two", mode=0o640)
    assert (path.read_text(encoding="utf-8"), path.stat().st_mode & 0o777) == ("two", 0o640)
    assert messages == [f"write {path}"] * 2
    assert (changes.delete(path), changes.delete(path)) == (True, False)


def test_only_folders_of_ours_are_deleted(tmp_path: Path) -> None:
    """PostgreSQL does not start without its folder conf.d."""
    changes = SystemChanges(say=lambda _: None)
    for folder in ("conf.d", "feltwork-.service.d"):
        changes.write(tmp_path / folder / "feltwork.conf", "text")
        changes.delete(tmp_path / folder / "feltwork.conf")
    assert [path.name for path in tmp_path.iterdir()] == ["conf.d"]


def test_the_doctor_warns_until_a_set_is_made_and_after_each_change(tmp_path: Path) -> None:
    for name in ("service.env", "floor.toml"):
        (tmp_path / name).touch()

    def check() -> tuple[str, str]:
        (found,) = doctor_checks.recovery(tmp_path)
        return found.state, found.what

    assert check() == (
        "warning",
        "there is no recovery set: with this machine, every key and login would be lost",
    )
    (tmp_path / doctor_checks.SET_MADE).touch()
    assert check()[0] == "well"
    later = time.time() + 5
    os.utime(tmp_path / "floor.toml", (later, later))
    assert check()[0] == "warning"
    assert "changed since" in check()[1]


def test_a_dry_run_changes_nothing(tmp_path: Path) -> None:
    messages: list[str] = []
    changes = SystemChanges(say=messages.append, dry_run=True)
    changes.write(tmp_path / "file", "text", owner="nobody-here")
    changes.folder(tmp_path / "folder", owner="nobody-here")
    changes.run("false")
    assert list(tmp_path.iterdir()) == []
    assert messages == [f"write {tmp_path / 'file'}", f"make {tmp_path / 'folder'}", "run false"]


def test_a_command_that_fails_says_why() -> None:
    with pytest.raises(ProblemsError, match="no-such-folder"):
        SystemChanges(say=lambda _: None).run("ls", "/no-such-folder")


def test_only_root_installs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    for act in ("install", "remove"):
        installer = Installer(SystemChanges(say=lambda _: None, dry_run=True))
        with pytest.raises(ProblemsError, match="run it as root"):
            installer.remove() if act == "remove" else installer.install(None, [])


def test_the_release_builds_the_package_and_the_bundle() -> None:
    workflow = (ROOT / ".github/workflows/release.yml").read_text(encoding="utf-8")
    for kind in ("deb", "bundle"):
        assert f"tools/build_packages.py {kind}" in workflow


@pytest.mark.whole
def test_what_the_package_installs(tmp_path: Path) -> None:
    """The package has an environment for Debian's Python, the programs, the examples and the scripts."""
    build = [sys.executable, str(ROOT / "tools/build_packages.py"), "deb", "--compression", "none"]
    result = subprocess.run(
        [*build, "--out", str(tmp_path)], capture_output=True, text=True, check=False, timeout=280
    )
    assert result.returncode == 0, result.stderr
    package = result.stdout.strip()
    archive = subprocess.run(["dpkg-deb", "--fsys-tarfile", package], capture_output=True, check=True)
    (tmp_path / "files.tar").write_bytes(archive.stdout)
    with tarfile.open(tmp_path / "files.tar") as tar:
        names = {member.name: member for member in tar}
    for path in ("opt/feltwork/bin/nats-server", "opt/feltwork/bin/feltwork"):
        assert names[f"./{path}"].mode == 0o755, path
    assert names["./usr/bin/feltwork"].linkname == "/opt/feltwork/bin/feltwork"
    libraries = "./opt/feltwork/lib/python3.11/site-packages"
    assert {f"{libraries}/feltwork/cli/setup/debian/feltwork.target", f"{libraries}/nkeys"} <= set(names)
    assert f"{libraries}/feltwork/rehearsal/verify_books.py" in names
    assert "./usr/share/doc/feltwork/examples/proxy/Caddyfile" in names
    assert {member.uname or "root" for member in names.values()} == {"root"}
    about = subprocess.run(
        ["dpkg-deb", "--field", package], capture_output=True, text=True, check=True
    ).stdout
    assert "Depends: python3.11, postgresql (>= 15), pgbackrest" in about


if SYSTEMD:

    def test_systemd_takes_the_units(tmp_path: Path) -> None:
        """Each setting is one that systemd knows."""
        units = [path for path in unit_files() if path.suffix != ".conf"]
        for path, text in unit_files().items():
            target = tmp_path / path.relative_to("/etc/systemd/system")
            target.parent.mkdir(exist_ok=True)
            target.write_text(text, encoding="utf-8")
        names = [str(tmp_path / path.name) for path in units]
        result = subprocess.run(
            [str(SYSTEMD), "verify", "--man=no", *names], capture_output=True, text=True, check=False
        )
        # Units of the machine itself may be wrong; ours must not be.
        assert [line for line in result.stderr.splitlines() if "feltwork" in line] == []
        assert result.returncode == 0, result.stderr

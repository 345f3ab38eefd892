"""Build the container image with buildah on a Debian made by debootstrap, run it, and print its size.

    python tools/build_image.py [--keep FOLDER]

It needs root, debootstrap, buildah and the package mirrors, but no registry and no container engine.
"""

import argparse
import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
BASE, IMAGE = "localhost/debian:12", "localhost/feltwork:latest"
#: Without user namespaces and an overlay.
_STORAGE = ("--storage-driver", "vfs")
#: What the mirrors of this machine need, if it has some of its own.
_MOUNTED = ("/etc/ssl/certs", "/etc/pip.conf", "/etc/resolv.conf")


def make_base(folder: Path) -> None:
    """A small Debian with the mirror of this machine, as an image."""
    if not folder.exists():
        run("debootstrap", "--variant=minbase", "--include=ca-certificates", "bookworm", str(folder))
        run("bash", "-c", f"cp -r /etc/apt/sources.list* /etc/apt/apt.conf.d {folder}/etc/apt/")
        unused = [f"usr/share/{name}" for name in ("doc", "info", "locale", "man")]
        unused += ["var/cache/apt", "var/lib/apt/lists", "var/log"]
        run("bash", "-c", " ".join(["rm -rf", *(f"{folder}/{name}/*" for name in unused)]))
    container = buildah("from", "scratch").strip()
    buildah("add", "--quiet", container, str(folder), "/")
    buildah("commit", "--quiet", "--rm", container, BASE)


def build() -> None:
    """The image, with a layer of dependencies that is kept while only the source changes."""
    volumes = [word for path in _MOUNTED if Path(path).exists() for word in ("--volume", f"{path}:{path}:ro")]
    options = ["--isolation", "chroot", "--layers", "--format", "docker", "--build-arg", f"BASE={BASE}"]
    certificates = [
        f"--env={name}=/etc/ssl/certs/ca-certificates.crt" for name in ("SSL_CERT_FILE", "PIP_CERT")
    ]
    buildah("build", *options, *volumes, *certificates, "--tag", IMAGE, str(ROOT))


def try_out() -> str:
    """Run the program as the user of the image."""
    container = buildah("from", "--pull-never", IMAGE).strip()
    try:
        return buildah("run", "--isolation", "chroot", container, "--", "feltwork", "--version").strip()
    finally:
        buildah("rm", container)


def buildah(*words: str) -> str:
    return run("buildah", *_STORAGE, *words)


def run(*command: str) -> str:
    process = subprocess.run(command, capture_output=True, text=True, check=False)
    if process.returncode:
        raise SystemExit(f"{' '.join(command)}\n{process.stdout[-3000:]}{process.stderr[-3000:]}")
    return process.stdout


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--keep", type=Path, default=Path("/var/tmp/feltwork-image"), help="for the base")
    options = parser.parse_args()
    make_base(options.keep)
    build()
    (about,) = json.loads(buildah("images", "--json", IMAGE))
    print(f"{try_out()}: {about['size']} ({IMAGE})")
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Measures the base installation from a wheel in a fresh environment: size, import, the library's programs.

    python -m tools.measure_install [--programs]

With --programs, the programs of docs/library.md are run and typed, with the extra `odds`.
"""

import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
#: What the base installation may take: on disk with its dependencies, without bytecode, and to import.
MOST_BYTES = 30_000_000
MOST_SECONDS = 0.05
IMPORT = "import time; start = time.perf_counter(); import feltwork; print(time.perf_counter() - start)"
PROGRAM = re.compile(r"<!-- run: (\w+) -->\n```python\n(.*?)```\n\n```text\n(.*?)```\n", flags=re.S)


def run(*command: str | Path, cwd: Path = ROOT) -> str:
    process = subprocess.run([*map(str, command)], capture_output=True, text=True, check=False, cwd=cwd)
    if process.returncode:
        raise SystemExit(f"{' '.join(map(str, command))}\n{process.stdout}{process.stderr}")
    return process.stdout


def install(folder: Path) -> Path:
    """Install the wheel of this checkout into a fresh environment, and return its Python."""
    run("uv", "build", "--quiet", "--wheel", "--out-dir", folder / "dist")
    (wheel,) = (folder / "dist").glob("*.whl")
    run("uv", "venv", "--quiet", "--python", sys.executable, folder / "fresh")
    python = folder / "fresh" / "bin" / "python"
    run("uv", "pip", "install", "--quiet", "--python", python, wheel)
    return python


def size(python: Path) -> int:
    """The bytes of everything installed."""
    libraries = Path(run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip())
    return sum(file.stat().st_size for file in libraries.rglob("*") if file.is_file())


def import_seconds(python: Path, times: int = 7) -> float:
    """How long `import feltwork` takes at best; the first import also writes bytecode."""
    return min(float(run(python, "-c", IMPORT)) for _ in range(times))


def programs(name: str = "docs/library.md") -> dict[str, tuple[str, str]]:
    """The programs of the library's page, each with what it prints."""
    page = (ROOT / name).read_text(encoding="utf-8")
    return {part: (code, printed) for part, code, printed in PROGRAM.findall(page)}


def check_programs(python: Path, folder: Path) -> None:
    """Run the programs with the extra `odds`, and check their types against the installed package."""
    (wheel,) = (folder / "dist").glob("*.whl")
    run("uv", "pip", "install", "--quiet", "--python", python, f"{wheel}[odds]", "mypy")
    for name, (code, printed) in programs().items():
        file = folder / f"program_{name}.py"
        file.write_text(code, encoding="utf-8")
        if run(python, file, cwd=folder) != printed:
            raise SystemExit(f"{name} does not print what docs/library.md says")
    files = sorted(folder.glob("program_*.py"))
    sys.stdout.write(run(python, "-m", "mypy", "--strict", *files, cwd=folder))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        python = install(folder)
        held, took = size(python), import_seconds(python)
        run(python, "-m", "compileall", "-q", folder / "fresh" / "lib")
        compiled = size(python)
        sys.stdout.write(
            f"{held / 1e6:.1f} MB, {compiled / 1e6:.1f} MB with bytecode; imported in {took * 1e3:.1f} ms\n"
        )
        if options.programs:
            check_programs(python, folder)
    return 0 if max(held, compiled) < MOST_BYTES and took < MOST_SECONDS else 1


if __name__ == "__main__":
    sys.exit(main())

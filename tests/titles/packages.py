"""Titles in packages of their own, installed beside Feltwork for one test."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
BIN = Path(sys.executable).parent


def install(target: Path, *packages: Path) -> dict[str, str]:
    """An environment in which packages are installed, by their own project files."""
    command = ["uv", "pip", "install", "--quiet", "--no-deps", "--target", str(target), *map(str, packages)]
    subprocess.run(command, check=True, capture_output=True)
    return {**os.environ, "PYTHONPATH": str(target)}


def run(installed: dict[str, str], *command: str, cwd: Path = ROOT, code: int = 0) -> str:
    """What a command prints in such an environment."""
    result = subprocess.run(
        [BIN / command[0], *command[1:]], env=installed, cwd=cwd, capture_output=True, text=True, check=False
    )
    assert result.returncode == code, result.stdout + result.stderr
    return result.stdout + result.stderr

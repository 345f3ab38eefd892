"""The house stays tidy: sizes, exactness, names."""

import ast
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
SOURCE = ROOT / "src" / "feltwork"
MODULES = sorted(SOURCE.rglob("*.py"))
#: Where every amount is exact, so that no float may appear.
EXACT = (
    "money.py",
    "cards",
    "hands",
    "paytables",
    "titles",
    "ledger",
    "progressive",
    "compliance",
    "located.py",
    "sources",
    "problem.py",
)


def tracked() -> list[Path]:
    """The files of the repository; the lock file of the packages is a machine's and is left out."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [ROOT / name for name in listed.splitlines() if name != "uv.lock" and (ROOT / name).is_file()]


@pytest.mark.parametrize("module", MODULES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_a_module_opens_with_one_sentence_and_can_be_read_in_one_sitting(module: Path) -> None:
    text = module.read_text(encoding="utf-8")
    assert ast.get_docstring(ast.parse(text)), "say in one sentence what the module holds"
    # Numba notices a changed file but not a changed callee elsewhere, so that kernels stay together.
    longest = 600 if module.parent.name == "kernels" else 350
    assert len(text.splitlines()) <= longest


@pytest.mark.parametrize("module", MODULES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_a_function_fits_a_screen(module: Path) -> None:
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef) and node.end_lineno:
            longest = 110 if module.parent.name == "kernels" else 60
            assert node.end_lineno - node.lineno < longest, node.name


@pytest.mark.parametrize("module", MODULES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_no_float_where_amounts_are_exact(module: Path) -> None:
    if not str(module.relative_to(SOURCE)).startswith(EXACT):
        return
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        assert not (isinstance(node, ast.Constant) and isinstance(node.value, float)), ast.dump(node)
        assert not (isinstance(node, ast.Name) and node.id == "float")
        assert not (isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div)), "say how it rounds"


def test_no_room_for_everything() -> None:
    forbidden = {"utils", "common", "helpers", "core", "manager", "misc"}
    assert {path.stem for path in MODULES} & forbidden == set()


def test_nothing_names_a_host_or_a_machine() -> None:
    pattern = re.compile(
        r"https?://(?!127\.0\.0\.1|localhost|www\.apache\.org|json-schema\.org|www\.w3\.org)|/root/|/work/"
    )
    found = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in tracked()
        if path != Path(__file__)
        and path.suffix in {".py", ".md", ".toml", ".html", ".css", ".js", ".yaml", ""}
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if pattern.search(line)
    ]
    assert found == []

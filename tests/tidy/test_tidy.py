"""The house stays tidy: sizes, exactness, names."""

import ast
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

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


def trees() -> Iterator[tuple[Path, str, ast.Module]]:
    """Every module with its text and its syntax tree."""
    for module in MODULES:
        text = module.read_text(encoding="utf-8")
        yield module.relative_to(SOURCE), text, ast.parse(text)


def test_a_module_opens_with_one_sentence_and_can_be_read_in_one_sitting() -> None:
    silent = [name for name, _, tree in trees() if not ast.get_docstring(tree)]
    # Numba notices a changed file but not a changed callee elsewhere, so that kernels stay together.
    long = {
        str(name): len(text.splitlines())
        for name, text, _ in trees()
        if len(text.splitlines()) > (600 if name.parent.name == "kernels" else 400)
    }
    assert (silent, long) == ([], {})


def test_a_function_fits_a_screen() -> None:
    long = [
        f"{name}:{node.lineno} {node.name}"
        for name, _, tree in trees()
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.end_lineno
        if node.end_lineno - node.lineno >= (110 if name.parent.name == "kernels" else 60)
    ]
    assert long == []


def test_no_float_where_amounts_are_exact() -> None:
    found = [
        f"{name}:{node.lineno}"
        for name, _, tree in trees()
        if str(name).startswith(EXACT)
        for node in ast.walk(tree)
        if (isinstance(node, ast.Constant) and isinstance(node.value, float))
        or (isinstance(node, ast.Name) and node.id == "float")
        or (isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div))
    ]
    assert found == [], "say how it rounds"


def test_no_room_for_everything() -> None:
    forbidden = {"utils", "common", "helpers", "core", "manager", "misc"}
    assert {path.stem for path in MODULES} & forbidden == set()


def test_nothing_names_a_host_or_a_machine() -> None:
    pattern = re.compile(
        r"https?://(?!127\.0\.0\.1|localhost|www\.apache\.org|json-schema\.org|www\.w3\.org"
        r"|github\.com/feltwork/feltwork)|/root/|/work/"
    )
    found = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in tracked()
        if path != Path(__file__)
        and path.suffix in {".py", ".md", ".toml", ".html", ".css", ".js", ".yaml", ".yml", ""}
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if pattern.search(line)
    ]
    assert found == []

"""Rules for the source code: sizes, exactness, secrets, SQL."""

import ast
import re
import subprocess
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
SOURCE = ROOT / "src" / "feltwork"
MODULES = sorted(SOURCE.rglob("*.py"))
#: More is more than one subject.
LONGEST = 800
#: Where every amount is exact, so that no float may appear.
EXACT = (
    "money.py",
    "titles",
    "site/progressive",
    "site/compliance",
    "toml_locations.py",
    "sources",
    "problem.py",
)


def tracked() -> list[Path]:
    """The files of the repository; the lock file of the packages is a machine's and is left out."""
    names = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [ROOT / name for name in names.splitlines() if name != "uv.lock" and (ROOT / name).is_file()]


@cache
def trees() -> list[tuple[Path, str, ast.Module]]:
    """Every module with its text and its syntax tree."""
    texts = [(module, module.read_text(encoding="utf-8")) for module in MODULES]
    return [(module.relative_to(SOURCE), text, ast.parse(text)) for module, text in texts]


def test_a_module_opens_with_one_sentence_and_can_be_read_in_one_sitting() -> None:
    silent = [str(name) for name, _, tree in trees() if not ast.get_docstring(tree)]
    assert silent == [], "say in a docstring what the module holds"
    long = [f"{name} has {lines} lines" for name, text, _ in trees() if (lines := text.count("\n")) > LONGEST]
    assert long == [], f"a module has at most {LONGEST} lines: give a subject of it its own module"


def test_a_function_fits_a_screen() -> None:
    long = [
        f"{name}:{node.lineno} {node.name}"
        for name, _, tree in trees()
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.end_lineno
        # The options of a command are its help, and no steps to follow.
        for first in [node.body[0].lineno if name.parts[0] == "cli" else node.lineno]
        if node.end_lineno - first >= (110 if name.parent.name == "kernels" else 60)
    ]
    assert long == [], "a function fits a screen of 60 lines: give a part of it a name"


def test_no_float_where_amounts_are_exact() -> None:
    assert all((SOURCE / name).exists() for name in EXACT), "a renamed package must stay exact"
    places = [
        f"{name}:{node.lineno}"
        for name, _, tree in trees()
        if str(name).startswith(EXACT)
        for node in ast.walk(tree)
        if (isinstance(node, ast.Constant) and isinstance(node.value, float))
        or (isinstance(node, ast.Name) and node.id == "float")
        or (isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div))
    ]
    assert places == [], "use int or Fraction, and say how a division rounds"


def test_no_room_for_everything() -> None:
    forbidden = {"utils", "common", "helpers", "core", "manager", "misc"}
    assert {path.stem for path in MODULES} & forbidden == set(), "name the module for the noun it holds"


def test_nothing_names_a_host_or_a_machine() -> None:
    pattern = re.compile(
        r"https?://(?!127\.0\.0\.1|localhost|www\.apache\.org|json-schema\.org|www\.w3\.org"
        r"|github\.com/feltwork/feltwork)|/root/|/work/"
    )
    places = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in tracked()
        if path != Path(__file__)
        and path.suffix in {".py", ".md", ".toml", ".html", ".css", ".js", ".yaml", ".yml", ""}
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if pattern.search(line)
    ]
    assert places == [], "the project runs without our hosts and machines: write no address of one"


def test_a_function_has_a_caller_in_the_product() -> None:
    rules = [
        (name, node.name)
        for name, _, tree in trees()
        # Commands and the library are called from outside; a decorator may register a function.
        if not {"cli", "library"} & {*name.parts} and "title_template" not in name.parts
        for node in tree.body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not node.name.startswith("_")
        if not node.decorator_list
    ]
    #: Each name that is used, with the module and the function in which it is.
    # What the proof tools use has a caller, too.
    lab = [(path, "", ast.parse(path.read_text(encoding="utf-8"))) for path in (ROOT / "lab").rglob("*.py")]
    used = {
        (name, getattr(part, "name", ""), node.id if isinstance(node, ast.Name) else node.attr)
        for name, _, tree in [*trees(), *lab]
        for part in tree.body
        for node in ast.walk(part)
        if isinstance(node, ast.Name | ast.Attribute)
    }
    used |= {
        (name, "", alias.name)
        for name, _, tree in trees()
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        if alias.asname
    }
    callers: dict[str, set[tuple[Path, str]]] = {}
    for name, part, called in used:
        callers.setdefault(called, set()).add((name, part))
    uncalled = [f"{name}: {rule}" for name, rule in rules if not callers.get(rule, set()) - {(name, rule)}]
    assert uncalled == [], "a function that only tests call holds for nobody: call it, or remove it"


#: Fields that hold a secret, and the one of that name that holds the id of a token.
_SECRETS, _TOKEN_ID = {"pin", "new_pin", "password", "secret", "token"}, "RevokeToken.token"


def test_a_secret_is_in_no_text_of_its_object() -> None:
    """A log or a traceback shows the objects of a failed call."""
    offenders = []
    for name, _, tree in trees():
        classes = [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
        for owner, node in ((part, node) for part in classes for node in part.body):
            if not isinstance(node, ast.AnnAssign) or not isinstance(node.target, ast.Name):
                continue
            kinds = {kind.id for kind in ast.walk(node.annotation) if isinstance(kind, ast.Name)}
            is_secret = "Secret" in kinds or (node.target.id in _SECRETS and kinds & {"str", "bytes"})
            hides = "repr=False" in ast.unparse(node) or "def __repr__" in ast.unparse(owner)
            if is_secret and not hides and f"{owner.name}.{node.target.id}" != _TOKEN_ID:
                offenders.append(f"{name}: {owner.name}.{node.target.id}")
    assert offenders == [], "declare the field with repr=False"


def test_only_the_books_run_sql() -> None:
    places = [
        f"{name}:{node.lineno}"
        for name, _, tree in trees()
        # An embedded PostgreSQL makes its own databases and roles.
        if name.parts[:2] != ("site", "books") and str(name) != "site/servers/postgres.py"
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in ("execute", "executemany", "copy", "cursor")
    ]
    assert places == [], "a statement belongs into books"


def test_programs_outside_the_package_import_what_exists() -> None:
    """The types of these programs are not checked, and no test runs them all."""
    tree_by_module = {".".join(("feltwork", *name.with_suffix("").parts)): tree for name, _, tree in trees()}
    tree_by_module |= {module.removesuffix(".__init__"): tree for module, tree in tree_by_module.items()}
    missing = []
    for program in sorted((*(ROOT / "bench").rglob("*.py"), *(ROOT / "examples").rglob("*.py"))):
        for node in ast.walk(ast.parse(program.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.ImportFrom) or not (node.module or "").startswith("feltwork."):
                continue
            for name in (alias.name for alias in node.names):
                tree = tree_by_module.get(str(node.module))
                if f"{node.module}.{name}" not in tree_by_module and (
                    tree is None or name not in _names(tree)
                ):
                    missing.append(f"{program.relative_to(ROOT)}:{node.lineno} {node.module}.{name}")
    assert missing == [], "the product has no such name: follow its change"


def _names(tree: ast.Module) -> set[str]:
    """What a module defines or imports."""
    names = {
        node.name
        for node in tree.body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
    }
    names |= {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    return names | {
        node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }

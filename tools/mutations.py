"""Small changes of Python code that a test should notice.

Changed are comparisons, ``and`` and ``or``, ``not``, arithmetic, numbers, truths, conditions and returned
values; refusals are left out. Not changed are texts, annotations, decorators, assertions and log calls.
"""

import ast
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

#: Each becomes the other.
_PAIRS: tuple[tuple[type[ast.AST], type[ast.AST]], ...] = (
    *((ast.Eq, ast.NotEq), (ast.Is, ast.IsNot), (ast.In, ast.NotIn), (ast.Lt, ast.LtE), (ast.Gt, ast.GtE)),
    *((ast.And, ast.Or), (ast.Add, ast.Sub), (ast.FloorDiv, ast.Mult)),
)
_OPERATORS: Mapping[type[ast.AST], Any] = {
    **dict(_PAIRS),
    **{other: operator for operator, other in _PAIRS},
    **dict.fromkeys((ast.Div, ast.Mod), ast.Mult),
}
#: A call of these that stands alone refuses something.
_REFUSES = re.compile(r"_?(require|authorize|verify|check|refuse|ensure|beside)")
_LOG = re.compile(r"_?(log|logger|logging)\.")
_WHOLE_FILE = (1, 1_000_000)
_SKIPPED_FIELDS = {"annotation", "returns", "decorator_list"}

#: The line, what changes, and how to change it.
Change = tuple[int, str, Callable[[], None]]


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change of one file."""

    file: str
    line: int
    #: The first and the last line of the function around it, or of the file.
    around: tuple[int, int]
    change: str
    #: Which change of its file it is.
    place: int

    @property
    def is_outside_functions(self) -> bool:
        """Whether it is a default, a constant or another line of a class or of the file."""
        return tuple(self.around) == _WHOLE_FILE

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.change}"


def mutants(file: Path, name: str) -> list[Mutant]:
    """Every mutant of a file."""
    tree = ast.parse(file.read_text())
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    every_mutant = []
    spans = [(function.lineno, function.end_lineno or 0) for function in functions]
    for place, (line, change, _) in enumerate(_changes(tree)):
        inside = [span for span in spans if span[0] <= line <= span[1]]
        every_mutant.append(Mutant(name, line, max(inside, default=_WHOLE_FILE), change, place))
    return every_mutant


def mutated(file: Path, mutant: Mutant) -> ast.Module:
    """The code of a file with one change."""
    tree = ast.parse(file.read_text())
    for place, (_, _, apply) in enumerate(_changes(tree)):
        if place == mutant.place:
            apply()
            return ast.fix_missing_locations(tree)
    raise IndexError(str(mutant))


def _changes(tree: ast.AST) -> Iterator[Change]:
    for node, put in _nodes(tree):
        yield from _changes_of(node, put)


def _nodes(node: ast.AST) -> Iterator[tuple[ast.AST, Callable[[ast.AST], None]]]:
    """Every node to change, and how to put another in its place."""
    for field, value in ast.iter_fields(node):
        if field in _SKIPPED_FIELDS:
            continue
        children = value if isinstance(value, list) else [value]
        for place, child in enumerate(children):
            if not isinstance(child, ast.AST) or _is_skipped(child):
                continue

            def put(other: ast.AST, field: str = field, value: object = value, place: int = place) -> None:
                if isinstance(value, list):
                    value[place] = other
                else:
                    setattr(node, field, other)

            yield child, put
            yield from _nodes(child)


def _is_skipped(node: ast.AST) -> bool:
    match node:
        case ast.JoinedStr() | ast.Assert():
            return True
        case ast.FunctionDef(name="__repr__" | "__str__"):
            return True
        case ast.AnnAssign(annotation=ast.Name(id="TypeAlias")):
            return True
        case ast.Expr(value=ast.Call(func=called)):
            return bool(_LOG.match(ast.unparse(called)))
    return False


def _changes_of(node: ast.AST, put: Callable[[ast.AST], None]) -> Iterator[Change]:
    for other in (*_other_expressions(node), *_other_statements(node)):
        description = f"{_short(node)} -> {_short(other)}"
        yield getattr(node, "lineno", 0), description, partial(put, ast.copy_location(other, node))
    match node:
        case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test) if not _is_negated_anyway(test):
            yield test.lineno, f"{_short(test)} -> not", lambda: setattr(node, "test", _negation(test))
        case ast.comprehension(ifs=[ast.expr() as test, *rest]) if not _is_negated_anyway(test):
            yield (
                test.lineno,
                f"{_short(test)} -> not",
                lambda: setattr(node, "ifs", [_negation(test), *rest]),
            )


def _other_expressions(node: ast.AST) -> Iterator[ast.expr]:
    match node:
        case ast.Compare(ops=operators):
            for place, operator in enumerate(operators):
                others = [*operators[:place], _OPERATORS[type(operator)](), *operators[place + 1 :]]
                yield ast.Compare(node.left, others, node.comparators)
        case ast.BoolOp(op=operator):
            yield ast.BoolOp(_OPERATORS[type(operator)](), node.values)
        case ast.BinOp(op=operator) if type(operator) in _OPERATORS and not _is_text(node):
            yield ast.BinOp(node.left, _OPERATORS[type(operator)](), node.right)
        case ast.UnaryOp(op=ast.Not() | ast.USub()):
            yield node.operand
        case ast.Constant(value=bool(value)):
            yield ast.Constant(not value)
        case ast.Constant(value=int(value) | float(value)):
            yield ast.Constant(value + 1)


def _other_statements(node: ast.AST) -> Iterator[ast.stmt]:
    match node:
        case ast.Return(value=ast.expr() as value) if not _is_none(value):
            yield ast.Return(ast.Constant(None))
        case ast.Raise() | ast.Expr(value=ast.YieldFrom()):
            yield ast.Pass()
        case ast.Expr(value=ast.Call(func=called)) if _REFUSES.match(ast.unparse(called).rpartition(".")[2]):
            yield ast.Pass()


def _negation(test: ast.expr) -> ast.expr:
    return ast.UnaryOp(ast.Not(), test)


def _is_negated_anyway(test: ast.expr) -> bool:
    """Whether another change negates it."""
    match test:
        case ast.UnaryOp(op=ast.Not()) | ast.Compare(ops=[ast.Eq() | ast.NotEq() | ast.Is() | ast.IsNot()]):
            return True
        case ast.Compare(ops=[ast.In() | ast.NotIn()]):
            return True
    return False


def _is_text(node: ast.BinOp) -> bool:
    sides = (node.left, node.right)
    return any(
        isinstance(side, ast.JoinedStr) or (isinstance(side, ast.Constant) and isinstance(side.value, str))
        for side in sides
    )


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _short(node: ast.AST) -> str:
    text = " ".join(ast.unparse(node).split())
    return text if len(text) <= 60 else f"{text[:57]}..."

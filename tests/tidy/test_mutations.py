"""The changes that `just mutants` makes."""

import ast
from pathlib import Path

from tools.mutations import mutants, mutated

CODE = '''
"""Text."""

LIMIT: int = 5


def refuse(wager: int, *, late: bool = False) -> str:
    """Text."""
    assert wager > 0
    if wager < LIMIT and not late:
        raise ValueError(f"{wager + 1}")
    log.info("refused", 3)
    authorize(wager)
    return "yes" + str(wager * 2)
'''


def test_code_is_changed_and_texts_logs_assertions_and_annotations_are_not(tmp_path: Path) -> None:
    file = tmp_path / "code.py"
    file.write_text(CODE)
    changes = mutants(file, "code.py")
    assert {mutant.change for mutant in changes} == {
        "5 -> 6",
        "False -> True",
        "wager < LIMIT and (not late) -> wager < LIMIT or not late",
        "wager < LIMIT and (not late) -> not",
        "wager < LIMIT -> wager <= LIMIT",
        "not late -> late",
        "raise ValueError(f'{wager + 1}') -> pass",
        "authorize(wager) -> pass",
        "return 'yes' + str(wager * 2) -> return None",
        "wager * 2 -> wager // 2",
        "2 -> 3",
    }


def test_each_mutant_is_another_program(tmp_path: Path) -> None:
    file = tmp_path / "code.py"
    file.write_text(CODE)
    programs = {ast.unparse(mutated(file, mutant)) for mutant in mutants(file, "code.py")}
    assert len(programs) == len(mutants(file, "code.py"))
    assert ast.unparse(ast.parse(CODE)) not in programs

"""The page about the books names every table that the schema has, and nothing that it has not."""

import re

from tests.docs.console import ROOT

MADE = re.compile(r"CREATE (TABLE|VIEW|OR REPLACE VIEW) books\.([a-z_]+)")


def test_every_table_of_the_schema_stands_on_the_page() -> None:
    schema = ROOT / "src" / "feltwork" / "books" / "schema"
    statements = [
        statement
        for file in schema.glob("*.sql")
        for statement in MADE.findall(file.read_text(encoding="utf-8"))
    ]
    page = (ROOT / "docs" / "books.md").read_text(encoding="utf-8")
    section = page.partition("## Tables of the schema")[2].partition("\n## ")[0]
    names = set(re.findall(r"`([a-z_]+)`", section))
    tables = {name for kind, name in statements if kind == "TABLE"}
    assert len(tables) > 30
    assert tables - names == set()
    assert names - {name for _, name in statements} == set()

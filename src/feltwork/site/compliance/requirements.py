"""The requirements, each with its source and evidence mark; findings and tests cite them."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files

#: The meanings of the evidence marks of requirements and rulings.
MARKS = {
    "V": "the text was read, whole or the part relied on",
    "P": "read in part only",
    "S": "a summary, notice or report was read, not the text",
    "L": "from an approval letter",
    "GK": "general knowledge, unverified",
    "-": "no text of its own: a ruling that leaves the matter to the house",
}


#: The marks of texts that were read, at least in the part relied on.
READ = frozenset({"V", "P", "L"})


@dataclass(frozen=True, slots=True)
class Requirement:
    """One requirement of regulation or of the letters."""

    id: str
    source: str
    mark: str
    asks: str
    #: What a cashier does about it; empty where the cage never sees the rule.
    cage: str


def _read() -> Mapping[str, Requirement]:
    text = files("feltwork.site.compliance").joinpath("requirements.toml").read_text(encoding="utf-8")
    rows = tomllib.loads(text).items()
    return {
        name: Requirement(name, row["source"][0], row["source"][1], row["asks"], row.get("cage", ""))
        for name, row in rows
    }


REQUIREMENTS = _read()

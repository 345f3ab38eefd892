"""Write the contracts that are generated from code and data, or check that they are fresh."""

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from tools.api_reference import openapi_document
from tools.approvals import approvals_page
from tools.asyncapi import asyncapi_document
from tools.command_pages import commands_page, settings_page
from tools.compliance import compliance_page, floor_keys_page, gallery_page
from tools.letters import letters_page
from tools.monitoring import alerts_page
from tools.protocol import messages_page, protocol_schema
from tools.reference import data_page, reports_page, roles_page, sql_page
from tools.tampering import tampering_page
from tools.title_pages import title_pages
from tools.verdicts import verdicts_page

DOCS = Path(__file__).parent.parent / "docs"
#: Contracts, which are tracked so that a change to them shows in its diff.
PAGES = {
    "compliance.md": compliance_page,
    "protocol.schema.json": protocol_schema,
    "asyncapi.json": asyncapi_document,
    "openapi.json": openapi_document,
}
#: Pages that only repeat code and data; `docs/conf.py` writes them for each build, and .gitignore lists them.
BUILT_PAGES = {
    "letters.md": letters_page,
    "approvals.md": approvals_page,
    "gallery.md": gallery_page,
    "figures/verdicts.md": verdicts_page,
    "operating/alerts.md": alerts_page,
    "operating/settings.md": settings_page,
    "security/tampering.md": tampering_page,
    "reference/commands.md": commands_page,
    "reference/exported_data.md": data_page,
    "reference/floor_keys.md": floor_keys_page,
    "reference/messages.md": messages_page,
    "reference/reports.md": reports_page,
    "reference/roles.md": roles_page,
    "reference/sql_views.md": sql_page,
    **title_pages(),
}


def write_page(name: str, text: str) -> None:
    page = DOCS / name
    page.parent.mkdir(exist_ok=True)
    page.write_text(text, encoding="utf-8")


def write_built_pages() -> None:
    for name, write in BUILT_PAGES.items():
        write_page(name, write())


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing, fail if a page is stale")
    check = parser.parse_args().check
    stale = []
    for name, write in PAGES.items():
        page, text = DOCS / name, write()
        if page.exists() and page.read_text(encoding="utf-8") == text:
            continue
        stale.append(name)
        if not check:
            write_page(name, text)
    sys.stdout.write(f"{'stale' if check else 'written'}: {', '.join(stale) or 'nothing'}\n")
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main())

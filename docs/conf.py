"""Sphinx configuration: MyST Markdown, the Furo theme, nothing fetched from outside."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from feltwork import __version__
from tools.generate_docs import write_built_pages

write_built_pages()

project = "Feltwork"
author = "The Feltwork maintainers"
copyright = "2026, The Feltwork maintainers"  # noqa: A001 - Sphinx's name for it
release = __version__
extensions = ["myst_parser", "sphinx.ext.autodoc"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["_build"]
myst_enable_extensions = ["deflist"]
autodoc_typehints = "description"
myst_heading_anchors = 3
html_theme = "furo"
html_title = "Feltwork"

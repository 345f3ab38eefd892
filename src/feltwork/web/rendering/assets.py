"""Scripts, styles, fonts and pictures under ``/static``: those of every page, and those of each screen."""

import os
from pathlib import PurePosixPath

from starlette.staticfiles import StaticFiles

from feltwork.web.screens import folders

#: What a screen's folder holds besides is not for browsers.
_OF_SCREENS = frozenset({".js", ".css"})


class Assets(StaticFiles):
    """The shared folder first; a screen's folder gives its scripts and styles only."""

    def __init__(self) -> None:
        super().__init__(packages=[("feltwork.web", "static")])
        self._shared = list(self.all_directories)

    def lookup_path(self, path: str) -> tuple[str, os.stat_result | None]:
        """Where the file lies, if there is one that a browser may have."""
        screens = folders() if PurePosixPath(path).suffix in _OF_SCREENS else ()
        self.all_directories = [*self._shared, *screens]
        return super().lookup_path(path)

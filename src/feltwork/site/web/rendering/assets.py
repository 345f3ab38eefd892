"""Static files under ``/static``: shared ones, and each screen's scripts and styles."""

import os
from pathlib import PurePosixPath

from starlette.staticfiles import StaticFiles

from feltwork.site.web.screens import folders

#: The only file types in a screen's folder that browsers may load.
_SCREEN_FILES = frozenset({".js", ".css"})


class Assets(StaticFiles):
    """The shared folder, then the scripts and styles of the screens."""

    def __init__(self) -> None:
        super().__init__(packages=[("feltwork.site.web", "static")])
        self._screens = StaticFiles(packages=[("feltwork.site.web", "static")])
        self._screens.all_directories = list(folders())

    def lookup_path(self, path: str) -> tuple[str, os.stat_result | None]:
        """Find a file that a browser may load; threads share this object, so it stores nothing."""
        result = super().lookup_path(path)
        if result[1] is None and PurePosixPath(path).suffix in _SCREEN_FILES:
            return self._screens.lookup_path(path)
        return result

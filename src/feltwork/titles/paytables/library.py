"""The paytables of one title."""

from collections.abc import Iterator, Mapping
from importlib.resources.abc import Traversable

from feltwork.titles.paytables.parse import parse_paytable
from feltwork.titles.paytables.paytable import Paytable


class Library(Mapping[tuple[str, str], Paytable]):
    """Paytables by bet and id, each file read on first use."""

    def __init__(self, folder: Traversable, title: str) -> None:
        self._title = title
        self._files = {
            file.name.removesuffix(".toml"): file for file in folder.iterdir() if file.name.endswith(".toml")
        }
        self._read: dict[str, Paytable] = {}
        self._ids: dict[str, tuple[str, ...]] = {}
        for name in sorted(self._files):
            bet, _, identifier = name.partition("-")
            self._ids[bet] = (*self._ids.get(bet, ()), identifier)

    def __getitem__(self, key: tuple[str, str]) -> Paytable:
        name = self._file_name(*key)
        if name not in self._read:
            where = f"{self._title}/paytables/{name}.toml"
            self._read[name] = parse_paytable(self._files[name].read_text(encoding="utf-8"), where=where)
        return self._read[name]

    def __iter__(self) -> Iterator[tuple[str, str]]:
        return ((bet, identifier) for bet, ids in self._ids.items() for identifier in ids)

    def __len__(self) -> int:
        return len(self._files)

    def ids_of(self, bet: str) -> tuple[str, ...]:
        """Return the ids of a bet's paytables."""
        return self._ids.get(bet, ())

    @staticmethod
    def _file_name(bet: str, identifier: str) -> str:
        return f"{bet}-{identifier}"

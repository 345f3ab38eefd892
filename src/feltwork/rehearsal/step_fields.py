"""Values of a step's keys: people, seats, amounts and switches, each with its check."""

from collections.abc import Mapping, Sequence

from feltwork import money
from feltwork.money import Micros


class FieldError(ValueError):
    """A value that a rehearsal file may not hold, with its remedy."""

    def __init__(self, what: str, remedy: str = "Correct the value.") -> None:
        self.remedy = remedy
        super().__init__(what)


def text(value: object) -> str:
    """Return the text."""
    if isinstance(value, str):
        return value
    raise FieldError(f"{value!r} is not text.", "Put it in quotation marks.")


def amount(value: object) -> Micros:
    """Return a dollar amount in micros."""
    if isinstance(value, str | int) and not isinstance(value, bool):
        try:
            return money.parse(str(value))
        except ValueError:
            pass
    raise FieldError(f"{value!r} is not a dollar amount.", 'Write a dollar amount, such as "250.00".')


def whole(value: object) -> int:
    """Return a positive whole number."""
    if isinstance(value, int) and not isinstance(value, bool) and value > 0:
        return value
    raise FieldError(f"{value!r} is not a whole number of 1 or more.", "Write a number, such as 3.")


def switch(value: object) -> bool:
    """Return true or false."""
    if isinstance(value, bool):
        return value
    raise FieldError(f"{value!r} is neither true nor false.", "Write true or false.")


def people(value: object) -> tuple[str, ...]:
    """Return one person, or several in the order they present their badges."""
    names = (value,) if isinstance(value, str) else value
    if isinstance(names, Sequence) and names and all(isinstance(name, str) and name for name in names):
        return tuple(names)
    raise FieldError(f"{value!r} names nobody.", 'Write a person, or a list such as ["sam", "eve"].')


def seats(value: object) -> tuple[int, ...]:
    """Return seat numbers as written, repetitions included."""
    if isinstance(value, Sequence) and not isinstance(value, str):
        return tuple(whole(seat) for seat in value)
    raise FieldError(f"{value!r} is not a list of seats.", "Write a list, such as [1, 2, 5].")


def wagers(value: object) -> dict[str, tuple[int, ...]]:
    """Return the seats with a wager on each link."""
    if isinstance(value, Mapping):
        return {str(link): seats(numbers) for link, numbers in value.items()}
    raise FieldError(f"{value!r} is not a table of links.", 'Write {"link": [1, 2, 5]}.')


def table(value: object) -> Mapping[str, object]:
    """Return a table of expected values."""
    if isinstance(value, Mapping):
        return value
    raise FieldError(f"{value!r} is not a table.", 'Write {"ok": true, ...}.')

"""Expectations: partial matching of a step's result."""

from collections.abc import Iterator, Mapping


def differences(expected: object, actual: object, where: str = "") -> Iterator[str]:
    """Yield a sentence for every expected value that the result does not show.

    A table matches when each of its keys does. A list of tables matches when each of its tables matches
    one of the result's, in the same order; an empty list matches only an empty list.
    """
    if isinstance(expected, Mapping):
        if not isinstance(actual, Mapping):
            yield _differs(where, expected, actual)
            return
        for key, value in expected.items():
            place = f"{where}.{key}" if where else str(key)
            if key not in actual:
                yield f"{place}: expected {_text(value)}, but the result has no such value"
            else:
                yield from differences(value, actual[key], place)
    elif isinstance(expected, list) and expected and all(isinstance(item, Mapping) for item in expected):
        yield from _list_differences(expected, actual, where)
    elif not _equal(expected, actual):
        yield _differs(where, expected, actual)


def _list_differences(expected: list[object], actual: object, where: str) -> Iterator[str]:
    if not isinstance(actual, list):
        yield _differs(where, expected, actual)
        return
    if len(expected) >= len(actual):
        if len(expected) > len(actual):
            yield f"{where}: expected {len(expected)} items, got {len(actual)}"
        for number, (item, other) in enumerate(zip(expected, actual, strict=False)):
            yield from differences(item, other, f"{where}[{number}]")
        return
    position = 0
    for number, item in enumerate(expected):
        while position < len(actual) and any(differences(item, actual[position])):
            position += 1
        if position == len(actual):
            yield f"{where}[{number}]: expected {_text(item)}, but no item of {_text(actual)} matches"
            return
        position += 1


def _equal(expected: object, actual: object) -> bool:
    if isinstance(expected, bool) or isinstance(actual, bool):
        return expected is actual
    if isinstance(expected, list | tuple) and isinstance(actual, list | tuple):
        return len(expected) == len(actual) and all(map(_equal, expected, actual))
    return str(expected) == str(actual)


def _differs(where: str, expected: object, actual: object) -> str:
    return f"{where or 'result'}: expected {_text(expected)}, got {_text(actual)}"


def _text(value: object) -> str:
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key}: {_text(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_text, value)) + "]"
    return "true" if value is True else "false" if value is False else str(value)

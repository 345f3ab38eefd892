"""Fast copies of frozen values with changed fields, for states that change with every fact."""

from typing import Any, TypeVar

_Value = TypeVar("_Value")


def changed(value: _Value, **fields: Any) -> _Value:
    """Like ``dataclasses.replace`` but faster, for values with neither slots nor ``__post_init__``."""
    assert fields.keys() <= value.__dict__.keys(), f"{type(value).__name__} has no {[*fields]}"
    copy = object.__new__(type(value))
    copy.__dict__.update(value.__dict__)
    copy.__dict__.update(fields)
    return copy

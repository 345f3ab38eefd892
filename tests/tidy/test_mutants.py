"""The sample of `just mutants` is fixed."""

from tools.mutants import chosen


def test_the_sample_stays_whatever_else_there_is() -> None:
    names = [f"feltwork.money.x_parse__mutmut_{number}" for number in range(40)]
    sample = chosen(names, 10)
    assert sample != names[:10]
    assert chosen(names[::-1], 10) == sample
    assert chosen([name for name in names if name != sample[0]], 9) == sample[1:]

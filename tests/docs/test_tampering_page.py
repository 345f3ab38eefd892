"""The page on tampering lists what the tests try: at least forty cases, each once."""

from tools.tampering import tampering_cases


def test_at_least_forty_cases_of_tampering_each_have_a_name_of_their_own() -> None:
    names = [what for _, _, cases in tampering_cases().values() for what, _ in cases]
    assert len(names) >= 40
    finders = {(finder, what) for _, finder, cases in tampering_cases().values() for what, _ in cases}
    assert len(finders) == len(names)

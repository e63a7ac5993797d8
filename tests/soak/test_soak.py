"""What the soak says of what it has measured; the soak itself takes half an hour."""

from tests.soak.__main__ import HELD, growth_an_hour, left_over, warm_seconds


def test_growth_is_that_of_most_samples() -> None:
    """A mebibyte an hour is seen as such, whatever one sample in ten says."""
    samples = [(5.0 * n, 50_000 + 5.0 * n * 1024 / 3600) for n in range(100)]
    noisy = [
        (when, kib + 5_000 * (n % 10 == 0)) for n, (when, kib) in enumerate(samples)
    ]

    assert 1024 == round(growth_an_hour(samples))
    assert abs(growth_an_hour(noisy) - 1024) < 512


def test_what_is_left_over_is_told() -> None:
    """One stream more than before the first bot is one too many, one less is none."""
    before = dict.fromkeys(HELD, 3) | {"store_files": 3}

    assert {} == left_over(before, before | {"files": 2, "store_files": 15})
    assert {"streams": 1} == left_over(before, before | {"streams": 4})
    assert {"store_files": 99} == left_over(before, before | {"store_files": 99})


def test_a_short_soak_has_a_short_time_to_get_warm() -> None:
    """The first ten minutes do not count, of a short run the first third."""
    assert (600, 60) == (warm_seconds(1800), warm_seconds(180))

"""How hypothesis looks for examples: the same ones each time, or new ones."""

from __future__ import annotations

from collections.abc import Iterable

from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers

# What decides whether a change lands: the same examples in every run.
FIXED = "fixed"
# What looks for old bugs: other examples in every run, and more of them.
SEARCH = "search"
# How many times the examples of each test a search tries.
FACTOR = 20
EXAMPLES = 25

_OWN = "_hypothesis_internal_use_settings"


def register() -> None:
    """Make both profiles known, and take the fixed one."""
    # Machines that run the tests are shared: how long an example takes says nothing.
    settings.register_profile(
        FIXED,
        deadline=None,
        max_examples=EXAMPLES,
        suppress_health_check=[HealthCheck.too_slow],
        derandomize=True,
    )
    settings.register_profile(
        SEARCH,
        settings.get_profile(FIXED),
        max_examples=EXAMPLES * FACTOR,
        derandomize=False,
        print_blob=True,
    )
    settings.load_profile(FIXED)


def without_local_constants() -> None:
    """Draw no constants of the modules that happen to be loaded.

    Hypothesis tries numbers and words that stand in the code that is tested. Which code
    that is depends on the tests that ran before in the same worker, and any change
    that adds a constant moves the examples of all tests.
    """
    if hasattr(providers, "_get_local_constants"):  # hypothesis 6.131 and later
        nothing = providers.Constants()
        providers._get_local_constants = lambda: nothing


def widen(tests: Iterable[object]) -> None:
    """Let tests that say how many examples they take try more of them.

    Args:
        tests: functions; those without a number of their own are left alone, as they
            take the profile's. Each is widened once, however often it is here.
    """
    # Bound methods of one function are many objects.
    for test in {id(each): each for each in map(_function, tests)}.values():
        own = getattr(test, _OWN, None)
        if own is not None and own.max_examples != settings.default.max_examples:
            more = settings(own, max_examples=own.max_examples * FACTOR)
            setattr(test, _OWN, more)


def _function(test: object) -> object:
    return getattr(test, "__func__", test)

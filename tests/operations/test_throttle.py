"""The one count of attempts, calls and messages."""

from concurrent.futures import ThreadPoolExecutor
from uuid import uuid4

import pytest

from operations.errors import TooManyAttempts
from operations.web.throttle import Throttle


def is_let_in(limit, subject):
    try:
        limit.check_and_count(subject)
    except TooManyAttempts:
        return False
    return True


def test_attempts_at_the_same_moment_are_all_counted():
    limit, subject = Throttle("test", limit=5, seconds=60), uuid4().hex
    with ThreadPoolExecutor(20) as pool:
        assert sum(pool.map(lambda _: is_let_in(limit, subject), range(40))) == 5
    with pytest.raises(TooManyAttempts):
        limit.check(subject)


def test_the_highest_number_counts_and_nobody_is_no_subject():
    limit, first, second = Throttle("test", limit=5, seconds=60), uuid4().hex, uuid4().hex
    assert [limit.count(first), limit.count(second, first), limit.count("")] == [1, 2, 0]
    limit.forget(first)
    assert [limit.count_of(first), limit.count_of(second), limit.count_of("")] == [0, 1, 0]

"""Runs several acts at once, or kills one: real threads, real processes, and a real database that others can reach."""

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection, connections

Act = Callable[[], object]


def at_once(*acts: Act) -> list[object]:
    """Run the acts in threads that start together; return what each returned or raised."""
    gate = threading.Barrier(len(acts))
    results: list[object] = [None] * len(acts)

    def run(place: int, act: Act) -> None:
        try:
            gate.wait(timeout=10)
            results[place] = act()
        except Exception as error:
            results[place] = error
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=pair) for pair in enumerate(acts)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=30)
    return results


def slow_down(function: Callable[..., Any], seconds: float = 0.5) -> Callable[..., Any]:
    """Return `function` with a pause before it, in which others can act."""

    def wait(*args: Any, **more: Any) -> Any:
        time.sleep(seconds)
        return function(*args, **more)

    return wait


def count_statements(act: Act) -> int:
    """Run `act` here and return how many statements it sent to the database."""
    with watch_statements(lambda number: None) as seen:
        act()
    return len(seen)


def run_until_killed(act: Act, *, at: int) -> bool:
    """Run `act` in its own process, and kill it (SIGKILL) just before it sends statement number `at`, counted from 1.

    Returns whether that happened before `act` was done. Anything not committed is lost. A commit counts as two
    statements: the second comes when the database has committed, and the process doesn't know yet."""
    # The child must not use or close its parent's connection.
    connections.close_all()
    child = os.fork()
    if child == 0:
        _run_and_die(act, at)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        assert os.WTERMSIG(status) == signal.SIGKILL, status
        return True
    assert os.WEXITSTATUS(status) == 0, "the sweep raised an error"
    return False


def _run_and_die(act: Act, at: int) -> None:
    """Never returns: whatever happens, the child must not continue its parent's tests."""
    try:
        with watch_statements(lambda number: os.kill(os.getpid(), signal.SIGKILL) if number == at else None):
            act()
        os._exit(0)
    except BaseException:
        os._exit(1)


@contextmanager
def watch_statements(before_each: Callable[[int], object]) -> Iterator[list[str]]:
    """Call `before_each` with the number of every statement before it is sent; yields the statements sent."""
    seen: list[str] = []

    def pass_on(execute: Callable[..., Any], sql: str, *more: Any) -> Any:
        before_each(len(seen) + 1)
        seen.append(sql)
        return execute(sql, *more)

    def commit() -> None:
        before_each(len(seen) + 1)
        seen.append("COMMIT")
        passed_on()
        before_each(len(seen) + 1)
        seen.append("committed")

    connection.ensure_connection()
    passed_on = connection._commit
    connection._commit = commit  # type: ignore[method-assign]
    try:
        with connection.execute_wrapper(pass_on):
            yield seen
    finally:
        del connection._commit

"""`./run bench --crowd` plays duels on the set-up of docs/hosting.md, and every spectator hears of a turn."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from benchmarks import crowd


@pytest.mark.journey
@pytest.mark.slow
def test_a_small_crowd_is_carried_without_an_error(capsys):
    options = ["--rates", "1", "--seconds", "8", "--sockets", "30", "--duels", "10"]
    # In a thread of its own: an event loop already runs in that of the browser tests.
    with ThreadPoolExecutor(1) as thread:
        code = thread.submit(crowd.main, options).result()
    output = capsys.readouterr().out
    assert code == 0, output
    assert "0 errors" in output and "order to push" in output and "email to resolved turn" in output, output
    assert "on 1 battles: 90 of 90 pushes came" in output, output
    assert "exceptions in the services' logs: 0" in output, output

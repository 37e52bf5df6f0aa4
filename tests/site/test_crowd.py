"""`./run bench --crowd` plays duels on the set-up of docs/hosting.md, and every spectator hears of a turn."""

import pytest

from benchmarks import crowd


@pytest.mark.journey
@pytest.mark.slow
def test_a_small_crowd_is_carried_without_an_error(capsys):
    code = crowd.main(["--rates", "1", "--seconds", "8", "--sockets", "30", "--duels", "10"])
    told = capsys.readouterr().out
    assert code == 0, told
    assert "0 errors" in told and "order to push" in told and "email to resolved turn" in told, told
    assert "on 1 battles: 90 of 90 pushes came" in told, told
    assert "exceptions in the services' logs: 0" in told, told

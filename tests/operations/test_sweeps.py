"""Sweeps over due rows."""

from operations.sweeps import act_on_each


def test_a_row_with_an_error_holds_up_no_other():
    seen = []

    def act(row: int) -> int:
        seen.append(row)
        return 12 // row

    assert act_on_each([3, 0, 4], act) == 4 + 3
    assert seen == [3, 0, 4]

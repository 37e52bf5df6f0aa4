"""The drawn signs: the sprite in the templates matches the skeletons, and is small."""

import re

import pytest

from duels.hands.__main__ import SPRITE, mirror
from duels.hands.__main__ import sprite as draw_sprite
from duels.hands.outline import Bone, contours, cut, melt, simplify
from duels.hands.path import number, smooth
from duels.hands.skeletons import SIGNS

PATHS = re.compile(r'path d="([^"]+)"')
NUMBER = re.compile(r"-?\d*\.?\d+")


@pytest.fixture(scope="module")
def sprite() -> str:
    return draw_sprite()


def test_the_sprite_is_what_the_skeletons_draw(sprite: str) -> None:
    assert SPRITE.read_text(encoding="utf-8") == sprite, "run python -m duels.hands"


def test_the_sprite_has_all_eight_signs_and_stays_small(sprite: str) -> None:
    """SC-GEST-4."""
    assert re.findall(r'id="h-(\w+)"', sprite) == ["F", "P", "S", "W", "D", "C", "stab", "nothing"]
    assert len(sprite) < 7500


def test_every_line_of_every_sign_begins_inside_its_box(sprite: str) -> None:
    paths = PATHS.findall(sprite)
    assert len(paths) == len(SIGNS)
    for start in re.findall(r"M([^Mclz]*)", " ".join(paths)):
        assert all(0 <= float(v) <= 32 for v in NUMBER.findall(start)[:2])


def test_two_capsules_melt_into_one_outline_with_a_round_valley() -> None:
    bones = (Bone(((10, 20, 2), (10, 8, 2))), Bone(((14, 20, 2), (14, 8, 2))))
    lines = contours(melt(bones, 1.0))
    assert len(lines) == 1
    line = lines[0]
    assert line[0] == line[-1]
    assert min(y for _, y in line) == pytest.approx(6, abs=0.1)
    valley = [y for x, y in line if abs(x - 12) < 0.2 and y < 14]
    assert valley and min(valley) > 6.5


def test_cutting_leaves_the_hand_open_at_the_wrist() -> None:
    line = contours(melt((Bone(((16, 10, 3), (16, 26, 3))),), 0.0))[0]
    parts = cut(line, lambda x, y: y < 24)
    assert len(parts) == 1
    assert parts[0][0] != parts[0][-1]
    assert max(y for _, y in parts[0]) < 24


def test_simplifying_keeps_the_ends_and_every_point_near() -> None:
    line = [(x / 10, 0.05 * (x % 2)) for x in range(50)]
    assert simplify(line, 0.1) == [line[0], line[-1]]
    assert simplify([(0.0, 0.0), (1.0, 1.0), (2.0, 0.0)], 0.1) == [(0.0, 0.0), (1.0, 1.0), (2.0, 0.0)]


def test_numbers_are_as_short_as_one_decimal_allows() -> None:
    assert [number(v) for v in (0.04, -0.04, 0.5, -0.5, 12.0, 3.14)] == ["0", "0", ".5", "-.5", "12", "3.1"]


def test_a_closed_line_is_closed_and_a_mirrored_one_is_turned_over() -> None:
    square = [(0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (0.0, 4.0), (0.0, 0.0)]
    assert smooth(square).endswith("z")
    assert not smooth(square[:-1]).endswith("z")
    assert mirror(((1.0, 2.0),)) == ((31.0, 2.0),)

"""Rules for every template and style sheet: no inline script or style, enough contrast in both themes."""

import re
from pathlib import Path

import pytest

pytestmark = pytest.mark.once

ROOT = Path(__file__).resolve().parents[2]
SITE = ROOT / "fm_site"
PAGES = sorted(
    path
    for templates in ROOT.glob("*/templates")
    for path in templates.rglob("*.html")
    if path.parent.name != "email_gateway" or path.name in ("mailbox.html", "mail.html")
)
TOKENS = (SITE / "static" / "css" / "tokens.css").read_text()


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_page_has_inline_script_style_or_handler(path: Path) -> None:
    text = path.read_text()
    assert not re.search(r"\sstyle\s*=", text)
    assert not re.search(r"<style", text)
    assert not re.search(r"\son[a-z]+\s*=", text)
    assert all("src=" in tag for tag in re.findall(r"<script[^>]*>", text))


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_drawing_is_hidden_from_screen_readers_or_says_what_it_shows(path: Path) -> None:
    text = path.read_text()
    for match in re.finditer(r"<svg[^>]*>", text):
        before = text[: match.start()]
        inside_hidden = before.rfind('aria-hidden="true">') > before.rfind("</span>")
        says = re.search(r'role="(img|group)"', match.group()) and re.search(r"aria-label(ledby)?=", match.group())
        assert 'aria-hidden="true"' in match.group() or inside_hidden or says or "example" in before, match.group()


def colours(block: str) -> dict[str, str]:
    return dict(re.findall(r"--([\w-]+): (#[0-9A-F]{6})", block))


LIGHT = colours(TOKENS[TOKENS.index(":root {") : TOKENS.index("@media")])
DARK = colours(TOKENS[TOKENS.index(':root[data-theme="dark"]') :])


def luminance(colour: str) -> float:
    channels = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


# The school of time and sight has the colour of ink.
SCHOOLS = ("harm", "ward", "summon", "mind")
TEXT_ON = [
    *((ink, ground) for ink in ("ink", "ink-2", "ember", "moss", "blood") for ground in ("page", "surface")),
    ("ink-2", "sunk"),
    ("on-ember", "ember"),
    ("ember", "ember-wash"),
    ("ink", "ember-wash"),
    ("moss", "moss-wash"),
    ("warn", "warn-wash"),
    ("blood", "blood-wash"),
    ("surface", "blood"),
    ("page", "moss"),
    *((school, ground) for school in SCHOOLS for ground in ("page", "surface", "ember-wash")),
    *(("on-bead", f"{school}-bead") for school in SCHOOLS),
    ("ink", "harm-wash"),
    ("harm", "harm-wash"),
    ("on-kill", "kill"),
    *((f"mage-{n}", ground) for n in range(1, 9) for ground in ("page", "surface")),
]


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize(("text", "ground"), TEXT_ON)
def test_text_has_enough_contrast(theme: dict[str, str], text: str, ground: str) -> None:
    assert contrast(theme[text], theme[ground]) >= 4.5


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("ground", ["page", "surface"])
def test_edges_of_controls_can_be_seen(theme: dict[str, str], ground: str) -> None:
    assert contrast(theme["edge"], theme[ground]) >= 3


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("school", SCHOOLS)
def test_filled_beads_and_signs_stand_out_from_the_page(theme: dict[str, str], school: str) -> None:
    assert contrast(theme[f"{school}-bead"], theme["page"]) >= 3


def test_both_ways_to_the_dark_theme_have_the_same_colours() -> None:
    by_device = TOKENS[TOKENS.index(":root:not(") : TOKENS.index(':root[data-theme="dark"]')]
    assert colours(by_device) == DARK


def test_the_display_face_comes_from_this_site_with_its_licence() -> None:
    fonts = SITE / "static" / "fonts"
    assert (fonts / "grenze-latin-500.woff2").stat().st_size < 16_000
    assert "SIL Open Font License" in (fonts / "OFL.txt").read_text()
    assert "http" not in TOKENS


@pytest.mark.parametrize("path", sorted(ROOT.glob("*/static/css/*.css")), ids=lambda path: path.name)
def test_no_field_has_letters_so_small_that_a_phone_zooms_into_it(path: Path) -> None:
    """Phones zoom into a field whose letters are smaller than 16 pixels, and do not zoom out again."""
    for selector, rules in re.findall(r"([^{}]+)\{([^{}]*)\}", path.read_text()):
        size = re.search(r"font-size:\s*([\d.]+)rem", rules)
        if size and re.search(r"\b(input|select|textarea)\b[^ ]*$", selector.strip()):
            assert float(size.group(1)) >= 1, selector.strip()

"""The documents are consistent: links lead somewhere, every page is in the index, every setting is listed."""

import re
import subprocess
from pathlib import Path

import pytest

from fm_site.texts.catalogues import SITE, list_domains
from fm_site.texts.translations import as_forms, extract

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
PAGES = sorted([*ROOT.glob("*.md"), *DOCS.rglob("*.md"), *(ROOT / ".github").rglob("*.md")])
FENCE = re.compile(r"^```.*?^```", re.M | re.S)
LINK = re.compile(r"\]\(([^)\s]+)\)")


def read_prose(page: Path) -> str:
    """Return a page without its code blocks."""
    return FENCE.sub("", page.read_text(encoding="utf-8"))


def list_anchors(page: Path) -> set[str]:
    """Return the anchors that GitHub and MyST give to the headings of a page."""
    titles = re.findall(r"^#+ (.+)$", read_prose(page), re.M)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def find_broken_links(page: Path, text: str) -> list[str]:
    broken = []
    for link in LINK.findall(text):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        if not target.exists() or (anchor and target.suffix == ".md" and anchor not in list_anchors(target)):
            broken.append(link)
    return broken


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page):
    assert find_broken_links(page, read_prose(page)) == []


def test_a_broken_link_is_found():
    text = "[a](keeping.md#behind-a-proxy) [b](nowhere.md) [c](keeping.md#nowhere) [d](https://example.org/)"
    assert find_broken_links(DOCS / "settings.md", text) == ["nowhere.md", "keeping.md#nowhere"]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_row_of_a_table_is_below_its_head(page):
    rows = read_prose(page).split("\n")
    begins = [place for place in range(1, len(rows)) if rows[place].startswith("|") and not rows[place - 1].strip()]
    assert [rows[place] for place in begins if not re.match(r"\|[ :-]*-", rows[place + 1])] == []


def test_every_page_is_in_the_index():
    listed = set(re.findall(r"^[\w/-]+$", (DOCS / "index.md").read_text(encoding="utf-8"), re.M))
    pages = {page.stem for page in DOCS.glob("*.md")} - {"index"}
    assert pages <= listed
    assert {name for name in listed if not (DOCS / f"{name}.md").exists()} == set()


def test_every_decision_has_its_own_number():
    numbers = [page.name[:4] for page in sorted((DOCS / "decisions").glob("0*.md"))]
    assert numbers == [f"{number:04}" for number in range(1, len(numbers) + 1)]


def test_every_setting_is_listed():
    """The variables that the settings and `./run` read, by their names in the source."""
    sources = [ROOT / "run", *(ROOT / "fm_site").rglob("*.py")]
    read = {
        name for path in sources for name in re.findall(r"[\"'](FM_[A-Z_]+)[\"']", path.read_text(encoding="utf-8"))
    }
    listed = set(re.findall(r"`(FM_[A-Z_]+)`", (DOCS / "settings.md").read_text(encoding="utf-8")))
    assert len(read) > 10
    assert read - listed == set()


def test_the_version_is_in_the_changelog_and_nowhere_else():
    version = re.search(r'^version = "([\d.]+)"$', (ROOT / "pyproject.toml").read_text(encoding="utf-8"), re.M)[1]
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.findall(r"^## (.+)$", changelog, re.M)[:2] == ["Unreleased", version]
    # Generated pages and pinned dependencies have their own versions.
    sources = [path for app in ("fm_site", "duels", "docs") for path in (ROOT / app).rglob("*.py")]
    assert [path.name for path in [*sources, ROOT / "run"] if version in path.read_text(encoding="utf-8")] == []


# --- The voice --------------------------------------------------------------------------------------------------------

# Words that docs/voice.md replaces, in the texts that people read.
BANNED = re.compile(r"\b(whoever|(some|every|any)body|goes on|is told|(the|this) house|mails|resign)\b", re.I)


def find_banned_words(texts: list[str]) -> list[str]:
    return [text for text in texts if BANNED.search(text)]


@pytest.mark.parametrize("domain", list_domains(), ids=lambda domain: domain.name)
def test_texts_keep_to_the_glossary(domain):
    texts = [form for message in extract(domain) for form in as_forms(message.id)]
    assert find_banned_words(texts) == []


# docs/voice.md quotes the words themselves, and the changelog the texts that it announces.
@pytest.mark.parametrize(
    "page",
    [page for page in PAGES if page.name not in ("voice.md", "CHANGELOG.md") and page.parent.name != "releases"],
    ids=lambda page: page.name,
)
def test_documents_keep_to_the_glossary(page):
    assert find_banned_words(re.sub(r"`[^`]*`", "", read_prose(page)).split("\n")) == []


def test_a_banned_word_is_found():
    assert find_banned_words(["Anyone can join.", "Whoever has the link may join."]) == [
        "Whoever has the link may join."
    ]


def test_the_voice_has_sixty_sentences_from_every_channel():
    examples = (DOCS / "voice.md").read_text(encoding="utf-8").partition("## Before and after")[2]
    tables = {part.split("\n", 1)[0].strip(): part for part in re.split(r"\n\n(?=[A-Z][\w ]+\n\n\|)", examples)[1:]}
    counts = {name: len(re.findall(r"^\| (?!before)[^-]", table, re.M)) for name, table in tables.items()}
    assert set(counts) == {
        "Pages",
        "Errors and messages",
        "Battles",
        "Emails",
        "The desk",
        "Documents and code",
    }
    assert sum(counts.values()) >= 60 and min(counts.values()) >= 5


def list_unknown_labels(prose: str, texts: set[str]) -> list[str]:
    """Return the steps of menu paths (*Settings → API tokens*) that no page shows."""
    paths = re.findall(r"(?<![*\w])\*([A-Z][^*`]{2,60}→[^*`]{2,60})\*(?![*\w])", prose)
    return [step for path in paths for step in re.split(r"\s*→\s*", " ".join(path.split())) if step not in texts]


# SECURITY.md leads through GitHub.
@pytest.mark.parametrize("page", [page for page in PAGES if page.name != "SECURITY.md"], ids=lambda page: page.name)
def test_menu_paths_use_the_words_of_the_pages(page):
    texts = {form for message in extract(SITE) for form in as_forms(message.id)}
    assert list_unknown_labels(read_prose(page), texts) == []


def test_a_menu_path_that_no_page_shows_is_found():
    assert list_unknown_labels("Choose *Settings →\nTokens*.", {"Settings"}) == ["Tokens"]


def test_every_file_that_a_recipe_names_exists():
    """Names in capitals, and xx for a language, stand for what the reader adds."""
    text = (ROOT / "docs" / "recipes.md").read_text(encoding="utf-8")
    paths = set(re.findall(r"`(\w[\w/]+/(?:\w+\.(?:py|txt|po))?)`", text))
    paths = {path for path in paths if not re.search(r"[A-Z]|xx", path)}
    assert len(paths) > 10
    assert {path for path in paths if not (ROOT / path).exists()} == set()


def has_history() -> bool:
    if not (ROOT / ".git").exists():
        return False
    asked = ["git", "rev-parse", "--is-shallow-repository"]
    return subprocess.run(asked, cwd=ROOT, capture_output=True, text=True).stdout.strip() == "false"


MOST_FILES = {"a page": 6, "an API call": 6, "an email order": 5, "a kind of notice": 5}


def test_each_recipe_needs_as_many_files_as_its_table_says():
    """And not more than someone new would follow."""
    text = (ROOT / "docs" / "recipes.md").read_text(encoding="utf-8")
    told = {name: int(files) for name, files in re.findall(r"^\| (an? [^|]+) \| (\d+) \|", text, re.MULTILINE)}
    sections = dict(re.findall(r"^## Add ([^\n]+)\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL))
    assert told == {name: len(re.findall(r"^\d+\. ", section, re.MULTILINE)) for name, section in sections.items()}
    assert {name for name, most in MOST_FILES.items() if told[name] > most} == set()


@pytest.mark.skipif(not has_history(), reason="without all commits, some examples are missing")
def test_every_commit_that_a_recipe_names_exists():
    text = (ROOT / "docs" / "recipes.md").read_text(encoding="utf-8")
    named = [re.sub(r"\s+", " ", found) for found in re.findall(r'\*Example: (?:`\w+` in )?"([^"]+)"', text)]
    assert len(named) == 7
    subjects = subprocess.run(
        ["git", "log", "--format=%s"], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout
    assert [name for name in named if f"\n{name}" not in f"\n{subjects}"] == []

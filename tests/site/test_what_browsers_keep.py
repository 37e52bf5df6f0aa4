"""What the site stores on a device is listed in docs/keeping.md, all of it, and nothing else."""

import re

from django.conf import settings

from accounts.push_cookie import PUSH_COOKIE
from accounts.trace_hash import DEVICE_COOKIE
from challenges.filters import COOKIE as FILTERS_COOKIE
from studies.progress import COOKIE as LEARNED_COOKIE
from tests.test_documents import ROOT

NOT_APPS = {"tests", "benchmarks", "rules_engine"}
APPS = [path.parent.name for path in ROOT.glob("*/__init__.py") if path.parent.name not in NOT_APPS]
# The cookies, by the file that sets them. Django sets the first two itself.
COOKIES = {
    "session": settings.SESSION_COOKIE_NAME,
    "csrf": settings.CSRF_COOKIE_NAME,
    "accounts/views/settings.py": settings.LANGUAGE_COOKIE_NAME,
    "accounts/push_cookie.py": PUSH_COOKIE,
    "accounts/trace_middleware.py": DEVICE_COOKIE,
    "challenges/views/index.py": FILTERS_COOKIE,
    "studies/progress.py": LEARNED_COOKIE,
}
# The keys of local storage, by the script that writes them.
STORED = {
    "board.js": "fm:guess:",
    "chat.js": "chat.",
    "dock.js": "turn:",
    "draft.js": "fm:draft:",
    "sound.js": "sound",
}


def read_sources(*suffixes):
    files = [file for app in APPS for file in (ROOT / app).rglob("*") if file.suffix in suffixes]
    return {file.relative_to(ROOT).as_posix(): file.read_text(encoding="utf-8") for file in files}


def list_rows():
    text = (ROOT / "docs" / "keeping.md").read_text(encoding="utf-8")
    return set(re.findall(r"^\| (cookie|local storage|cache) \| `(\S+?)` \|", text, re.M))


def test_every_cookie_is_in_the_document():
    setting = {path for path, text in read_sources(".py").items() if ".set_cookie(" in text}
    assert setting == {path for path in COOKIES if path.endswith(".py")}
    assert {name for where, name in list_rows() if where == "cookie"} == set(COOKIES.values())


def test_everything_that_scripts_store_is_in_the_document():
    scripts = read_sources(".js", ".html")
    storing = {path.rpartition("/")[2]: text for path, text in scripts.items() if "localStorage.setItem" in text}
    assert set(storing) == set(STORED)
    for script, key in STORED.items():
        assert re.search(rf"[`\"']{re.escape(key)}", storing[script]), script
    assert {name for where, name in list_rows() if where == "local storage"} == set(STORED.values())
    caches = {name for text in scripts.values() if "caches.open" in text for name in re.findall(r'"(\w+-\d+)"', text)}
    assert {name for where, name in list_rows() if where == "cache"} == caches
    others = re.compile(r"sessionStorage|indexedDB|document\.cookie|cookieStore")
    assert [path for path, text in scripts.items() if others.search(text)] == []

"""A real browser: Debian's Chromium by Playwright. Without one, browser tests say so loudly, and fail where CI=true."""

import os
import shutil
from collections.abc import Callable, Iterator
from typing import Any

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
# The same browser without its windows, as Playwright would install it: it takes a third less time, but shows no
# notifications.
SHELL = "chromium-headless-shell"
# Chromium uses the last of several lists, so these repeat Playwright's own. Each window would load two pages for the
# menu below its address bar, which nobody sees here: half a second of processor time for every profile.
DISABLED = (
    *("AimEnabled", "AvoidCorsURLLoaderRestartOnRedirect", "AvoidUnnecessaryBeforeUnloadCheckSync"),
    "DestroyProfileOnBrowserClose",
    *("HttpsFirstBalancedModeAutoEnable", "HttpsUpgrades", "LensOverlay", "MediaRouter", "NetworkTimeServiceQuerying"),
    *("OptimizationHints", "PaintHolding", "PreconnectToSearch", "ThirdPartyStoragePartitioning"),
    *("WebUIOmniboxAimPopup", "WebUIOmniboxFullPopup", "WebUIOmniboxPopup"),
)
ENABLED = ("CDPScreenshotNewSurface", "SkipListAccountsWithoutGaiaCookies", "NetworkServiceInProcess2")
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    # Graphics and network in the browser's own process instead of two more: a tenth less processor time.
    "--in-process-gpu",
    f"--enable-features={','.join(ENABLED)}",
    f"--disable-features={','.join(DISABLED)}",
]
missing: list[str] = []


def find_chromium(*, whole: bool = False) -> str | None:
    """Return the program, from FM_CHROMIUM or the PATH; with `whole`, one that has windows."""
    names = NAMES if whole else (SHELL, *NAMES)
    return os.environ.get("FM_CHROMIUM") or next(filter(None, map(shutil.which, names)), None)


@pytest.fixture(scope="session")
def playwright() -> Iterator[Any]:
    """Playwright itself (a `playwright.sync_api.Playwright`)."""
    from playwright.sync_api import sync_playwright

    # It runs an event loop in this thread, which Django would take for asynchronous code.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
    with sync_playwright() as playwright:
        yield playwright


@pytest.fixture(scope="session")
def browser(playwright: Any) -> Iterator[Any]:
    """One headless browser for the whole run (a `playwright.sync_api.Browser`)."""
    yield from launch_browser(playwright)


@pytest.fixture(scope="session")
def whole_browser(playwright: Any) -> Iterator[Any]:
    """One that also shows notifications."""
    yield from launch_browser(playwright, whole=True)


def launch_browser(playwright: Any, *, whole: bool = False) -> Iterator[Any]:
    """Yield a browser and close it; without one, fail where CI=true, and skip the test elsewhere."""
    program = find_chromium(whole=whole)
    if program is None:
        words = "no Chromium found (install it, or name it in FM_CHROMIUM)"
        missing.append(words)
        if os.environ.get("CI") == "true":
            pytest.fail(words)
        pytest.skip(words)
    chromium = playwright.chromium.launch(executable_path=program, headless=True, args=ARGUMENTS)
    yield chromium
    chromium.close()


@pytest.fixture
def service_workers() -> str:
    """Whether pages may start our service worker ("allow" or "block"). Each profile would start and fill its own, which
    takes as long as the page. Tests of it override this, and the journeys have it on every page."""
    return "block"


@pytest.fixture
def new_browser_page(browser: Any, service_workers: str) -> Iterator[Callable[..., Any]]:
    """A function that opens a page in a fresh profile; its keywords are those of `Browser.new_context`."""
    contexts: list[Any] = []

    def open_page(**options: Any) -> Any:
        context = browser.new_context(**{"service_workers": service_workers, **options})
        contexts.append(context)
        return context.new_page()

    yield open_page
    for context in contexts:
        context.close()


@pytest.fixture
def browser_page(new_browser_page: Callable[..., Any]) -> Any:
    """One page (a `playwright.sync_api.Page`)."""
    return new_browser_page()


def wait_for_value(page: Any, expression: str, accepted: str = "(value) => value") -> Any:
    """Return the value of `expression` as soon as `accepted` says yes to it, or what it is after 10 s.

    It may be a promise. Playwright's `wait_for_function` does not wait for one, and uses `eval`, which our
    Content-Security-Policy forbids.
    """
    return page.evaluate(
        f"""async () => {{
          for (const end = Date.now() + 10000; ; await new Promise((resume) => setTimeout(resume, 50))) {{
            const value = await ({expression});
            if (({accepted})(value) || Date.now() > end) return value;
          }}
        }}"""
    )


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Repeat at the very end that browser tests did not run."""
    skipped = [report for report in terminalreporter.getreports("skipped") if "no Chromium" in str(report.longrepr)]
    if missing or skipped:
        terminalreporter.section("BROWSER TESTS DID NOT RUN", sep="!", red=True, bold=True)
        terminalreporter.line("No Chromium was found. Install it (Debian: apt install chromium) or set FM_CHROMIUM.")

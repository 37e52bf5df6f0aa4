"""Pictures of every page, 390 and 1280 pixels wide, light and dark: python -m tests.journeys.take_screenshots FOLDER

Starts its own stack. With names from page_list.py after the folder, it takes only those pages.
"""

import sys
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

from tests.journeys.page_list import PASSWORD, SIZES, Cast, furnish, list_visits
from tests.services.browser import ARGUMENTS, find_chromium
from tests.services.stack import Stack


def main(folder: Path, names: list[str]) -> int:
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        stack = Stack(Path(scratch) / "var")
        stack.start()
        try:
            stack.wait_until_open()
            print(take_all(stack, folder, names), "pictures")
        finally:
            stack.interrupt()
    return 0


def take_all(stack: Stack, folder: Path, names: list[str]) -> int:
    cast = furnish(stack)
    count = 0
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), headless=True, args=ARGUMENTS)
        pages: dict[str, Any] = {}
        for visit in list_visits(cast):
            if names and visit.name not in names:
                continue
            if visit.who not in pages:
                pages[visit.who] = log_in(browser.new_page(), stack.url, cast, visit.who)
            count += take(pages[visit.who], stack.url + visit.path, folder / visit.name)
        browser.close()
    return count


def log_in(page: Any, url: str, cast: Cast, who: str) -> Any:
    """Log in as that role, unless it is the visitor."""
    if who:
        page.goto(f"{url}/accounts/login/")
        page.locator("[name=login]").fill(cast.log_ins[who][0])
        page.locator("[name=password]").fill(PASSWORD)
        page.locator("[name=password]").press("Enter")
        page.wait_for_url(lambda address: "/login/" not in address)
    return page


def take(page: Any, address: str, name: Path) -> int:
    page.goto(address)
    for size, (width, height) in SIZES.items():
        page.set_viewport_size({"width": width, "height": height})
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            page.screenshot(path=f"{name}-{size}-{scheme}.png", full_page=True, animations="disabled")
    return 2 * len(SIZES)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2:]))

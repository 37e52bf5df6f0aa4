"""Checks a page in the browser with axe."""

from typing import Any

from axe_playwright_python.base import AXE_SCRIPT

AT_LEAST = ("serious", "critical")
# Otherwise axe takes twice as long, to look for pseudo-elements behind each text, and where it finds one, it compares
# no colours.
LOAD = AXE_SCRIPT + "; axe.configure({checks: [{id: 'color-contrast', options: {ignorePseudo: true}}]})"
# Leave out everything except violations; nothing is fetched again for rules about style sheets, which are all off.
RUN = "axe.run({resultTypes: ['violations'], preload: false}).then((told) => told.violations)"
# Without the rules that find nothing serious, whatever they find: a third of the time.
RUN_SERIOUS = """axe.run({
  resultTypes: ['violations'], preload: false,
  rules: Object.fromEntries(axe._audit.rules
    .filter((rule) => ['minor', 'moderate'].includes(rule.impact)).map((rule) => [rule.id, {enabled: false}])),
}).then((told) => told.violations)"""
# A rule of WCAG 2.2 that is off otherwise: links and buttons are at least 24 pixels high and wide, or stand apart.
SIZES = """axe.run({runOnly: {type: 'rule', values: ['target-size']}, preload: false})
  .then((told) => [...told.violations, ...told.incomplete])"""


def list_faults(page: Any, *, of_any_severity: bool = False) -> list[str]:
    """Return what axe finds serious or critical, or anything at all, on the page as it is now."""
    load(page)
    return [
        f"{page.url} {one['id']} ({one['impact']}): {node['html'][:160]}"
        for one in page.evaluate(RUN if of_any_severity else RUN_SERIOUS)
        if of_any_severity or one["impact"] in AT_LEAST
        for node in one["nodes"]
    ]


def list_small_targets(page: Any) -> list[str]:
    """Return the links and buttons that are too small to hit, or of which axe cannot tell."""
    load(page)
    return [f"{page.url}: {node['html'][:160]}" for one in page.evaluate(SIZES) for node in one["nodes"]]


def load(page: Any) -> None:
    page.wait_for_load_state()  # a document that a click has just opened may still be empty
    if not page.evaluate("typeof axe === 'object'"):
        page.evaluate(LOAD)

"""A page without scripts: its text, and forms that can be filled in and sent."""

from dataclasses import dataclass, field
from html.parser import HTMLParser


@dataclass
class Form:
    """One form: its address, what it sends unchanged, and its choices."""

    action: str
    method: str
    fields: dict[str, str] = field(default_factory=dict)
    offered: dict[str, list[str]] = field(default_factory=dict)


@dataclass
class Page:
    """An answer: its final address, its status, its text and forms."""

    address: str
    status: int
    html: str
    forms: list[Form] = field(default_factory=list)

    def find_form_with(self, name: str) -> Form:
        """The form that has a field of this name."""
        for form in self.forms:
            if name in form.fields or name in form.offered:
                return form
        raise AssertionError(f"{self.address} has no form with {name!r}:\n{self.html}")

    def find_form(self, action: str) -> Form:
        """The form that goes to `action`, or, if it is "", to the page itself."""
        for form in self.forms:
            if form.action == action and form.method == "post":
                return form
        raise AssertionError(f"{self.address} has no form to {action!r}, only {[form.action for form in self.forms]}")


def read_page(address: str, status: int, html: str) -> Page:
    reader = _FormReader()
    reader.feed(html)
    return Page(address, status, html, reader.forms)


class _FormReader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.forms: list[Form] = []
        self._form: Form | None = None
        self._select = ""
        self._option = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "form":
            self._form = Form(given.get("action", ""), given.get("method", "get").lower())
            self.forms.append(self._form)
        elif self._form is not None:
            self._read_control(self._form, tag, given)

    def _read_control(self, form: Form, tag: str, given: dict[str, str]) -> None:
        name = given.get("name", "")
        if tag == "select":
            self._select = name
        elif tag == "option" and self._select:
            self._read_option(form, given)
        elif tag == "button" and name:
            form.offered.setdefault(name, []).append(given.get("value", ""))
        elif tag == "textarea" and name:
            form.fields.setdefault(name, "")
        elif tag == "input" and name and given.get("type") in ("checkbox", "radio"):
            form.offered.setdefault(name, []).append(given.get("value", "on"))
            if "checked" in given:
                form.fields[name] = given.get("value", "on")
        elif tag == "input" and name and given.get("type") != "submit":
            form.fields[name] = given.get("value", "")

    def _read_option(self, form: Form, given: dict[str, str]) -> None:
        if "value" not in given:
            self._option = self._select
            return
        self._offer(form, self._select, given["value"], "selected" in given)

    def _offer(self, form: Form, name: str, value: str, is_selected: bool = False) -> None:
        form.offered.setdefault(name, []).append(value)
        if is_selected or name not in form.fields:
            form.fields[name] = value

    def handle_data(self, data: str) -> None:
        if self._option and self._form is not None and data.strip():
            self._offer(self._form, self._option, data.strip())
            self._option = ""

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._form = None
        elif tag == "select":
            self._select = ""

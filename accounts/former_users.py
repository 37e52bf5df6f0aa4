"""The name of a user who has left: their account's row keeps a neutral one, and pages and emails say what it means."""

import re
from collections.abc import Callable, Collection, Mapping
from typing import Any

from django.utils.translation import gettext as _

# Nobody can choose a name with this beginning (accounts.names).
FORMER_START = "former_user_"
FORMER = re.compile(rf"\b{FORMER_START}\d+\b")
# Where facts of notices and of the janitors' journal name users. The other keys name mages, or no one.
KEYS_OF_USERS = frozenset({"user", "name", "by", "old", "new", "subject", "owner", "kept", "merged", "named"})


def make_former_name(user_id: int) -> str:
    """Return the name that the row of a user gets when they leave. It is one word, for records and the dump."""
    return f"{FORMER_START}{user_id}"


def show_user_name(name: str) -> str:
    """Return a user's name as people read it."""
    return _("a user who has left") if name.startswith(FORMER_START) else name


def show_user_names(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Return stored facts with the names of users as people read them."""
    return _change_names(facts, lambda text: FORMER.sub(lambda _found: show_user_name(FORMER_START), text))


def replace_user_names(facts: Mapping[str, Any], names: Collection[str], new: str) -> dict[str, Any]:
    """Return stored facts with `new` in place of each of these names, wherever the facts name a user."""
    return _change_names(facts, lambda text: replace_words(text, names, new))


def replace_mage_name(facts: Mapping[str, Any], old: str, new: str) -> dict[str, Any]:
    """Return stored facts with `new` in place of a mage's name, wherever they do not name a user."""
    users = {key: value for key, value in facts.items() if key in KEYS_OF_USERS}
    return _change_all(facts, lambda text: re.sub(rf"\b{re.escape(old)}\b", new, text)) | users


def replace_words(text: str, names: Collection[str], new: str) -> str:
    """Return the text with `new` in place of each of these names, however they are written."""
    return re.sub(rf"\b({'|'.join(map(re.escape, names))})\b", new, text, flags=re.IGNORECASE)


def _change_names(facts: Mapping[str, Any], change: Callable[[str], str]) -> dict[str, Any]:
    users = {key: value for key, value in facts.items() if key in KEYS_OF_USERS}
    return dict(facts) | _change_all(users, change)


def _change_all(facts: Mapping[str, Any], change: Callable[[str], str]) -> dict[str, Any]:
    def changed(value: Any) -> Any:
        if isinstance(value, list):
            return [changed(each) for each in value]
        if isinstance(value, dict):
            return {key: changed(each) for key, each in value.items()}
        return change(value) if isinstance(value, str) else value

    return {key: changed(value) for key, value in facts.items()}

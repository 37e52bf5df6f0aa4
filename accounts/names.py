"""Which names are allowed (FM-ORDGEN-11, FM-ORDGEN-12 and the classic server's reserved words), and the nearest free
one.

A name has 2 to 20 ASCII letters, digits and underscores, does not start with a digit, and gets a capital first letter.
Users and mages share one case-insensitive name space, in which a user may own one mage with their own name. A name
never passes to another user, and a mage's name never to another mage, whatever happens to the mage.
"""

import re
import string
import unicodedata
from collections.abc import Iterator
from itertools import chain, count, islice

from django.utils.translation import gettext as _

from accounts.errors import InvalidName, NameProblem, NameTaken
from accounts.former_users import FORMER_START
from accounts.models import Mage, Name, User
from accounts.models.name import NAME_LENGTH
from accounts.reserved_words import GUEST_START, JANITOR, MONSTER_ENDINGS, WORDS

ALLOWED = frozenset(string.ascii_letters + string.digits + "_")
SHORTEST = 2
CANDIDATES = 40


def check_name(text: str, *, kind: str, user: User | None = None) -> str:
    """Return `text` as it is written as the name of a `kind` ("user" or "mage") of `user`.

    Raises InvalidName with every problem and the nearest free name; NameTaken if someone has or had it.
    """
    written = capitalize(text.strip())
    problems = name_problems(written)
    if problems:
        raise InvalidName(text, problems, nearest_free_name(text, kind=kind, user=user))
    if not is_name_free(written, kind=kind, user=user):
        raise refuse_taken(text, written, kind=kind, user=user)
    return written


def refuse_taken(text: str, written: str, *, kind: str, user: User | None = None) -> NameTaken:
    """Return the error for `text`, a name that someone has or had, with the nearest free one. It says if it is the name
    of the user's own living mage."""
    message = _("The name %(name)s is taken.")
    own = kind == Name.Kind.MAGE and user is not None
    if own and Mage.objects.filter(user=user, name__iexact=written, died_at=None).exists():
        message = _("You already have a mage called %(name)s.")
    problem = NameProblem("taken", message % {"name": written})
    return NameTaken(text, (problem,), nearest_free_name(text, kind=kind, user=user))


# What may follow a mage's name when it is registered (SC-START-7).
SUFFIXES = {
    ":f": Mage.Pronoun.SHE,
    ":m": Mage.Pronoun.HE,
    ":n": Mage.Pronoun.THEY,
    ":x": Mage.Pronoun.IT,
}


def split_pronoun(text: str) -> tuple[str, Mage.Pronoun]:
    """Return a name without the suffix that says how to refer to the mage, and the pronoun; "they" without a suffix.

    >>> split_pronoun("Circe:f")
    ('Circe', Mage.Pronoun.SHE)
    """
    text = text.strip()
    found = SUFFIXES.get(text[-2:].lower())
    return (text[:-2].strip(), found) if found else (text, Mage.Pronoun.THEY)


def capitalize(text: str) -> str:
    """Return `text` with a capital first letter, the rest as it is."""
    return text[:1].upper() + text[1:] if text[:1] in ALLOWED else text


def name_problems(text: str) -> tuple[NameProblem, ...]:
    """Return every reason why `text` cannot be a name, whether or not it is taken."""
    return tuple(chain(_form_problems(text), _meaning_problems(text.lower())))


def is_name_free(written: str, *, kind: str, user: User | None = None) -> bool:
    """Return whether a `kind` of `user` may be called `written` now."""
    return written.lower() in _free_keys([written.lower()], kind=kind, user=user)


def nearest_free_name(text: str, *, kind: str, user: User | None = None) -> str | None:
    """Return a free name close to `text`, or None when the first forty attempts are taken."""
    candidates = list(islice(_candidates(text), CANDIDATES))
    free = _free_keys([candidate.lower() for candidate in candidates], kind=kind, user=user)
    return next((candidate for candidate in candidates if candidate.lower() in free), None)


def _form_problems(text: str) -> Iterator[NameProblem]:
    strange = sorted({letter for letter in text if letter not in ALLOWED})
    if strange:
        *others, last = [_("a space") if letter == " " else letter for letter in map(_printable, strange[:5])]
        shown = _("%(some)s or %(last)s") % {"some": ", ".join(others), "last": last} if others else last
        yield NameProblem(
            "letters", _("Use only letters a to z, digits and underscores, not %(signs)s.") % {"signs": shown}
        )
    if text[:1].isdigit():
        yield NameProblem("digit_first", _("A name cannot start with a digit."))
    if len(text) < SHORTEST:
        yield NameProblem("short", _("A name needs at least %(least)s characters.") % {"least": SHORTEST})
    if len(text) > NAME_LENGTH:
        yield NameProblem(
            "long",
            _("A name can have at most %(most)s characters; this one has %(count)s.")
            % {"most": NAME_LENGTH, "count": len(text)},
        )


def _meaning_problems(key: str) -> Iterator[NameProblem]:
    if key in WORDS:
        yield NameProblem("reserved", _("This word is used in orders or on this site. Choose another name."))
    if key.endswith(MONSTER_ENDINGS):
        yield NameProblem("monster", _("A name cannot end with a kind of monster, such as Goblin."))
    if JANITOR in key or key.startswith((GUEST_START, FORMER_START)):
        yield NameProblem("reserved", _("Names with this word are reserved for the site. Choose another name."))


def _printable(letter: str) -> str:
    return letter if letter.isprintable() else f"U+{ord(letter):04X}"


def _candidates(text: str) -> Iterator[str]:
    """Yield well-formed names without end, the closest to `text` first."""
    plain = unicodedata.normalize("NFKD", text[:200]).encode("ascii", "ignore").decode()
    plain = re.sub(r"[^A-Za-z0-9]*_[^A-Za-z0-9]*|[^A-Za-z0-9_]+", "_", plain.strip())
    plain = (
        re.sub(f"(?i){JANITOR}|^{GUEST_START}|^{FORMER_START}", "", plain.strip("_")).lstrip(string.digits + "_")
        or "Mage"
    )
    base = capitalize(plain[:NAME_LENGTH])
    for number in count(1):
        ending = "" if number == 1 else str(number)
        candidate = base[: NAME_LENGTH - len(ending)] + ending
        if not name_problems(candidate):
            yield candidate


def _free_keys(keys: list[str], *, kind: str, user: User | None) -> set[str]:
    taken = set()
    for name in Name.objects.filter(key__in=keys):
        own_user_name = kind == Name.Kind.MAGE and name.kind == Name.Kind.USER and user and name.owner_id == user.pk
        if not own_user_name or Mage.objects.filter(user=user, name__iexact=name.key).exists():
            taken.add(name.key)
    return set(keys) - taken

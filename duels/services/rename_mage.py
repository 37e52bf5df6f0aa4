"""A mage's new name, for pages: the mage of a guest who becomes a user, or one named like a user who leaves.

The public record of a battle still names the old one, because rolls and sealed orders are proved with it.
"""

import re
import secrets
from datetime import datetime, timedelta
from functools import cache
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.errors import InvalidName, NameProblem
from accounts.former_users import replace_mage_name
from accounts.models import Mage, Name
from accounts.names import nearest_free_name
from accounts.services.mages import redraw_arms, rename_mage
from duels.models import Battle, Combatant, OrderSheet, Replay, Turn, TurnEvent
from duels.services.lock import lock_battle
from duels.wakeups import wake_watchers_on_commit
from notifications.models import Notice
from rules_engine.beings import COLOURS
from rules_engine.orders import VERBS
from rules_engine.rulesets import EDITIONS

# Where the name of a mage is written in a battle.
COLUMNS = (
    (Battle, "pk", ("state", "result", "rematch_by", "pronouns")),
    (Turn, "battle", ("before", "throws")),
    (TurnEvent, "battle", ("facts", "audience")),
    (OrderSheet, "stage__battle", ("lines", "text", "draft")),
)
AT_ONCE = 200


def can_be_renamed(*, mage: Mage) -> bool:
    """Return whether the name can be told from every other word in the mage's battles: it is no word of the rules, and
    the mage had no other name in one of them."""
    return mage.name.lower() not in _list_words_of_rules() and not mage.combatants.exclude(former_name="").exists()


def rename_mage_on_leaving(*, mage: Mage, name: str, now: datetime) -> None:
    """Give a mage whose user leaves a new name, in their battles too, and arms drawn from it. Raises InvalidName,
    NameTaken, also if the name is a word in one of the battles. The caller has checked that the mage can be renamed."""
    with transaction.atomic():
        old = rename_mage(mage=mage, name=name, now=now)
        redraw_arms(mage=mage)
        rename_in_battles(mage, old)


def rename_in_battles(mage: Mage, old: str) -> None:
    """Write the mage's name in place of the old one in all their battles. Raises InvalidName if a battle has it as
    another word."""
    for pk in Battle.objects.filter(combatants__mage=mage).order_by("pk").values_list("pk", flat=True):
        _rename_in_battle(lock_battle(pk), mage, old)
    # None is older than the mage, but for a day: a sweep stores notices with the time at which it began. Otherwise the
    # texts of all notices would be searched.
    since = mage.created_at - timedelta(days=1)
    for notice in Notice.objects.filter(created_at__gte=since, facts__icontains=old):
        facts = replace_mage_name(notice.facts, old, mage.name)
        Notice.objects.filter(pk=notice.pk).update(facts=facts)


def _rename_in_battle(battle: Battle, mage: Mage, old: str) -> None:
    # Sentences and orders name mages as whole words.
    word, new_word = (re.compile(rf"\b{re.escape(name)}\b") for name in (old, mage.name))
    for model, path, columns in COLUMNS:
        rows: Any = model._default_manager.filter(**{path: battle.pk})
        changed = []
        for row in rows.only(*columns).iterator(AT_ONCE):
            before = {column: getattr(row, column) for column in columns}
            after = {column: _replace_word(value, word, mage.name) for column, value in before.items()}
            if after == before:
                continue
            if any(new_word.search(str(value)) for value in before.values()):
                raise _refuse_word(mage)
            for column, value in after.items():
                setattr(row, column, value)
            changed.append(row)
        model._default_manager.bulk_update(changed, columns, AT_ONCE)
    # The rolls and commitments made under the old name stay, and are verified with it.
    Combatant.objects.filter(battle=battle, mage=mage).update(former_name=old)
    # Stories are cached under the mark.
    for turn in Turn.objects.filter(battle=battle).exclude(mark=""):
        Turn.objects.filter(pk=turn.pk).update(mark=secrets.token_hex(8))
    Replay.objects.filter(battle=battle).delete()
    wake_watchers_on_commit(battle.number)


def _replace_word(value: Any, word: re.Pattern[str], new: str) -> Any:
    if isinstance(value, str):
        return word.sub(new, value)
    if isinstance(value, list):
        return [_replace_word(each, word, new) for each in value]
    if isinstance(value, dict):
        return {word.sub(new, key): _replace_word(each, word, new) for key, each in value.items()}
    return value


def _refuse_word(mage: Mage) -> InvalidName:
    problem = NameProblem("in_battles", _("The name %(name)s occurs in a battle of this mage.") % {"name": mage.name})
    return InvalidName(mage.name, [problem], nearest_free_name(f"{mage.name}_", kind=Name.Kind.MAGE))


@cache
def _list_words_of_rules() -> frozenset[str]:
    spells = {spell for ruleset in EDITIONS.values() for spell in ruleset.spells}
    words = " ".join([*spells, *COLOURS, *VERBS]).lower()
    return frozenset(re.findall(r"\w+", words))

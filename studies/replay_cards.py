"""The cards that other sites show for links to the replay of a battle. They contain only public facts."""

import dataclasses

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext as _

from duels.board.links import replay_url
from duels.share import name_battle_in_full
from operations.web.cards import Card
from studies.selectors.battle_replays import Replay


def make_turn_card(replay: Replay) -> Card:
    """Return the card of a turn of the replay. Its picture shows only what everyone may see."""
    number, turn = replay.past.battle.number, replay.turn
    return Card.of(
        title=name_battle_in_full(replay.past),
        description=_("Turn %(turn)s of %(last)s") % {"turn": turn.label, "last": replay.turns[-1].label},
        image=reverse("studies:position_png", args=[number, turn.seq]),
        alt=_("The board after turn %(turn)s.") % {"turn": turn.label},
        path=replay_url(number, turn.seq),
        is_embeddable=True,
    )


def make_poster_card(replay: Replay) -> Card:
    """Return the card of a battle's poster, from its last turn."""
    poster = reverse("studies:poster", args=[replay.past.battle.number])
    return dataclasses.replace(make_turn_card(replay), url=settings.FM_SITE_URL + poster)

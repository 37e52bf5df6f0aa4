"""The answer to orders, in the classic layout: each line as it was read, its verdict, and the state of the battle."""

import re
import textwrap
from dataclasses import replace

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from accounts.models import Name, User
from challenges.errors import ChallengeNotFound
from challenges.selectors.lists import get_challenge_for_user
from challenges.shown import ShownChallenge
from duels.errors import BattleNotFound, UnreadableBattle
from duels.selectors.battle_view import NOTHING, BattleView, Window
from duels.selectors.viewer import get_battle_for_viewer
from email_gateway.addresses import make_challenge_address, make_turn_address
from email_gateway.compose.parts import (
    link_to_orders,
    render_tables,
    write_battle_subject,
    write_challenge_status,
    write_order_block,
    write_order_offer,
    write_running_series,
    write_status,
    write_threats,
    write_time,
)
from email_gateway.conversation import HOW_TO_PLAY, NO_ORDERS, Conversation, Echo, Vocabulary, write_nearest
from email_gateway.deliver.mail import Mail
from email_gateway.links import link_to
from email_gateway.text.layout import WIDTH, wrap
from email_gateway.text.password_lines import mask_secrets, show_line
from notifications.selectors.notices import zone_of
from operations.text.dates import write_moment

ECHO_WIDTH = 40
# Replaces the text of unknown senders; in ASCII, like the rest of an answer.
HIDDEN = "[...]"
LONGEST_OWN_NUMBER = 9
WELCOME = gettext_lazy(
    "This is Firetop Mountain, where wizards duel by email and on the site. To begin, send NEWUSER with a name and a "
    "mail password, and reply to the email we send back. FAQ answers common questions, and RULES sends the rules."
)


def compose_answer(talk: Conversation) -> Mail:
    """Return the answer to an email. It contains only what its reader may know of a battle."""
    view = find_view(talk, NOTHING)
    parts, order_block = write_answered_parts(talk), ""
    if view is not None:
        parts += [write_status(view), write_time(view)]
        if view.owes and talk.state.user is not None:
            order_block = write_order_block(view)
            parts += [write_running_series(view), write_threats(view), order_block]
    challenges = list_challenges(talk) if view is None else []
    for row in challenges:
        parts += [write_challenge_status(row, zone_of(talk.state.user)), write_order_offer(row)]
    # The status of a challenge that is over may be what an order has just said.
    parts = [part for part in dict.fromkeys(parts) if part]
    alone = challenges[0] if len(challenges) == 1 else None
    subject = write_subject(talk, view, alone)
    address = find_reply_address(talk.state.user, view) or find_challenge_address(talk.state.user, alone)
    return Mail(
        subject=subject,
        text="\n\n".join(wrap_results(talk, parts)) + "\n",
        html=render_tables(
            heading=subject, parts=parts, mail_links=link_to_orders(order_block, to=address, subject=subject)
        ),
        reply_to=address,
        thread=f"battle.{view.battle.number}" if view is not None else f"challenge.{alone.number}" if alone else "",
        in_reply_to=talk.request.letter.message_id,
        automatic="auto-replied",
        secret=talk.answer.secret,
    )


def write_answered_parts(talk: Conversation) -> list[str]:
    """Return each line with its verdict, the overall result, and the requested texts."""
    unread = wrap(_("We don't read attachments. Write your orders in the email itself."))
    is_unread = talk.request.letter.has_attachment and all(echo.verdict == "ignored" for echo in talk.state.echoes)
    parts = [write_echo(talk), unread if is_unread else "", *talk.answer.results]
    parts += dict.fromkeys(talk.answer.reports.values())
    parts.append(write_stopped(talk.state.owner))
    return [part for part in parts if part]


def write_stopped(user: User | None) -> str:
    """Tell a user who refuses our email that nothing but answers comes, and how to change that; "" for anyone else."""
    if user is None or user.mail_refused_since is None:
        return ""
    message = _(
        "We answer your emails but send you nothing else, because you or your mail provider told us on %(moment)s that "
        "you don't want our email. To get turn reports again, choose Resume email at %(link)s."
    )
    moment = write_moment(user.mail_refused_since, zone_of(user))
    return wrap(message % {"moment": moment, "link": link_to("account_email")})


def wrap_results(talk: Conversation, parts: list[str]) -> list[str]:
    """Return the parts with our own sentences wrapped; the others already have their lines."""
    return [wrap(part) if part in talk.answer.results else part for part in parts]


def find_view(talk: Conversation, window: Window) -> BattleView | None:
    """Return the battle that the answer is about, with these turns: the battle that got orders, or else the one of
    the reply address."""
    number = talk.state.battle
    token = talk.get_token("turn")
    if number is None and token is not None and not talk.answer.reports:
        number = token.about
    if number is None or talk.state.user is None:
        return None
    try:
        return get_battle_for_viewer(
            number=number,
            user=talk.state.user,
            mage_name=talk.combatant.mage.name if talk.combatant else None,
            draft="",
            window=window,
        )
    except (BattleNotFound, UnreadableBattle):
        return None


def find_reply_address(user: User | None, view: BattleView | None) -> str:
    if user is None or view is None or view.over or not view.mine:
        return ""
    key = view.stage_key
    return make_turn_address(user_id=user.pk, battle=view.battle.number, seq=key.seq, attempt=key.attempt)


def list_challenges(talk: Conversation) -> list[ShownChallenge]:
    """Return the challenges that the answer is about: those with orders, or the one that the reply address names."""
    numbers = list(dict.fromkeys(talk.state.challenges))
    token = talk.get_token("challenge")
    if not numbers and token is not None and not talk.answer.reports:
        numbers = [token.about]
    return [
        row for number in numbers if talk.state.user is not None and (row := find_challenge(number, talk.state.user))
    ]


def find_challenge(number: int, user: User) -> ShownChallenge | None:
    try:
        return get_challenge_for_user(number=number, user=user)
    except ChallengeNotFound:
        return None


def find_challenge_address(user: User | None, row: ShownChallenge | None) -> str:
    if user is None or row is None or row.is_over:
        return ""
    return make_challenge_address(user_id=user.pk, number=row.number)


def write_subject(talk: Conversation, view: BattleView | None, challenge: ShownChallenge | None) -> str:
    if talk.answer.confirm_request is not None:
        return _("Reply to this email to create your account")
    if talk.answer.confirm_change is not None:
        is_battle = talk.state.block is not None
        return _("Reply to confirm your orders") if is_battle else _("Reply to this email to change your account")
    if talk.state.is_to_room:
        return _("Your line in the lobby")
    if talk.state.message_to:
        return _("Your message to %(name)s") % {"name": talk.state.message_to}
    if view is not None:
        news = _("turn %(turn)s (results of orders)") % {"turn": view.battle.label}
        return write_battle_subject(view, talk.state.owner, news)
    if challenge is not None:
        return _("Challenge %(number)s (results of orders)") % {"number": challenge.number}
    return _("Results of Firetop Mountain orders")


def write_echo(talk: Conversation) -> str:
    """Repeat the lines that were read, each with its verdict, and name those that were not."""
    if not talk.state.echoes and not talk.answer.results:
        return write_empty(talk)
    rows: list[str] = []
    echoes = [replace(echo, shown=mask_secrets(echo.shown, talk.request.secrets)) for echo in talk.state.echoes]
    if not is_from_its_user(talk):
        known = find_known_names(set().union(*(list_strange_words(echo, talk) for echo in echoes)))
        echoes = [hide_words(echo, talk, known) for echo in echoes]
    for run in group_echoes(echoes):
        rows += write_run(run)
    rejected = sum(echo.verdict == "rejected" for echo in talk.state.echoes)
    unread = sum(echo.is_unread for echo in talk.state.echoes)
    processed = any(echo.verdict == "accepted" for echo in talk.state.echoes)
    if rejected:
        rows += ["", count_rejected(rejected) + (f" {count_unread(unread)}" if unread else "")]
        rows += (
            []
            if processed or talk.answer.results or not all(echo.is_unknown for echo in talk.state.echoes)
            else write_first_steps(talk)
        )
    elif not processed and talk.state.echoes and not talk.answer.results:
        rows += ["", str(NO_ORDERS), *write_first_steps(talk)]
    return "\n".join(rows)


def is_from_its_user(talk: Conversation) -> bool:
    """Return whether the answer goes to the writer, as far as we know: only then may it repeat their words."""
    return talk.state.owner is not None and talk.state.elsewhere is None


def list_strange_words(echo: Echo, talk: Conversation) -> set[str]:
    """Return the words of a line, as written and as shown, that are not keywords."""
    text = show_line(talk.read_line(echo.number))
    words = re.findall(r"[^\s,;:()\"]+", f"{text.partition(';')[0]} {strip_shown(echo)}")
    return {word for word in words if not is_own_word(word, talk.answer.vocabulary)}


def strip_shown(echo: Echo) -> str:
    return echo.shown.partition(";")[0].rstrip()


def find_known_names(words: set[str]) -> set[str]:
    """Return those of these words, in small letters, that are names on this site."""
    keys = {word.lower() for word in words}
    return set(Name.objects.filter(key__in=keys).values_list("key", flat=True)) if keys else set()


def hide_words(echo: Echo, talk: Conversation, known: set[str]) -> Echo:
    """Return a line with only the words that are keywords or `known` names: otherwise we could be made to send any
    words to a forged sender."""
    said = strip_shown(echo)
    strange = {word for word in list_strange_words(echo, talk) if word.lower() not in known}
    strange |= {word.upper() for word in strange}
    strange |= {word[:20] for word in strange} | {word[:40] for word in strange}
    pattern = "|".join(re.escape(word) for word in sorted(strange, key=len, reverse=True))
    hide = re.compile(rf"(?<!\w)(?:{pattern})(?!\w)") if strange else None

    def hide_foreign_words(words: str) -> str:
        return hide.sub(HIDDEN, words) if hide else words

    newuser = write_nearest("NEWUSER")
    remarks = [
        write_nearest("NEWUSER <name> <mail password>") if one.startswith(newuser) else hide_foreign_words(one)
        for one in echo.remarks
    ]
    return replace(echo, shown=re.sub(r"\S*[@/]\S*|https?:\S+", HIDDEN, hide_foreign_words(said)), remarks=remarks)


def is_own_word(word: str, vocabulary: Vocabulary) -> bool:
    """Return whether a word is one of our keywords or a plain number, which cannot be misused."""
    bare = word.strip(".!?")
    is_number = bare.isdecimal() and len(bare) < LONGEST_OWN_NUMBER
    return is_number or bool(re.fullmatch(r"\W*|[FPSWDC]/[FPSWDC]", bare)) or bare.upper() in vocabulary.words


def count_rejected(number: int) -> str:
    return ngettext("%(count)s line is rejected.", "%(count)s lines are rejected.", number) % {"count": number}


def count_unread(number: int) -> str:
    return ngettext("%(count)s line is not read.", "%(count)s lines are not read.", number) % {"count": number}


def write_empty(talk: Conversation) -> str:
    is_unreadable = talk.request.letter.source == "none"
    why = _("Your email has no text that we can read.") if is_unreadable else _("Your email is empty.")
    return "\n".join([why, *write_first_steps(talk)])


def write_first_steps(talk: Conversation) -> list[str]:
    """Explain which orders there are, and first what the writer probably wants: how to answer a turn or a challenge, or
    else what this site is and how to begin."""
    orders = ", ".join(talk.answer.vocabulary.commands)
    answered = talk.request.token.kind if talk.request.token else ""
    if answered == "turn":
        first = str(HOW_TO_PLAY)
    elif answered == "challenge":
        first = _("To answer the challenge, write ACCEPT or DECLINE on a line of its own.")
    else:
        first = f"{WELCOME} " + (_("On the site: %(link)s") % {"link": settings.FM_SITE_URL})
    steps = (
        first,
        _("Write one order on each line. The orders are: %(orders)s. HELP with the name of an order explains it.")
        % {"orders": orders},
        str(HINTS[0]),
    )
    return [row for step in steps for row in ("", *wrap(step).split("\n"))]


def group_echoes(echoes: list[Echo]) -> list[list[Echo]]:
    """Join neighbouring lines that were ignored for the same reason."""
    runs: list[list[Echo]] = []
    for echo in echoes:
        same = runs and echo.verdict == "ignored" == runs[-1][-1].verdict and echo.remarks == runs[-1][-1].remarks
        if same:
            runs[-1].append(echo)
        else:
            runs.append([echo])
    return runs


def write_run(run: list[Echo]) -> list[str]:
    first, last = run[0], run[-1]
    if first.verdict != "ignored":
        return write_line(first)
    if len(run) == 1:
        message = _("(line %(first)s is not read: %(why)s)")
    else:
        message = _("(lines %(first)s to %(last)s are not read: %(why)s)")
    return [message % {"first": first.number, "last": last.number, "why": first.remarks[0]}]


def write_line(echo: Echo) -> list[str]:
    """Write one line as typed, padded to 40 columns before an OK, and its remarks below."""
    shown = echo.shown
    if echo.verdict == "accepted" and shown.upper() != "END":
        shown = f"{shown:<{ECHO_WIDTH}} OK"
    remarks = [
        textwrap.wrap(remark, WIDTH - 3, break_long_words=False, break_on_hyphens=False) or [""]
        for remark in echo.remarks
    ]
    return [shown, *(f" > {row}" for rows in remarks for row in rows)]


HINTS = (
    gettext_lazy(
        "Begin with USER, unless you reply to a turn report or an email about a challenge: its address shows who you "
        "are."
    ),
    gettext_lazy(
        "GAME begins the orders of one mage, which are processed together or not at all. Every other line is "
        "processed on its own."
    ),
    gettext_lazy("You can leave out words in {}. Text after a ; is a comment. Nothing after END is read."),
    gettext_lazy("HELP with the name of an order explains it."),
)

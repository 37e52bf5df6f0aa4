"""The one error of moderation.

Refused (of operations)
└── ModerationRefused  a janitor may not do this, or a report or an answer cannot be accepted: SENTENCES lists why
"""

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from operations.errors import Refused

SENTENCES = {
    # Who acts, and why.
    "not_a_janitor": _("%(name)s is not a janitor."),
    "reads_only": _("%(name)s has read-only access."),
    "no_permission": _("%(name)s is not a janitor with permission to act."),
    "own_account": _("Another janitor must do this for you."),
    "in_battle_together": _("You and %(name)s are in battle %(battle)s, so another janitor must do this."),
    "plays_in_battle": ngettext_lazy(
        "Your mage %(mages)s is in battle %(number)s. Leave it to another janitor.",
        "Your mages %(mages)s are in battle %(number)s. Leave it to another janitor.",
        "count",
    ),
    "no_reason": _("Enter a reason."),
    "no_reason_for_user": _("Enter a reason. The user sees it."),
    "no_reason_for_journal": _("Enter a reason. The players can read it in the battle's journal."),
    # Undoing.
    "cannot_undo": _("It can no longer be undone: %(error)s"),
    "changed_since": _("It can no longer be undone: %(bar)s."),
    "changed_nothing": _("There is nothing to undo: this did not change the battle."),
    "closed_for_good": _("A closed account cannot be opened again."),
    "never_undone": _("This cannot be undone."),
    # Battles.
    "annulled": _("%(battle)s is annulled. Undo that first."),
    "already_annulled": _("%(battle)s is already annulled."),
    "no_result_yet": _("%(battle)s has no result. Choose a battle that has ended."),
    "not_stuck": _("%(battle)s is not stuck."),
    "already_paused": _("%(battle)s is already paused."),
    "not_paused": _("%(battle)s is not paused."),
    "wrong_hours": _("Choose 1 to %(most)s hours."),
    "already_excused": _("%(mage)s is already excused for turn %(turn)s."),
    "already_removed": _("This line has already been removed."),
    "no_such_turn": _("%(battle)s has no turn number %(seq)s. Its current turn is %(turn)s/%(seq2)s."),
    "fought_since": _("%(mage)s has fought battle %(battle)s since. Annul %(battle2)s instead."),
    "strangers": _("Not in %(battle)s: %(strangers)s. Its mages are %(mages)s."),
    "never_moved": _("%(mages)s left %(battle)s without ever moving, so they can neither win nor die in it."),
    "user_left": _("The account behind %(mage)s is closed, so %(battle)s cannot continue."),
    "dead_winner": _("A dead mage cannot win."),
    # The players' consent to a rewind.
    "said_no": _("%(mages)s said no."),
    "no_answer": _("No answer from %(mages)s."),
    "no_consent": _("Ask them first, or say why you act without their consent."),
    "not_asked": _("No janitor is asking you about battle %(number)s now."),
    # Users.
    "is_janitor": _("%(name)s is a janitor."),
    "closed": _("%(name)s's account is closed."),
    "erased": _("What this account had left is already erased."),
    "no_address": _("%(name)s has no confirmed address that we may write to."),
    "just_exported": _("%(name)s's data was already sent in the last hour."),
    "not_an_address": _("Enter an email address."),
    "already_stopped": _("Email to this address is already stopped."),
    "not_away": _("%(name)s is not on vacation."),
    "shares_nothing": _("%(name)s shares no such study or collection."),
    "says_nothing": _("%(name)s says nothing about themselves."),
    "already_muted": _("%(name)s is already muted in the lobby."),
    "offers_nothing": _("%(name)s does not offer to play newcomers."),
    "no_host": _("%(name)s is not marked as a host."),
    "already_warned": _("%(by)s has already given %(name)s this warning."),
    "not_suspended": _("%(user)s is not suspended."),
    "already_suspended": _("%(name)s is already suspended."),
    "past_end": _("Choose an end in the future."),
    "same_user": _("You cannot merge a user with themselves."),
    "bot_and_person": _("One of the two is a bot, and bot accounts cannot be merged."),
    "both_in_battle": _("Both have a mage in battle %(number)s."),
    "both_in_challenge": _("Both have a mage in challenge %(number)s."),
    "already_merged": _(
        "%(by)s has already merged %(name)s into %(kept)s. Act on %(kept)s, or separate the two first."
    ),
    "not_merged": _("No account has been merged into %(user)s."),
    # Reports.
    "no_text": _("Describe what happened."),
    "no_subject": _("Name a user, a mage or a battle."),
    "reports_self": _("You cannot report yourself."),
    "too_many_reports": _("You already have %(most)s reports waiting for an answer."),
    "no_reply": _("Enter an answer."),
    "no_messages_reported": _("This report is not about messages."),
    "about_you": _("This report is about you, so another janitor must answer it."),
    "own_report": _("You made this report, so another janitor must answer it."),
    "about_your_battle": _("This report is about one of your battles, so another janitor must answer it."),
}


class ModerationRefused(Refused):
    sentences = SENTENCES

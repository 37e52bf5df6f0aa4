"""What a lower app needs from a higher one, in one place.

Imports go downward only (docs/architecture.md). Where a lower app needs an answer that only a higher one has, this
table gives the dotted name of the model or function, which is looked up when it is used.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from django.apps import apps
from django.db.models import Model
from django.utils.module_loading import import_string

# The fields whose rows follow a user when two accounts are merged. Everything else stays with the account: its
# addresses, keys, sessions and notices, and what was written by it.
MOVES_WITH_USER = (
    "accounts.AbsenceWarning.user",
    "accounts.AccountWarning.user",
    "accounts.Block.blocked",
    "accounts.Block.user",
    "accounts.Follow.followed",
    "accounts.Follow.user",
    "accounts.Mage.user",
    "accounts.Message.reader",
    "accounts.Message.writer",
    "accounts.Name.owner",
    "accounts.ObituaryLine.writer",
    "accounts.PrivateNote.about_user",
    "accounts.PrivateNote.writer",
    "accounts.Sanction.user",
    "challenges.Follower.user",
    "challenges.InviteLink.made_by",
    "challenges.RoomLine.writer",
    "challenges.RoomMute.user",
    "duels.MissedTurn.user",
    "duels.Subscription.user",
    "ladder.Placing.user",
    "league.Entry.user",
    "league.Place.user",
    "moderation.Consent.user",
    "moderation.Report.about_user",
    "moderation.Report.reporter",
    "notifications.Preference.user",
    "studies.Collection.owner",
    "studies.DailyTry.user",
    "studies.LearnedStep.user",
    "studies.OwnMistake.user",
    "studies.PuzzleSkill.user",
    "studies.PuzzleTry.user",
    "studies.SolvedPuzzle.user",
    "studies.Study.owner",
)

# The fields whose rows are deleted when the user closes their account, besides those of accounts itself.
GOES_WITH_USER = (
    "challenges.HostedDuel.newcomer",
    "challenges.RoomLine.writer",
    "challenges.RoomMute.user",
    "challenges.SeekAlert.user",
    "league.Entry.user",
    "notifications.Hook.user",
    "studies.DailyTry.user",
    "studies.LearnedStep.user",
    "studies.SolvedPuzzle.user",
)

# The fields whose rows are deleted, besides those, when a janitor erases a user's data (accounts.services.erase): what
# they wrote to others and what is recorded about them. Results stay, as those of "a user who has left".
ERASED_WITH_USER = (
    "accounts.AbsenceWarning.user",
    "accounts.IdempotentAnswer.user",
    "accounts.Message.writer",
    "accounts.PushDevice.user",
    "accounts.Trace.user",
    "accounts.Vacation.user",
    "challenges.Follower.user",
    "duels.ChatLine.user",
    "duels.ChatMute.muted",
    "duels.ChatMute.user",
    "duels.Subscription.user",
    "email_gateway.AccountChangeRequest.user",
    "email_gateway.InboundMail.user",
    "email_gateway.NewUserRequest.user",
    "ladder.PairWatch.one",
    "ladder.PairWatch.other",
    "mfa.Authenticator.user",
    "studies.Collection.owner",
    "studies.OwnMistake.user",
    "studies.Study.owner",
    "usersessions.UserSession.user",
)

# Stored facts that name users (accounts.former_users): the name of a user who leaves is replaced in them.
FACTS_WITH_USER_NAMES = ("moderation.JournalEntry.facts", "notifications.Notice.facts")
# What is stored about a user in models with a field `user`: every word in it that is their name is replaced.
WORDS_ABOUT_USERS = (
    "moderation.JournalEntry.after",
    "moderation.JournalEntry.before",
    "notifications.Notice.facts",
)

# Models that link a mage to a battle permanently: the field with the mage, and the paths to the battle's number and to
# its end, which is empty while the battle runs.
BATTLES_OF_MAGES = (("duels.Combatant", "mage", "battle__number", "battle__finished_at"),)

# Reasons to remind, retire and close nobody for now: called as (now, policy, zone), each returns a sentence or "".
DOUBTS = ("notifications.selectors.notices.find_email_delay",)

# When the oldest email arrived that is still to be processed and may concern the users `user_ids`, or None: deadlines
# wait for what arrived in time.
OLDEST_UNREAD_MAIL = "email_gateway.receive.unread_mail.find_oldest_unread_mail"

# What battles show of the janitors' journal: (battle) and (battle, user), and (numbers) for the dump.
JOURNAL_OF_BATTLE = "moderation.selectors.journal.list_entries_for_anyone"
QUESTION_TO_PLAYER = "moderation.selectors.journal.ask_player"
DECIDED_BATTLES = "moderation.selectors.journal.find_decided"

# Notes in the journal that the rules could not resolve a turn, and whose orders raised the error.
STUCK_TURN_NOTED = "moderation.services.battles.note_stuck_turn.note_stuck_turn"

# The three turns that changed a mage's chance most: (number, user, mage). None while no analysis is done.
TURNS_THAT_MATTERED = "studies.selectors.turning_points.find_turns_that_mattered"
# Whether such an analysis will be done soon: (number, now).
ANALYSIS_COMING = "studies.selectors.turning_points.is_analysis_coming"
# The task that analyses battles, those that have just ended too.
ANALYSIS_TASK = "studies.tasks.analyse_battles"

# The users of each league group and cup that runs: a list of sets of their ids. Janitors are shown those who share a
# device there before they have met.
USERS_OF_EVENTS = "league.selectors.fair_play.list_users_of_events"

# Whether a user is on the ladder, in the league or in a cup: (user). They are asked whether we may know their browsers.
COMPETITIONS = ("ladder.selectors.ladders.is_ranked", "league.selectors.current_places.is_in_event")

# The next lesson of a reader, for the end of a battle: (request). It has a number, and a lesson with slug and title.
NEXT_LESSON = "studies.lesson_path.find_next_lesson"

# Writes the email of a notice from the notice and its facts, secrets included; "" where there is nothing to send.
MAIL_WRITER = "email_gateway.compose.outbox.render_notice"

# All stored data of a user, for them alone: (user, now).
EXPORT = "fm_site.pages.export.export_user"

# Queues the email to a stranger about their report: (report, answer, now); without an answer, it is a receipt.
STRANGERS_MAIL = "email_gateway.compose.strangers_mail.queue_strangers_mail"

# Sends emails that are due soon; called without arguments after the commit that stored them.
MAIL_WAKER = "email_gateway.wakeups.wake_delivery"

# The task that calls webhooks and push services.
POSTING_TASK = "accounts.tasks.post_events"

# Returns a text without signed reply addresses, which any reader could use.
WITHOUT_REPLY_ADDRESSES = "email_gateway.scrub.hide_reply_addresses"

# More sections of the janitors' desk: each returns a list of moderation.desk.Section for the janitor who reads it.
DESK_SECTIONS = ("fm_site.upkeep.desk_warnings.list_site_sections", "email_gateway.desk.list_mail_sections")


def list_fields(names: Sequence[str]) -> Iterator[tuple[type[Model], str]]:
    """Yield the model and the field's name of each "app.Model.field"."""
    for name in names:
        label, _, field = name.rpartition(".")
        yield apps.get_model(label), field


def find_function(name: str) -> Callable[..., Any]:
    function: Callable[..., Any] = import_string(name)
    return function


def list_functions(names: Sequence[str]) -> Iterator[Callable[..., Any]]:
    """Yield the function of each dotted name."""
    yield from map(find_function, names)

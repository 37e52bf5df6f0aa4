"""The kinds of notices: what controls the email, what programs and devices get, and who may be emailed at all.

What the email of a kind says is in email_gateway/compose, which registers a composer for each.
"""

from dataclasses import dataclass

from django.utils.translation import gettext_noop

BATTLE_STARTED, TURN_RESOLVED, ORDERS_NEEDED, BATTLE_OVER = (
    "battle_started",
    "turn_resolved",
    "orders_needed",
    "battle_over",
)
BATTLE_CHANGED, CHALLENGE_CHANGED, SEEK_OPENED = "battle_changed", "challenge_changed", "seek_opened"
LEAGUE_CHANGED = "league_changed"
MESSAGE = "message"
OF_CHALLENGES = (CHALLENGE_CHANGED, SEEK_OPENED)
LAST_MISSING = "last_missing"
# These notices tell a turn's story; those of OWN_TIME tell a player that their own time is running out.
TURN_STORIES = ("turn_resolved", "stage_asked", "battle_finished")
OWN_TIME = ("deadline_reminder", "deadline_alarm", "deadline_final")
UNCONFIRMED_REMINDER = "unconfirmed_reminder"
# The parts of a user's news: what happened to them, to people they follow, and on the site.
YOU, FOLLOWED, SITE = "you", "followed", "site"


@dataclass(frozen=True)
class NoticeKind:
    """A kind of notice. Only `name` is stored.

    `preference` controls its email; without one (codes, account changes, notices to janitors, missed deadlines) it is
    always emailed. `event` is the type of the event for programs, and `push` the title and text on devices, whose slots
    are filled from the facts; without them it is not for programs or devices. `news` is the part of the user's news in
    which it is a line, unless the preference `page` says no.
    """

    name: str
    preference: str = ""
    event: str = ""
    push: tuple[str, str] | None = None
    # The subject of its preferences, if it has no preference for email.
    about: str = ""
    news: str = ""
    page: str = ""
    # Only a line of the news: nothing is sent.
    is_only_news: bool = False
    # Only for hooks: the type of its event there. Nothing else is sent.
    posts: str = ""
    # The choice of a hook's events that it belongs to, if that is not its subject's.
    hook: str = ""
    # The device may wake up for it.
    is_urgent: bool = False
    # It is for devices even in the user's quiet hours: time runs out.
    breaks_quiet: bool = False
    # Emailed at once even if its reader has the battle open: a janitor's action.
    interrupts: bool = False
    # Those of a day go out as one email of their own: a mailing list, whose emails are answered.
    is_list: bool = False
    # Skipped if it no longer matters when its email is sent: its reader has done what it asks for, or time runs again.
    may_be_settled: bool = False
    # Has a code or link that confirms an address or proves who reads it. Nothing else is sent during maintenance.
    proves: bool = False
    # Emailed even to an address that has stopped our email: what somebody has just asked for, and warnings that someone
    # else may use the account.
    ignores_stop: bool = False
    # Goes to an address that its writer names, verified or not: the one to confirm, the old one after a change, or that
    # of a closed account.
    names_address: bool = False

    @property
    def subject(self) -> str:
        """What the preferences of its channels are about: "turns" for `mail_turns`, `push_turns` and `hook_turns`."""
        return self.about or self.preference.partition("_")[2]

    @property
    def hook_event(self) -> str:
        """Which of a hook's events it is; "" if hooks cannot choose it."""
        return self.hook or self.subject


DEADLINE_PUSH = (gettext_noop("Battle %(battle)d is waiting for your orders"), gettext_noop("The deadline is near."))
KINDS = {
    kind.name: kind
    for kind in (
        # Of a battle: what happens in it.
        NoticeKind(
            "battle_started",
            preference="mail_ends",
            event=BATTLE_STARTED,
            push=(gettext_noop("Battle %(battle)d has begun"), gettext_noop("Send your first orders.")),
            is_urgent=True,
        ),
        NoticeKind(
            "turn_resolved",
            preference="mail_turns",
            event=TURN_RESOLVED,
            push=(gettext_noop("A turn of battle %(battle)d is over"), gettext_noop("See what happened.")),
            is_urgent=True,
        ),
        NoticeKind(
            "stage_asked",
            preference="mail_turns",
            event=ORDERS_NEEDED,
            push=(
                gettext_noop("Battle %(battle)d has a question for you"),
                gettext_noop("It is waiting for your answer."),
            ),
            is_urgent=True,
        ),
        NoticeKind(
            "battle_finished",
            preference="mail_ends",
            event=BATTLE_OVER,
            push=(gettext_noop("Battle %(battle)d is over"), gettext_noop("See how it ended.")),
        ),
        NoticeKind(
            "turn_stuck",
            preference="mail_turns",
            event=BATTLE_CHANGED,
            push=(
                gettext_noop("Battle %(battle)d cannot continue for now"),
                gettext_noop("The site cannot resolve its turn. Your orders are safe, and the janitors know."),
            ),
        ),
        NoticeKind("battle_intervened", event=BATTLE_CHANGED, interrupts=True),
        # Of a battle: time that runs out, which no setting turns off, and time that is given, asked for or stopped.
        NoticeKind(
            "deadline_reminder",
            about="deadlines",
            event=ORDERS_NEEDED,
            push=DEADLINE_PUSH,
            breaks_quiet=True,
            may_be_settled=True,
        ),
        NoticeKind(
            "deadline_alarm",
            about="deadlines",
            event=ORDERS_NEEDED,
            push=DEADLINE_PUSH,
            is_urgent=True,
            breaks_quiet=True,
            may_be_settled=True,
        ),
        NoticeKind(
            "deadline_final",
            about="deadlines",
            event=ORDERS_NEEDED,
            push=DEADLINE_PUSH,
            is_urgent=True,
            breaks_quiet=True,
            may_be_settled=True,
        ),
        NoticeKind("mage_forfeited", event=BATTLE_CHANGED, may_be_settled=True),
        NoticeKind("mage_claimed", event=BATTLE_CHANGED, may_be_settled=True),
        NoticeKind("opponent_late", preference="mail_turns", event=BATTLE_CHANGED, may_be_settled=True),
        NoticeKind("time_given", preference="mail_turns", event=BATTLE_CHANGED, may_be_settled=True),
        NoticeKind("pause_wanted", preference="mail_turns", event=BATTLE_CHANGED, may_be_settled=True),
        NoticeKind("battle_paused", preference="mail_turns", event=BATTLE_CHANGED, may_be_settled=True),
        NoticeKind("battle_resumed", preference="mail_turns", event=BATTLE_CHANGED, may_be_settled=True),
        NoticeKind("call_off_wanted", preference="mail_turns", event=BATTLE_CHANGED, may_be_settled=True),
        NoticeKind(
            "draw_offered",
            preference="mail_turns",
            event=BATTLE_CHANGED,
            push=(gettext_noop("%(who)s offers a draw in battle %(battle)d"), gettext_noop("Accept or decline it.")),
            is_urgent=True,
            may_be_settled=True,
        ),
        NoticeKind("draw_declined", preference="mail_turns", event=BATTLE_CHANGED, may_be_settled=True),
        NoticeKind("claim_wanted", preference="mail_turns", event=BATTLE_CHANGED, may_be_settled=True),
        NoticeKind("absence_long", preference="mail_turns", may_be_settled=True),
        NoticeKind("seat_offer_wanted", preference="mail_turns", may_be_settled=True),
        NoticeKind(
            "notes_open",
            preference="mail_ends",
            push=(
                gettext_noop("The notes of battle %(battle)d are open"),
                gettext_noop("Read what both of you thought."),
            ),
            news=YOU,
        ),
        # Of a battle: everyone else's orders are ready.
        NoticeKind("last_missing", about="turns", posts=LAST_MISSING, hook="last"),
        # For the hooks of a battle and of the site: what everyone may know.
        NoticeKind("open_start", posts=BATTLE_STARTED),
        NoticeKind("open_turn", posts=TURN_RESOLVED),
        NoticeKind("open_last", posts=LAST_MISSING),
        NoticeKind("open_end", posts=BATTLE_OVER),
        NoticeKind("open_line", posts="announcement"),
        NoticeKind("open_season", posts=LEAGUE_CHANGED),
        NoticeKind("hook_test", posts="test"),
        # Of a battle: how it ended, for the news.
        NoticeKind("own_result", news=YOU, is_only_news=True),
        NoticeKind("followed_result", news=FOLLOWED, page="page_follows", is_only_news=True),
        NoticeKind("followed_live", news=FOLLOWED, page="page_follows", is_only_news=True),
        # Of the ladder.
        NoticeKind("own_rank", news=YOU, is_only_news=True),
        NoticeKind("followed_rank", news=FOLLOWED, page="page_follows", is_only_news=True),
        # Of the league. A duel that begins with a round has a notice of its own.
        NoticeKind(
            "league_drawn",
            preference="mail_league",
            event=LEAGUE_CHANGED,
            push=(
                gettext_noop("You are in League %(tier)d"),
                gettext_noop("See whom you meet in season %(season)d."),
            ),
            news=YOU,
        ),
        NoticeKind("league_round", news=YOU, is_only_news=True),
        NoticeKind(
            "league_bank",
            preference="mail_league",
            event=LEAGUE_CHANGED,
            push=(
                gettext_noop("%(other)s wants a time bank in your league duel"),
                gettext_noop("It has one if you want it, too."),
            ),
            news=YOU,
        ),
        NoticeKind(
            "league_over",
            preference="mail_league",
            event=LEAGUE_CHANGED,
            push=(
                gettext_noop("Season %(season)d of the league is over"),
                gettext_noop("See the final table of League %(tier)d."),
            ),
            news=YOU,
        ),
        NoticeKind(
            "league_place_lost",
            preference="mail_league",
            event=LEAGUE_CHANGED,
            push=(
                gettext_noop("You have lost your place in League %(tier)d"),
                gettext_noop("You forfeited two duels this season."),
            ),
            news=YOU,
        ),
        # Of a study.
        NoticeKind("followed_study", news=FOLLOWED, page="page_follows", is_only_news=True),
        # Of a cup.
        NoticeKind("cup_confirmed", preference="mail_league", event=LEAGUE_CHANGED, news=YOU),
        NoticeKind("cup_cancelled", preference="mail_league", event=LEAGUE_CHANGED, news=YOU),
        NoticeKind(
            "cup_round",
            preference="mail_league",
            event=LEAGUE_CHANGED,
            push=(gettext_noop("A round of your cup begins"), gettext_noop("See whom you meet.")),
            news=YOU,
            is_urgent=True,
        ),
        NoticeKind("cup_through", preference="mail_league", event=LEAGUE_CHANGED, news=YOU),
        NoticeKind("cup_out", preference="mail_league", event=LEAGUE_CHANGED, news=YOU),
        NoticeKind(
            "cup_over",
            preference="mail_league",
            event=LEAGUE_CHANGED,
            push=(gettext_noop("Your cup is over"), gettext_noop("See how it ended.")),
            news=YOU,
        ),
        NoticeKind("open_cup", posts=LEAGUE_CHANGED, hook="league"),
        # Of a challenge.
        NoticeKind(
            "challenged",
            preference="mail_challenges",
            event=CHALLENGE_CHANGED,
            push=(gettext_noop("You have been challenged"), gettext_noop("See the terms of challenge %(number)d.")),
            may_be_settled=True,
        ),
        NoticeKind(
            "challenge_accepted",
            preference="mail_seats",
            event=CHALLENGE_CHANGED,
            push=(gettext_noop("A mage has joined your challenge"), gettext_noop("See challenge %(number)d.")),
            news=YOU,
        ),
        NoticeKind("challenge_declined", preference="mail_seats", event=CHALLENGE_CHANGED, news=YOU),
        NoticeKind("challenge_withdrawn", preference="mail_seats", event=CHALLENGE_CHANGED, news=YOU),
        NoticeKind("challenge_excluded", preference="mail_seats", event=CHALLENGE_CHANGED, news=YOU),
        NoticeKind("challenge_uninvited", preference="mail_seats", event=CHALLENGE_CHANGED, news=YOU),
        NoticeKind("challenge_prodded", preference="mail_seats", event=CHALLENGE_CHANGED, may_be_settled=True),
        NoticeKind("challenge_closed", preference="mail_seats", event=CHALLENGE_CHANGED, news=YOU),
        NoticeKind(
            "change_proposed",
            preference="mail_changes",
            event=CHALLENGE_CHANGED,
            push=(
                gettext_noop("A change to your challenge is waiting for your vote"),
                gettext_noop("See challenge %(number)d."),
            ),
            may_be_settled=True,
        ),
        NoticeKind("change_adopted", preference="mail_changes", event=CHALLENGE_CHANGED, news=YOU),
        NoticeKind("change_rejected", preference="mail_changes", event=CHALLENGE_CHANGED),
        NoticeKind("change_taken_back", preference="mail_changes", event=CHALLENGE_CHANGED),
        NoticeKind("change_lapsed", preference="mail_changes", event=CHALLENGE_CHANGED),
        # Somebody looks for a duel, for users who asked to be told.
        NoticeKind(
            "seek_opened",
            preference="mail_seeks",
            event=SEEK_OPENED,
            push=(gettext_noop("%(challenger)s looks for a duel"), gettext_noop("See challenge %(number)d.")),
            is_urgent=True,
            may_be_settled=True,
        ),
        # From other players, and from the janitors.
        NoticeKind(
            "message",
            preference="mail_messages",
            event=MESSAGE,
            push=(gettext_noop("You have a message"), gettext_noop("It is in your inbox.")),
            news=YOU,
        ),
        NoticeKind("announcement", preference="mail_messages", event=MESSAGE, news=YOU),
        NoticeKind("room_talk", preference="mail_talk", is_list=True),
        NoticeKind("site_news", preference="mail_news", news=SITE, page="page_news"),
        # An announcement that is not emailed.
        NoticeKind("site_line", news=SITE, page="page_news", is_only_news=True),
        NoticeKind("own_puzzle", preference="mail_puzzles"),
        NoticeKind(
            "daily_puzzle",
            preference="mail_daily",
            push=(gettext_noop("The puzzle of the day"), gettext_noop("It is waiting for you on the board.")),
        ),
        NoticeKind(
            "streak_ends",
            preference="mail_streaks",
            push=(
                gettext_noop("The puzzle of the day"),
                gettext_noop("Solve it by midnight UTC to reach %(next)d days in a row."),
            ),
            news=YOU,
            page="page_streaks",
        ),
        # Of an account.
        NoticeKind("confirm_address", proves=True, ignores_stop=True, names_address=True),
        NoticeKind("login_code", proves=True, ignores_stop=True, names_address=True),
        NoticeKind("password_reset", proves=True, ignores_stop=True, names_address=True),
        NoticeKind(UNCONFIRMED_REMINDER, preference="mail_unconfirmed", names_address=True),
        NoticeKind("device_stopped"),
        NoticeKind("hook_paused", news=YOU),
        NoticeKind("hook_off", news=YOU),
        NoticeKind("account_changed", ignores_stop=True, names_address=True),
        NoticeKind("reply_address_elsewhere", ignores_stop=True),
        NoticeKind("orders_held", ignores_stop=True),
        NoticeKind("user_act"),
        NoticeKind("data_export", ignores_stop=True),
        NoticeKind("vacation_over", preference="mail_reminders", news=YOU),
        NoticeKind("user_closed", names_address=True),
        # Of users and mages who are inactive.
        NoticeKind("mage_idle_warning"),
        NoticeKind("mage_retired_warning"),
        NoticeKind("user_mageless_warning"),
        NoticeKind("mage_was_retired", news=YOU),
        NoticeKind("mage_was_removed", news=YOU),
        # Of what janitors decided.
        NoticeKind("account_warned"),
        NoticeKind("user_suspended"),
        NoticeKind("suspension_over"),
        NoticeKind("report_answered"),
        # To janitors: what only they can fix or answer.
        NoticeKind("mail_stuck"),
        NoticeKind("battle_stuck"),
        NoticeKind("mail_for_janitors"),
        NoticeKind("battle_replays_otherwise"),
        NoticeKind("address_fails"),
        NoticeKind("user_renamed"),
        NoticeKind("scores_disagree"),
        NoticeKind("report_made"),
        NoticeKind("chore_fails"),
    )
}

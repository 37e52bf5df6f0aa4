"""A method for each call of the API. Written by write_calls.py from the description of the API."""

from __future__ import annotations

from typing import Literal

from firetop_client.models import (
    AddedHook,
    Analysis,
    Battle,
    Battles,
    BattleTime,
    BotAccount,
    Bots,
    Challenge,
    Challenges,
    Chat,
    Chosen,
    Cup,
    CupPlace,
    Cups,
    DrawDone,
    DrawNow,
    EventList,
    Events,
    Extended,
    FoundBattles,
    Hints,
    HookList,
    InviteLink,
    League,
    LeagueEntry,
    Leagues,
    Me,
    NewNoticeChoice,
    NewQuietHours,
    News,
    Notices,
    Paused,
    PeopleHere,
    Places,
    Position,
    Present,
    Proof,
    Receipt,
    Record,
    Room,
    SetWebhook,
    Started,
    Story,
    Table,
    Thoughts,
    UnreadNews,
    Vacation,
    WatchedBattles,
    Webhook,
)
from firetop_client.transport import UNSET, AsyncTransport, SyncTransport, Unset

__all__ = ["AsyncCalls", "Calls"]


class Calls(SyncTransport):
    """The calls of the API, named as in its description."""

    def list_battles(self) -> Battles:
        """Your running battles, those waiting for you first, and then the last 20 that ended."""
        return self.call("GET", "/battles/", Battles)

    def list_battles_to_watch(self) -> WatchedBattles:
        """Live battles by number of spectators, then those with a turn in the last ten minutes; and the battle of
        the week. The exhibition of the bots is no battle, and only on pages.
        """
        return self.call("GET", "/battles/watch/", WatchedBattles)

    def read_battle(self, number: int, *, mage: Unset | str | None = UNSET) -> Battle:
        """The battle as you see it. If you poll, compare `key`, `waiting_for`, `status` and `time`.

        `mage`: Which of your mages to show the orders of.
        """
        return self.call("GET", f"/battles/{number}/", Battle, query={"mage": mage})

    def read_events(
        self, number: int, *, after: Unset | int = UNSET, view: Unset | Literal["mine", "all"] = UNSET
    ) -> Events:
        """What has happened since your event `after`, in words, with the rule behind it. Events keep their numbers
        when the battle ends. If a janitor rewinds a turn, its events disappear, and their numbers are not used
        again.

        `after`: The number of the last event that you have.

        `view`: `all` shows everything after the end, with its own numbers.
        """
        return self.call("GET", f"/battles/{number}/events/", Events, query={"after": after, "view": view})

    def read_proof(self, number: int) -> Proof:
        """The commitments, the same for every caller. After the end the record opens them."""
        return self.call("GET", f"/battles/{number}/proof/", Proof)

    def send_orders(
        self,
        number: int,
        *,
        orders: str,
        mage: Unset | str | None = UNSET,
        key: Unset | str | None = UNSET,
        ready: Unset | bool | None = UNSET,
        replace: Unset | bool = UNSET,
    ) -> Receipt:
        """Submit orders for one of your mages. The answer is the receipt.

        `mage`: Which of your mages; not needed if you have one.

        `key`: `seq.attempt.stage` of the battle that you read. Without it the orders count for the stage that
        is open when they arrive.

        `orders`: Text in the order grammar; lines are separated by line breaks.

        `ready`: true does what END does, false takes readiness back.

        `replace`: true makes the text the whole sheet.
        """
        return self.call(
            "POST",
            f"/battles/{number}/orders/",
            Receipt,
            body={"mage": mage, "key": key, "orders": orders, "ready": ready, "replace": replace},
        )

    def surrender(self, number: int, *, mage: Unset | str | None = UNSET, key: Unset | str | None = UNSET) -> Receipt:
        """Order both palms for one of your mages, in place of their other orders, and make that ready: they
        surrender when the turn resolves. It costs what a surrender costs with these stakes; the receipt's
        warning says it. Until then you can still send other orders, unless the terms make orders final.

        `mage`: Which of your mages; not needed if you have one.

        `key`: `seq.attempt.stage` of the battle that you read. Without it the orders count for the stage that
        is open when they arrive.
        """
        return self.call("POST", f"/battles/{number}/resign/", Receipt, body={"mage": mage, "key": key})

    def read_chat(self, number: int, *, before: Unset | int | None = UNSET) -> Chat:
        """What was written beside a battle. Until it ends you read the room that you write in, and then both
        rooms.

        `before`: Only lines before this one.
        """
        return self.call("GET", f"/battles/{number}/chat/", Chat, query={"before": before})

    def say_in_chat(self, number: int, *, text: Unset | str = UNSET, phrase: Unset | str = UNSET) -> Chat:
        """Write a line into your room. Send an `Idempotency-Key`, and a second copy writes nothing more.

        `text`: At most 280 characters are accepted.

        `phrase`: The key of a quick phrase, without a text.
        """
        return self.call("POST", f"/battles/{number}/chat/", Chat, body={"text": text, "phrase": phrase})

    def read_time(self, number: int, *, mage: Unset | str | None = UNSET) -> BattleTime:
        """Pauses, extra time, absences and time used in a battle, and your options. The clocks are in the battle
        itself.
        """
        return self.call("GET", f"/battles/{number}/time/", BattleTime, query={"mage": mage})

    def take_extra_time(self, number: int, *, mage: Unset | str | None = UNSET) -> Extended:
        """Extend your own deadline by the length that the pace allows, at most twice in a battle.

        `mage`: Which of your mages; not needed if you have one.
        """
        return self.call("POST", f"/battles/{number}/time/take/", Extended, body={"mage": mage})

    def give_extra_time(
        self, number: int, *, to: str, mage: Unset | str | None = UNSET, days: Unset | int | None = UNSET
    ) -> Extended:
        """Extend the deadline of another user's mage, who is notified.

        `mage`: Which of your mages; not needed if you have one.

        `to`: The name of the mage.

        `days`: 1 to 14; without it, the length that the pace allows.
        """
        return self.call("POST", f"/battles/{number}/time/give/", Extended, body={"mage": mage, "to": to, "days": days})

    def ask_for_pause(self, number: int, *, minutes: int, mage: Unset | str | None = UNSET) -> Paused:
        """A pause begins once all players agree within seven days, and is as long as the shortest wish. 0 minutes
        withdraw the wish; during a pause, they ask to end it.

        `mage`: Which of your mages; not needed if you have one.

        `minutes`: At most 30 days. 0 withdraws the wish or ends the pause.
        """
        return self.call("POST", f"/battles/{number}/pause/", Paused, body={"mage": mage, "minutes": minutes})

    def say_here(self, number: int, *, mage: Unset | str | None = UNSET) -> Present:
        """The clocks of a live battle start once all its players are here.

        `mage`: Which of your mages; not needed if you have one.
        """
        return self.call("POST", f"/battles/{number}/here/", Present, body={"mage": mage})

    def call_off(self, number: int, *, mage: Unset | str | None = UNSET, agrees: Unset | bool = UNSET) -> Chosen:
        """Once another player has been absent for too long and all who are present agree, the battle ends without
        scores and deaths. Until the first turn resolves, those whose orders are in can do it one day after the
        start (in a live battle, one minute), because it waits for the others; not in leagues and cups.

        `mage`: Which of your mages; not needed if you have one.

        `agrees`: false takes your consent back.
        """
        return self.call("POST", f"/battles/{number}/call-off/", Chosen, body={"mage": mage, "agrees": agrees})

    def claim(self, number: int, *, mage: Unset | str | None = UNSET, agrees: Unset | bool = UNSET) -> Chosen:
        """Once another player has been absent for too long and all who are present agree, it counts as that mage's
        surrender: they live, a duel is won, and a melee continues.

        `mage`: Which of your mages; not needed if you have one.

        `agrees`: false takes your consent back.
        """
        return self.call("POST", f"/battles/{number}/claim/", Chosen, body={"mage": mage, "agrees": agrees})

    def let_bot_play(self, number: int, *, mage: Unset | str | None = UNSET, agrees: Unset | bool = UNSET) -> Chosen:
        """Once all who are present agree, a bot plays until the absent player comes back. The battle is then
        practice.

        `mage`: Which of your mages; not needed if you have one.

        `agrees`: false takes your consent back.
        """
        return self.call("POST", f"/battles/{number}/stand-in/", Chosen, body={"mage": mage, "agrees": agrees})

    def read_draw(self, number: int, *, mage: Unset | str | None = UNSET) -> DrawNow:
        """Whether you, or the other player, offer a draw in the open turn, and when you can offer one."""
        return self.call("GET", f"/battles/{number}/draw/", DrawNow, query={"mage": mage})

    def agree_on_draw(
        self,
        number: int,
        *,
        act: Literal["offer", "accept", "decline", "withdraw"],
        mage: Unset | str | None = UNSET,
        key: Unset | str | None = UNSET,
    ) -> DrawDone:
        """Offer a draw in the open turn, from turn 5 on and once in five turns; accept or decline the other
        player's offer; or withdraw your own. If both offer one, it is agreed. An offer ends with its turn.

        `mage`: Which of your mages; not needed if you have one.

        `key`: A key of the turn that you mean; refused if that turn is over.
        """
        return self.call("POST", f"/battles/{number}/draw/", DrawDone, body={"mage": mage, "act": act, "key": key})

    def search_finished_battles(
        self,
        *,
        who: Unset | str = UNSET,
        against: Unset | str = UNSET,
        result: Unset | str = UNSET,
        kind: Unset | str = UNSET,
        ruleset: Unset | str = UNSET,
        opening: Unset | str = UNSET,
        spell: Unset | str = UNSET,
        worked: Unset | str = UNSET,
        feat: Unset | str = UNSET,
        ending: Unset | str = UNSET,
        shortest: Unset | str = UNSET,
        longest: Unset | str = UNSET,
        bots: Unset | str = UNSET,
        since: Unset | str = UNSET,
        until: Unset | str = UNSET,
        before: Unset | int | None = UNSET,
    ) -> FoundBattles:
        """Fifty battles that are over and match everything you ask for, newest first.

        `who`: The name of a mage or user. Result, opening, spell and feat are theirs.

        `against`: The name of a mage or user.

        `result`: `won`, `lost` or `drew`.

        `kind`: `duel` or `melee`.

        `ruleset`: The name of a ruleset with a battle that is over.

        `opening`: The first pairs of gestures, such as `SW PD`.

        `spell`: A spell that was cast.

        `worked`: `true`: the spell worked.

        `feat`: A feat, such as `finger_of_death`.

        `ending`: How the battle ended, such as `kill` or `surrender`.

        `shortest`: The least number of turns.

        `longest`: The greatest number of turns.

        `bots`: `with` or `without`.

        `since`: The first day on which it may have ended, such as `2026-11-23`.

        `until`: The last day on which it may have ended.

        `before`: Only battles before this one.
        """
        return self.call(
            "GET",
            "/battles/search/",
            FoundBattles,
            query={
                "who": who,
                "against": against,
                "result": result,
                "kind": kind,
                "ruleset": ruleset,
                "opening": opening,
                "spell": spell,
                "worked": worked,
                "feat": feat,
                "ending": ending,
                "shortest": shortest,
                "longest": longest,
                "bots": bots,
                "since": since,
                "until": until,
                "before": before,
            },
        )

    def read_table(self, number: int) -> Table:
        """The table (SHOW), the same for every caller."""
        return self.call("GET", f"/battles/{number}/table/", Table)

    def read_story(self, number: int) -> Story:
        """The story (DESCRIBE), the same for every caller."""
        return self.call("GET", f"/battles/{number}/story/", Story)

    def read_record(self, number: int) -> Record:
        """The record that replays the battle, with every order and roll; only after the end."""
        return self.call("GET", f"/battles/{number}/record/", Record)

    def read_position(self, number: int, *, mage: Unset | str | None = UNSET) -> Position:
        """The battle as one of your mages who owes orders knows it, in the form that programs of the line protocol
        read (`docs/bots/protocol.md`). It has nothing that the battle itself does not show you.

        `mage`: Which of your mages.
        """
        return self.call("GET", f"/battles/{number}/position/", Position, query={"mage": mage})

    def read_analysis(self, number: int, *, by: Unset | Literal["Magus", "Archmage"] = UNSET) -> Analysis:
        """The analysis of a battle that is over, turn by turn; 202 with its progress while it is being made, and
        404 if nobody has asked for it.

        `by`: Whose analysis.
        """
        return self.call("GET", f"/battles/{number}/analysis/", Analysis, query={"by": by})

    def request_analysis(self, number: int, *, by: Unset | Literal["Magus", "Archmage"] = UNSET) -> Analysis:
        """Queue the analysis of a battle that is over; 202 with its progress, or the analysis if it is done.
        Asking twice changes nothing.

        `by`: The Archmage takes longer, and analyses duels only.
        """
        return self.call("POST", f"/battles/{number}/analysis/", Analysis, body={"by": by})

    def ask_hint(self, number: int, *, mage: Unset | str | None = UNSET) -> Hints:
        """Up to three moves that the Magus would consider with what your mage sees. Only in practice, while your
        mage has gestures to choose, and not in a position like that of a running battle of yours. Changes
        nothing.

        `mage`: Which of your mages; not needed if you have one.
        """
        return self.call("POST", f"/battles/{number}/hint/", Hints, body={"mage": mage})

    def read_thoughts(self, number: int) -> Thoughts:
        """Why the bots gave their last gestures: for everyone once the battle is over, for the players of running
        practice if their mage saw all gestures of the turn.
        """
        return self.call("GET", f"/battles/{number}/thoughts/", Thoughts)

    def play_now(
        self,
        *,
        strength: str,
        ruleset: Unset
        | Literal[
            "firetop-standard",
            "firetop-classic",
            "firetop-nomonsters",
            "spellcast",
            "warlocks",
            "warlocks-maladroit",
            "warlocks-parafc",
            "warlocks-parafc-maladroit",
            "warlocks-parafdf",
            "warlocks-parafdf-maladroit",
            "waving-hands",
            "waving-hands-active",
        ] = UNSET,
        pace: Unset
        | Literal[
            "own", "classic", "slow", "fast", "day", "threeday", "bank", "live1", "live3", "live5", "live"
        ] = UNSET,
        rated: Unset | bool = UNSET,
        mage: Unset | str = UNSET,
        hit_points: Unset | int | None = UNSET,
        bot_hit_points: Unset | int | None = UNSET,
        bots_surrender: Unset | bool = UNSET,
    ) -> Started:
        """Start a battle against one of the site's bots. Unless it is rated it is practice. Nobody dies, and no
        score changes.

        `strength`: The name of the bot's strength.

        `ruleset`: Without it, the usual rules.

        `pace`: Without it there is no clock.

        `rated`: Whether it counts in the rating of battles with bots.

        `mage`: Your mage; without it, the first free one.

        `hit_points`: Your hit points, from 1 to 15, as a handicap.

        `bot_hit_points`: The bot's hit points, from 1 to 15, as a handicap.

        `bots_surrender`: false: the bot never gives up.
        """
        return self.call(
            "POST",
            "/play/",
            Started,
            body={
                "strength": strength,
                "ruleset": ruleset,
                "pace": pace,
                "rated": rated,
                "mage": mage,
                "hit_points": hit_points,
                "bot_hit_points": bot_hit_points,
                "bots_surrender": bots_surrender,
            },
        )

    def read_bots(self) -> Bots:
        """The ladder of bots, by rating; which bots are online, and on which terms they can be challenged; and the
        matches that measured the site's own bots.
        """
        return self.call("GET", "/bots/", Bots)

    def make_bot(self, *, name: str) -> BotAccount:
        """Make the caller's account a bot permanently, before its first battle. Its name confirms it.

        `name`: The name of your account, to confirm it.
        """
        return self.call("POST", "/account/bot/", BotAccount, body={"name": name})

    def list_challenges(self, *, joinable: Unset | bool = UNSET) -> Challenges:
        """The open challenges by number, as you see them.

        `joinable`: Only those that one of your mages may join.
        """
        return self.call("GET", "/challenges/", Challenges, query={"joinable": joinable})

    def create_challenge(
        self,
        *,
        mage: str,
        against: Unset | list[str] = UNSET,
        ruleset: Unset
        | Literal[
            "firetop-standard",
            "firetop-classic",
            "firetop-nomonsters",
            "spellcast",
            "warlocks",
            "warlocks-maladroit",
            "warlocks-parafc",
            "warlocks-parafc-maladroit",
            "warlocks-parafdf",
            "warlocks-parafdf-maladroit",
            "waving-hands",
            "waving-hands-active",
        ] = UNSET,
        pace: Unset
        | Literal["classic", "slow", "fast", "day", "threeday", "bank", "live1", "live3", "live5", "live"] = UNSET,
        stakes: Unset | Literal["ladder", "band", "no-gain", "friendly", "very-friendly", "bots"] = UNSET,
        limit: Unset | int | None = UNSET,
        comment: Unset | str = UNSET,
    ) -> Challenge:
        """Challenge the mages you name, or anyone if you name none. Your mage has the first seat.

        `mage`: Your mage, which must be free.

        `against`: The mages you challenge; empty: anyone may join.

        `stakes`: What the battle is for: `ladder`, `band`, `no-gain`, `friendly`, `very-friendly`, `bots`. Bots
        never play for scores.

        `limit`: The battle starts with this many mages. Without it: a duel, or all the mages you name.
        """
        return self.call(
            "POST",
            "/challenges/",
            Challenge,
            body={
                "mage": mage,
                "against": against,
                "ruleset": ruleset,
                "pace": pace,
                "stakes": stakes,
                "limit": limit,
                "comment": comment,
            },
        )

    def read_challenge(self, number: int) -> Challenge:
        """One challenge, open or over. If its `status` is `started`, the battle has the same number."""
        return self.call("GET", f"/challenges/{number}/", Challenge)

    def accept_challenge(self, number: int, *, mage: str, terms_key: Unset | str = UNSET) -> Challenge:
        """Join a challenge with one of your mages. If they are the last, the battle begins and `status` is
        `started`.

        `terms_key`: The `terms_key` you have seen; empty: on any terms.
        """
        return self.call(
            "POST", f"/challenges/{number}/accept/", Challenge, body={"mage": mage, "terms_key": terms_key}
        )

    def decline_challenge(
        self,
        number: int,
        *,
        mage: str,
        reason: Unset | Literal["busy", "ruleset", "pace", "stakes", "strength"] | None = UNSET,
    ) -> Challenge:
        """Decline an invitation, or leave a challenge that you have joined. You can tell the others why.

        `reason`: Tells the others that you have no time now, want another ruleset, another pace or other
        stakes, or look for an opponent of another strength.
        """
        return self.call("POST", f"/challenges/{number}/decline/", Challenge, body={"mage": mage, "reason": reason})

    def withdraw_challenge(self, number: int, *, mage: str) -> Challenge:
        """Withdraw a challenge that your mage created."""
        return self.call("POST", f"/challenges/{number}/withdraw/", Challenge, body={"mage": mage})

    def start_challenge(self, number: int, *, mage: str) -> Challenge:
        """Start the battle with the mages who have joined; if others have a vote, propose to start."""
        return self.call("POST", f"/challenges/{number}/start/", Challenge, body={"mage": mage})

    def propose_change(
        self,
        number: int,
        *,
        mage: str,
        ruleset: Unset
        | Literal[
            "firetop-standard",
            "firetop-classic",
            "firetop-nomonsters",
            "spellcast",
            "warlocks",
            "warlocks-maladroit",
            "warlocks-parafc",
            "warlocks-parafc-maladroit",
            "warlocks-parafdf",
            "warlocks-parafdf-maladroit",
            "waving-hands",
            "waving-hands-active",
        ] = UNSET,
        pace: Unset
        | Literal["classic", "slow", "fast", "day", "threeday", "bank", "live1", "live3", "live5", "live"] = UNSET,
        stakes: Unset | Literal["ladder", "band", "no-gain", "friendly", "very-friendly", "bots"] = UNSET,
        weekends: Unset | bool = UNSET,
        nights: Unset | bool = UNSET,
        reliable: Unset | int = UNSET,
        orders_final: Unset | bool = UNSET,
        chat: Unset | bool = UNSET,
        hit_points: Unset | list[int] = UNSET,
        bots: Unset | list[str] = UNSET,
        bots_may_join: Unset | bool = UNSET,
        mages_per_user: Unset | int | None = UNSET,
        limit: Unset | int | None = UNSET,
        authoritarian: Unset | bool = UNSET,
        comment: Unset | str = UNSET,
        add: Unset | list[str] = UNSET,
        exclude: Unset | list[str] = UNSET,
        everyone: Unset | bool = UNSET,
    ) -> Challenge:
        """Propose other terms, invitations or exclusions. If nobody else has a vote, the change takes effect at
        once.

        `stakes`: What the battle is for: `ladder`, `band`, `no-gain`, `friendly`, `very-friendly`, `bots`. Bots
        never play for scores.

        `weekends`: Whether the clocks rest on weekends.

        `nights`: Whether the clocks rest at night.

        `reliable`: How reliable mages must be to join, in percent.

        `orders_final`: Whether orders cannot be replaced.

        `chat`: Whether players may talk beside the battle.

        `hit_points`: The hit points of each side, as a handicap.

        `bots`: The strengths of the bots that take seats.

        `bots_may_join`: Whether bots may join without an invitation.

        `mages_per_user`: How many mages of a user may join; null: only the invited.

        `limit`: The battle starts with this many mages; null: there is no limit.

        `authoritarian`: Whether the challenger decides alone.

        `add`: Mages to invite.

        `exclude`: Mages to exclude.

        `everyone`: Whether to invite every free mage.
        """
        return self.call(
            "POST",
            f"/challenges/{number}/changes/",
            Challenge,
            body={
                "mage": mage,
                "ruleset": ruleset,
                "pace": pace,
                "stakes": stakes,
                "weekends": weekends,
                "nights": nights,
                "reliable": reliable,
                "orders_final": orders_final,
                "chat": chat,
                "hit_points": hit_points,
                "bots": bots,
                "bots_may_join": bots_may_join,
                "mages_per_user": mages_per_user,
                "limit": limit,
                "authoritarian": authoritarian,
                "comment": comment,
                "add": add,
                "exclude": exclude,
                "everyone": everyone,
            },
        )

    def accept_change(self, number: int, change: int, *, mage: str) -> Challenge:
        """Vote for a change with one of your mages. They can vote again until the change is decided."""
        return self.call("POST", f"/challenges/{number}/changes/{change}/accept/", Challenge, body={"mage": mage})

    def oppose_change(self, number: int, change: int, *, mage: str) -> Challenge:
        """Vote against a change with one of your mages. They can vote again until the change is decided."""
        return self.call("POST", f"/challenges/{number}/changes/{change}/oppose/", Challenge, body={"mage": mage})

    def take_back_change(self, number: int, change: int, *, mage: str) -> Challenge:
        """Withdraw a change that your mage has proposed."""
        return self.call("POST", f"/challenges/{number}/changes/{change}/take-back/", Challenge, body={"mage": mage})

    def create_link(self, number: int, *, mage: str) -> InviteLink:
        """Create a link that lets one person join, with or without an account."""
        return self.call("POST", f"/challenges/{number}/links/", InviteLink, body={"mage": mage})

    def revoke_link(self, number: int, link: int) -> Challenge:
        """Revoke an unused link of yours. The battle begins if it waits for nobody else."""
        return self.call("DELETE", f"/challenges/{number}/links/{link}/", Challenge)

    def find_opponent(
        self,
        *,
        mage: str,
        ruleset: Unset
        | Literal[
            "firetop-standard",
            "firetop-classic",
            "firetop-nomonsters",
            "spellcast",
            "warlocks",
            "warlocks-maladroit",
            "warlocks-parafc",
            "warlocks-parafc-maladroit",
            "warlocks-parafdf",
            "warlocks-parafdf-maladroit",
            "waving-hands",
            "waving-hands-active",
        ] = UNSET,
        pace: Unset
        | Literal["classic", "slow", "fast", "day", "threeday", "bank", "live1", "live3", "live5", "live"] = UNSET,
        stakes: Unset | Literal["ladder", "band", "no-gain", "friendly", "very-friendly", "bots"] = UNSET,
    ) -> Challenge:
        """Join a waiting duel on these terms, or create one and wait: `status` is `started` or `open`.

        `stakes`: What the battle is for: `ladder`, `band`, `no-gain`, `friendly`, `very-friendly`, `bots`. Bots
        never play for scores.
        """
        return self.call(
            "POST",
            "/challenges/find-opponent/",
            Challenge,
            body={"mage": mage, "ruleset": ruleset, "pace": pace, "stakes": stakes},
        )

    def read_people_here(self) -> PeopleHere:
        """The people who have a page of the site open, as the lobby shows them to you. Programs are never among
        them.
        """
        return self.call("GET", "/lobby/", PeopleHere)

    def read_lines(self, *, before: Unset | int | None = UNSET) -> Room:
        """What was said in the lobby's room, without the lines of users whom you block.

        `before`: Only lines before this one.
        """
        return self.call("GET", "/lobby/room/", Room, query={"before": before})

    def say_in_room(self, *, text: str) -> Room:
        """Write a line. Send an `Idempotency-Key`, and a second copy writes nothing more.

        `text`: At most 280 characters are accepted.
        """
        return self.call("POST", "/lobby/room/", Room, body={"text": text})

    def read_ladder(
        self, kind: Literal["duel", "melee"], *, ruleset: Unset | str = UNSET, after: Unset | int = UNSET
    ) -> Places:
        """A hundred places of the duel or melee ladder.

        `ruleset`: The ladder of one ruleset.

        `after`: The last place that you have.
        """
        return self.call("GET", f"/ladder/{kind}/", Places, query={"ruleset": ruleset, "after": after})

    def read_leagues(self, *, season: Unset | int | None = UNSET) -> Leagues:
        """The tables of every league of the season that runs or comes next, or of an earlier one.

        `season`: A season; without it, the one that runs or comes next.
        """
        return self.call("GET", "/leagues/", Leagues, query={"season": season})

    def read_league(self, league: int, *, season: Unset | int | None = UNSET) -> League:
        """The table of a league and every duel, with the turn and the time used of those that run.

        `season`: A season; without it, the one that runs or comes next.
        """
        return self.call("GET", f"/leagues/{league}/", League, query={"season": season})

    def join_league(self, *, mage: str) -> LeagueEntry:
        """Enter the league with one of your mages, until you leave or lose your place.

        `mage`: One of your living mages.
        """
        return self.call("POST", "/leagues/join/", LeagueEntry, body={"mage": mage})

    def leave_league(self, *, at_once: Unset | bool = UNSET) -> LeagueEntry:
        """Leave the league after the season, which costs nothing, or at once.

        `at_once`: Leave a running season, too: results may leave the table, or what is left is lost. Otherwise
        you play it to its end.
        """
        return self.call("POST", "/leagues/leave/", LeagueEntry, body={"at_once": at_once})

    def list_cups(self) -> Cups:
        """The cups that you can join, those that run, and the last ones."""
        return self.call("GET", "/cups/", Cups)

    def read_cup(self, cup: int) -> Cup:
        """Who is in a cup, its rounds with their boards, and the table of a live evening or round robin."""
        return self.call("GET", f"/cups/{cup}/", Cup)

    def enter_cup(self, cup: int, *, mage: str) -> CupPlace:
        """Take a place in a cup that has not begun, or let another mage of yours play. Bots of users enter the
        weekly round robin, one for each owner; people join the other cups.

        `mage`: One of your living mages.
        """
        return self.call("POST", f"/cups/{cup}/join/", CupPlace, body={"mage": mage})

    def withdraw_from_cup(self, cup: int) -> CupPlace:
        """Withdraw before it begins, at no cost; later your running duel is lost, unrated, and you are out."""
        return self.call("POST", f"/cups/{cup}/leave/", CupPlace)

    def read_me(self) -> Me:
        """You, your mages and your token."""
        return self.call("GET", "/me/", Me)

    def put_about(self, *, about: str) -> Me:
        """Change what your page says about you.

        `about`: Plain text, 280 characters at most; line breaks become spaces. Empty removes it.
        """
        return self.call("PUT", "/me/", Me, body={"about": about})

    def list_own_events(self, *, after: Unset | str = UNSET) -> EventList:
        """Your events in all battles and challenges.

        With `Accept: text/event-stream` (or without `Accept`) the answer is a stream of Server-Sent Events that
        stays open: new events only, or those after `Last-Event-ID`. An event may come twice, with the same id.

        `after`: The `next` of the last answer, or the id of the last event; without it, all that are kept.
        """
        return self.call("GET", "/events/", EventList, query={"after": after})

    def read_notices(self) -> Notices:
        """Your notification choices: what you are told, in which channel, and your quiet hours."""
        return self.call("GET", "/notices/", Notices)

    def put_notices(
        self,
        *,
        preset: Unset | Literal["quiet", "usual", "all"] | None = UNSET,
        choices: Unset | list[NewNoticeChoice] = UNSET,
        quiet_hours: Unset | NewQuietHours | None = UNSET,
    ) -> Notices:
        """Change notification choices: all at once by a preset, single ones, and the quiet hours. If one of them
        cannot be chosen, nothing changes.
        """
        return self.call(
            "PUT", "/notices/", Notices, body={"preset": preset, "choices": choices, "quiet_hours": quiet_hours}
        )

    def read_own_vacation(self) -> Vacation:
        """Whether you are away, and how many days you have left."""
        return self.call("GET", "/vacation/", Vacation)

    def put_vacation(self, *, days: int) -> Vacation:
        """Start a vacation, or change when yours ends. While you owe orders in a battle that is not live, all
        clocks in it stop. It ends when you give orders, or create or join a challenge or a battle.

        `days`: How many days. If you are away already, it then ends that far from now.
        """
        return self.call("PUT", "/vacation/", Vacation, body={"days": days})

    def delete_vacation(self) -> Vacation:
        """End your vacation, if you are away."""
        return self.call("DELETE", "/vacation/", Vacation)

    def read_webhook(self) -> Webhook:
        """Where your webhook is, and whether it works: the hook that you set here."""
        return self.call("GET", "/webhook/", Webhook)

    def put_webhook(self, *, url: str) -> SetWebhook:
        """Have your events posted to an address. It replaces the previous one, and the secret is new each time.

        `url`: A public address that begins with https://.
        """
        return self.call("PUT", "/webhook/", SetWebhook, body={"url": url})

    def delete_webhook(self) -> None:
        """Delete your webhook."""
        self.call("DELETE", "/webhook/", None)

    def list_hooks(self) -> HookList:
        """Your hooks, oldest first: chats, phones and programs that are told what happens in your battles."""
        return self.call("GET", "/hooks/", HookList)

    def post_hook(
        self,
        *,
        format: Literal["json", "discord", "slack", "matrix", "ntfy"],
        name: str,
        url: str,
        events: list[
            Literal[
                "turns", "last", "deadlines", "ends", "messages", "challenges", "seeks", "seats", "changes", "league"
            ]
        ],
        room: Unset | str = UNSET,
        token: Unset | str = UNSET,
    ) -> AddedHook:
        """Have a chat, a phone or a program told what happens in your battles. You can have five hooks.

        `name`: What the page calls it.

        `url`: A public address that begins with https://; for matrix that of the homeserver.

        `room`: For matrix: the internal ID of the room.

        `token`: For matrix, and for a protected topic of ntfy.

        `events`: What it is told about; at least one.
        """
        return self.call(
            "POST",
            "/hooks/",
            AddedHook,
            body={"format": format, "name": name, "url": url, "room": room, "token": token, "events": events},
        )

    def delete_hook(self, hook_id: int) -> None:
        """Delete one of your hooks."""
        self.call("DELETE", f"/hooks/{hook_id}/", None)

    def read_own_news(
        self, *, part: Unset | Literal["you", "followed"] | None = UNSET, before: Unset | int | None = UNSET
    ) -> News:
        """Your news, at most 50 lines, as the page of news shows them. Reading marks nothing as read.

        `part`: Only what happened to you, or to users you follow; without it, everything.

        `before`: Only lines before this one.
        """
        return self.call("GET", "/news/", News, query={"part": part, "before": before})

    def mark_own_news_read(self, *, lines: Unset | list[int] | None = UNSET) -> UnreadNews:
        """Note that you have read these lines, or all of your news. Numbers that are not yours change nothing.

        `lines`: Their `line` numbers; without this member, all of your news.
        """
        return self.call("POST", "/news/seen/", UnreadNews, body={"lines": lines})


class AsyncCalls(AsyncTransport):
    """The calls of the API, named as in its description."""

    async def list_battles(self) -> Battles:
        """Your running battles, those waiting for you first, and then the last 20 that ended."""
        return await self.call("GET", "/battles/", Battles)

    async def list_battles_to_watch(self) -> WatchedBattles:
        """Live battles by number of spectators, then those with a turn in the last ten minutes; and the battle of
        the week. The exhibition of the bots is no battle, and only on pages.
        """
        return await self.call("GET", "/battles/watch/", WatchedBattles)

    async def read_battle(self, number: int, *, mage: Unset | str | None = UNSET) -> Battle:
        """The battle as you see it. If you poll, compare `key`, `waiting_for`, `status` and `time`.

        `mage`: Which of your mages to show the orders of.
        """
        return await self.call("GET", f"/battles/{number}/", Battle, query={"mage": mage})

    async def read_events(
        self, number: int, *, after: Unset | int = UNSET, view: Unset | Literal["mine", "all"] = UNSET
    ) -> Events:
        """What has happened since your event `after`, in words, with the rule behind it. Events keep their numbers
        when the battle ends. If a janitor rewinds a turn, its events disappear, and their numbers are not used
        again.

        `after`: The number of the last event that you have.

        `view`: `all` shows everything after the end, with its own numbers.
        """
        return await self.call("GET", f"/battles/{number}/events/", Events, query={"after": after, "view": view})

    async def read_proof(self, number: int) -> Proof:
        """The commitments, the same for every caller. After the end the record opens them."""
        return await self.call("GET", f"/battles/{number}/proof/", Proof)

    async def send_orders(
        self,
        number: int,
        *,
        orders: str,
        mage: Unset | str | None = UNSET,
        key: Unset | str | None = UNSET,
        ready: Unset | bool | None = UNSET,
        replace: Unset | bool = UNSET,
    ) -> Receipt:
        """Submit orders for one of your mages. The answer is the receipt.

        `mage`: Which of your mages; not needed if you have one.

        `key`: `seq.attempt.stage` of the battle that you read. Without it the orders count for the stage that
        is open when they arrive.

        `orders`: Text in the order grammar; lines are separated by line breaks.

        `ready`: true does what END does, false takes readiness back.

        `replace`: true makes the text the whole sheet.
        """
        return await self.call(
            "POST",
            f"/battles/{number}/orders/",
            Receipt,
            body={"mage": mage, "key": key, "orders": orders, "ready": ready, "replace": replace},
        )

    async def surrender(
        self, number: int, *, mage: Unset | str | None = UNSET, key: Unset | str | None = UNSET
    ) -> Receipt:
        """Order both palms for one of your mages, in place of their other orders, and make that ready: they
        surrender when the turn resolves. It costs what a surrender costs with these stakes; the receipt's
        warning says it. Until then you can still send other orders, unless the terms make orders final.

        `mage`: Which of your mages; not needed if you have one.

        `key`: `seq.attempt.stage` of the battle that you read. Without it the orders count for the stage that
        is open when they arrive.
        """
        return await self.call("POST", f"/battles/{number}/resign/", Receipt, body={"mage": mage, "key": key})

    async def read_chat(self, number: int, *, before: Unset | int | None = UNSET) -> Chat:
        """What was written beside a battle. Until it ends you read the room that you write in, and then both
        rooms.

        `before`: Only lines before this one.
        """
        return await self.call("GET", f"/battles/{number}/chat/", Chat, query={"before": before})

    async def say_in_chat(self, number: int, *, text: Unset | str = UNSET, phrase: Unset | str = UNSET) -> Chat:
        """Write a line into your room. Send an `Idempotency-Key`, and a second copy writes nothing more.

        `text`: At most 280 characters are accepted.

        `phrase`: The key of a quick phrase, without a text.
        """
        return await self.call("POST", f"/battles/{number}/chat/", Chat, body={"text": text, "phrase": phrase})

    async def read_time(self, number: int, *, mage: Unset | str | None = UNSET) -> BattleTime:
        """Pauses, extra time, absences and time used in a battle, and your options. The clocks are in the battle
        itself.
        """
        return await self.call("GET", f"/battles/{number}/time/", BattleTime, query={"mage": mage})

    async def take_extra_time(self, number: int, *, mage: Unset | str | None = UNSET) -> Extended:
        """Extend your own deadline by the length that the pace allows, at most twice in a battle.

        `mage`: Which of your mages; not needed if you have one.
        """
        return await self.call("POST", f"/battles/{number}/time/take/", Extended, body={"mage": mage})

    async def give_extra_time(
        self, number: int, *, to: str, mage: Unset | str | None = UNSET, days: Unset | int | None = UNSET
    ) -> Extended:
        """Extend the deadline of another user's mage, who is notified.

        `mage`: Which of your mages; not needed if you have one.

        `to`: The name of the mage.

        `days`: 1 to 14; without it, the length that the pace allows.
        """
        return await self.call(
            "POST", f"/battles/{number}/time/give/", Extended, body={"mage": mage, "to": to, "days": days}
        )

    async def ask_for_pause(self, number: int, *, minutes: int, mage: Unset | str | None = UNSET) -> Paused:
        """A pause begins once all players agree within seven days, and is as long as the shortest wish. 0 minutes
        withdraw the wish; during a pause, they ask to end it.

        `mage`: Which of your mages; not needed if you have one.

        `minutes`: At most 30 days. 0 withdraws the wish or ends the pause.
        """
        return await self.call("POST", f"/battles/{number}/pause/", Paused, body={"mage": mage, "minutes": minutes})

    async def say_here(self, number: int, *, mage: Unset | str | None = UNSET) -> Present:
        """The clocks of a live battle start once all its players are here.

        `mage`: Which of your mages; not needed if you have one.
        """
        return await self.call("POST", f"/battles/{number}/here/", Present, body={"mage": mage})

    async def call_off(self, number: int, *, mage: Unset | str | None = UNSET, agrees: Unset | bool = UNSET) -> Chosen:
        """Once another player has been absent for too long and all who are present agree, the battle ends without
        scores and deaths. Until the first turn resolves, those whose orders are in can do it one day after the
        start (in a live battle, one minute), because it waits for the others; not in leagues and cups.

        `mage`: Which of your mages; not needed if you have one.

        `agrees`: false takes your consent back.
        """
        return await self.call("POST", f"/battles/{number}/call-off/", Chosen, body={"mage": mage, "agrees": agrees})

    async def claim(self, number: int, *, mage: Unset | str | None = UNSET, agrees: Unset | bool = UNSET) -> Chosen:
        """Once another player has been absent for too long and all who are present agree, it counts as that mage's
        surrender: they live, a duel is won, and a melee continues.

        `mage`: Which of your mages; not needed if you have one.

        `agrees`: false takes your consent back.
        """
        return await self.call("POST", f"/battles/{number}/claim/", Chosen, body={"mage": mage, "agrees": agrees})

    async def let_bot_play(
        self, number: int, *, mage: Unset | str | None = UNSET, agrees: Unset | bool = UNSET
    ) -> Chosen:
        """Once all who are present agree, a bot plays until the absent player comes back. The battle is then
        practice.

        `mage`: Which of your mages; not needed if you have one.

        `agrees`: false takes your consent back.
        """
        return await self.call("POST", f"/battles/{number}/stand-in/", Chosen, body={"mage": mage, "agrees": agrees})

    async def read_draw(self, number: int, *, mage: Unset | str | None = UNSET) -> DrawNow:
        """Whether you, or the other player, offer a draw in the open turn, and when you can offer one."""
        return await self.call("GET", f"/battles/{number}/draw/", DrawNow, query={"mage": mage})

    async def agree_on_draw(
        self,
        number: int,
        *,
        act: Literal["offer", "accept", "decline", "withdraw"],
        mage: Unset | str | None = UNSET,
        key: Unset | str | None = UNSET,
    ) -> DrawDone:
        """Offer a draw in the open turn, from turn 5 on and once in five turns; accept or decline the other
        player's offer; or withdraw your own. If both offer one, it is agreed. An offer ends with its turn.

        `mage`: Which of your mages; not needed if you have one.

        `key`: A key of the turn that you mean; refused if that turn is over.
        """
        return await self.call(
            "POST", f"/battles/{number}/draw/", DrawDone, body={"mage": mage, "act": act, "key": key}
        )

    async def search_finished_battles(
        self,
        *,
        who: Unset | str = UNSET,
        against: Unset | str = UNSET,
        result: Unset | str = UNSET,
        kind: Unset | str = UNSET,
        ruleset: Unset | str = UNSET,
        opening: Unset | str = UNSET,
        spell: Unset | str = UNSET,
        worked: Unset | str = UNSET,
        feat: Unset | str = UNSET,
        ending: Unset | str = UNSET,
        shortest: Unset | str = UNSET,
        longest: Unset | str = UNSET,
        bots: Unset | str = UNSET,
        since: Unset | str = UNSET,
        until: Unset | str = UNSET,
        before: Unset | int | None = UNSET,
    ) -> FoundBattles:
        """Fifty battles that are over and match everything you ask for, newest first.

        `who`: The name of a mage or user. Result, opening, spell and feat are theirs.

        `against`: The name of a mage or user.

        `result`: `won`, `lost` or `drew`.

        `kind`: `duel` or `melee`.

        `ruleset`: The name of a ruleset with a battle that is over.

        `opening`: The first pairs of gestures, such as `SW PD`.

        `spell`: A spell that was cast.

        `worked`: `true`: the spell worked.

        `feat`: A feat, such as `finger_of_death`.

        `ending`: How the battle ended, such as `kill` or `surrender`.

        `shortest`: The least number of turns.

        `longest`: The greatest number of turns.

        `bots`: `with` or `without`.

        `since`: The first day on which it may have ended, such as `2026-11-23`.

        `until`: The last day on which it may have ended.

        `before`: Only battles before this one.
        """
        return await self.call(
            "GET",
            "/battles/search/",
            FoundBattles,
            query={
                "who": who,
                "against": against,
                "result": result,
                "kind": kind,
                "ruleset": ruleset,
                "opening": opening,
                "spell": spell,
                "worked": worked,
                "feat": feat,
                "ending": ending,
                "shortest": shortest,
                "longest": longest,
                "bots": bots,
                "since": since,
                "until": until,
                "before": before,
            },
        )

    async def read_table(self, number: int) -> Table:
        """The table (SHOW), the same for every caller."""
        return await self.call("GET", f"/battles/{number}/table/", Table)

    async def read_story(self, number: int) -> Story:
        """The story (DESCRIBE), the same for every caller."""
        return await self.call("GET", f"/battles/{number}/story/", Story)

    async def read_record(self, number: int) -> Record:
        """The record that replays the battle, with every order and roll; only after the end."""
        return await self.call("GET", f"/battles/{number}/record/", Record)

    async def read_position(self, number: int, *, mage: Unset | str | None = UNSET) -> Position:
        """The battle as one of your mages who owes orders knows it, in the form that programs of the line protocol
        read (`docs/bots/protocol.md`). It has nothing that the battle itself does not show you.

        `mage`: Which of your mages.
        """
        return await self.call("GET", f"/battles/{number}/position/", Position, query={"mage": mage})

    async def read_analysis(self, number: int, *, by: Unset | Literal["Magus", "Archmage"] = UNSET) -> Analysis:
        """The analysis of a battle that is over, turn by turn; 202 with its progress while it is being made, and
        404 if nobody has asked for it.

        `by`: Whose analysis.
        """
        return await self.call("GET", f"/battles/{number}/analysis/", Analysis, query={"by": by})

    async def request_analysis(self, number: int, *, by: Unset | Literal["Magus", "Archmage"] = UNSET) -> Analysis:
        """Queue the analysis of a battle that is over; 202 with its progress, or the analysis if it is done.
        Asking twice changes nothing.

        `by`: The Archmage takes longer, and analyses duels only.
        """
        return await self.call("POST", f"/battles/{number}/analysis/", Analysis, body={"by": by})

    async def ask_hint(self, number: int, *, mage: Unset | str | None = UNSET) -> Hints:
        """Up to three moves that the Magus would consider with what your mage sees. Only in practice, while your
        mage has gestures to choose, and not in a position like that of a running battle of yours. Changes
        nothing.

        `mage`: Which of your mages; not needed if you have one.
        """
        return await self.call("POST", f"/battles/{number}/hint/", Hints, body={"mage": mage})

    async def read_thoughts(self, number: int) -> Thoughts:
        """Why the bots gave their last gestures: for everyone once the battle is over, for the players of running
        practice if their mage saw all gestures of the turn.
        """
        return await self.call("GET", f"/battles/{number}/thoughts/", Thoughts)

    async def play_now(
        self,
        *,
        strength: str,
        ruleset: Unset
        | Literal[
            "firetop-standard",
            "firetop-classic",
            "firetop-nomonsters",
            "spellcast",
            "warlocks",
            "warlocks-maladroit",
            "warlocks-parafc",
            "warlocks-parafc-maladroit",
            "warlocks-parafdf",
            "warlocks-parafdf-maladroit",
            "waving-hands",
            "waving-hands-active",
        ] = UNSET,
        pace: Unset
        | Literal[
            "own", "classic", "slow", "fast", "day", "threeday", "bank", "live1", "live3", "live5", "live"
        ] = UNSET,
        rated: Unset | bool = UNSET,
        mage: Unset | str = UNSET,
        hit_points: Unset | int | None = UNSET,
        bot_hit_points: Unset | int | None = UNSET,
        bots_surrender: Unset | bool = UNSET,
    ) -> Started:
        """Start a battle against one of the site's bots. Unless it is rated it is practice. Nobody dies, and no
        score changes.

        `strength`: The name of the bot's strength.

        `ruleset`: Without it, the usual rules.

        `pace`: Without it there is no clock.

        `rated`: Whether it counts in the rating of battles with bots.

        `mage`: Your mage; without it, the first free one.

        `hit_points`: Your hit points, from 1 to 15, as a handicap.

        `bot_hit_points`: The bot's hit points, from 1 to 15, as a handicap.

        `bots_surrender`: false: the bot never gives up.
        """
        return await self.call(
            "POST",
            "/play/",
            Started,
            body={
                "strength": strength,
                "ruleset": ruleset,
                "pace": pace,
                "rated": rated,
                "mage": mage,
                "hit_points": hit_points,
                "bot_hit_points": bot_hit_points,
                "bots_surrender": bots_surrender,
            },
        )

    async def read_bots(self) -> Bots:
        """The ladder of bots, by rating; which bots are online, and on which terms they can be challenged; and the
        matches that measured the site's own bots.
        """
        return await self.call("GET", "/bots/", Bots)

    async def make_bot(self, *, name: str) -> BotAccount:
        """Make the caller's account a bot permanently, before its first battle. Its name confirms it.

        `name`: The name of your account, to confirm it.
        """
        return await self.call("POST", "/account/bot/", BotAccount, body={"name": name})

    async def list_challenges(self, *, joinable: Unset | bool = UNSET) -> Challenges:
        """The open challenges by number, as you see them.

        `joinable`: Only those that one of your mages may join.
        """
        return await self.call("GET", "/challenges/", Challenges, query={"joinable": joinable})

    async def create_challenge(
        self,
        *,
        mage: str,
        against: Unset | list[str] = UNSET,
        ruleset: Unset
        | Literal[
            "firetop-standard",
            "firetop-classic",
            "firetop-nomonsters",
            "spellcast",
            "warlocks",
            "warlocks-maladroit",
            "warlocks-parafc",
            "warlocks-parafc-maladroit",
            "warlocks-parafdf",
            "warlocks-parafdf-maladroit",
            "waving-hands",
            "waving-hands-active",
        ] = UNSET,
        pace: Unset
        | Literal["classic", "slow", "fast", "day", "threeday", "bank", "live1", "live3", "live5", "live"] = UNSET,
        stakes: Unset | Literal["ladder", "band", "no-gain", "friendly", "very-friendly", "bots"] = UNSET,
        limit: Unset | int | None = UNSET,
        comment: Unset | str = UNSET,
    ) -> Challenge:
        """Challenge the mages you name, or anyone if you name none. Your mage has the first seat.

        `mage`: Your mage, which must be free.

        `against`: The mages you challenge; empty: anyone may join.

        `stakes`: What the battle is for: `ladder`, `band`, `no-gain`, `friendly`, `very-friendly`, `bots`. Bots
        never play for scores.

        `limit`: The battle starts with this many mages. Without it: a duel, or all the mages you name.
        """
        return await self.call(
            "POST",
            "/challenges/",
            Challenge,
            body={
                "mage": mage,
                "against": against,
                "ruleset": ruleset,
                "pace": pace,
                "stakes": stakes,
                "limit": limit,
                "comment": comment,
            },
        )

    async def read_challenge(self, number: int) -> Challenge:
        """One challenge, open or over. If its `status` is `started`, the battle has the same number."""
        return await self.call("GET", f"/challenges/{number}/", Challenge)

    async def accept_challenge(self, number: int, *, mage: str, terms_key: Unset | str = UNSET) -> Challenge:
        """Join a challenge with one of your mages. If they are the last, the battle begins and `status` is
        `started`.

        `terms_key`: The `terms_key` you have seen; empty: on any terms.
        """
        return await self.call(
            "POST", f"/challenges/{number}/accept/", Challenge, body={"mage": mage, "terms_key": terms_key}
        )

    async def decline_challenge(
        self,
        number: int,
        *,
        mage: str,
        reason: Unset | Literal["busy", "ruleset", "pace", "stakes", "strength"] | None = UNSET,
    ) -> Challenge:
        """Decline an invitation, or leave a challenge that you have joined. You can tell the others why.

        `reason`: Tells the others that you have no time now, want another ruleset, another pace or other
        stakes, or look for an opponent of another strength.
        """
        return await self.call(
            "POST", f"/challenges/{number}/decline/", Challenge, body={"mage": mage, "reason": reason}
        )

    async def withdraw_challenge(self, number: int, *, mage: str) -> Challenge:
        """Withdraw a challenge that your mage created."""
        return await self.call("POST", f"/challenges/{number}/withdraw/", Challenge, body={"mage": mage})

    async def start_challenge(self, number: int, *, mage: str) -> Challenge:
        """Start the battle with the mages who have joined; if others have a vote, propose to start."""
        return await self.call("POST", f"/challenges/{number}/start/", Challenge, body={"mage": mage})

    async def propose_change(
        self,
        number: int,
        *,
        mage: str,
        ruleset: Unset
        | Literal[
            "firetop-standard",
            "firetop-classic",
            "firetop-nomonsters",
            "spellcast",
            "warlocks",
            "warlocks-maladroit",
            "warlocks-parafc",
            "warlocks-parafc-maladroit",
            "warlocks-parafdf",
            "warlocks-parafdf-maladroit",
            "waving-hands",
            "waving-hands-active",
        ] = UNSET,
        pace: Unset
        | Literal["classic", "slow", "fast", "day", "threeday", "bank", "live1", "live3", "live5", "live"] = UNSET,
        stakes: Unset | Literal["ladder", "band", "no-gain", "friendly", "very-friendly", "bots"] = UNSET,
        weekends: Unset | bool = UNSET,
        nights: Unset | bool = UNSET,
        reliable: Unset | int = UNSET,
        orders_final: Unset | bool = UNSET,
        chat: Unset | bool = UNSET,
        hit_points: Unset | list[int] = UNSET,
        bots: Unset | list[str] = UNSET,
        bots_may_join: Unset | bool = UNSET,
        mages_per_user: Unset | int | None = UNSET,
        limit: Unset | int | None = UNSET,
        authoritarian: Unset | bool = UNSET,
        comment: Unset | str = UNSET,
        add: Unset | list[str] = UNSET,
        exclude: Unset | list[str] = UNSET,
        everyone: Unset | bool = UNSET,
    ) -> Challenge:
        """Propose other terms, invitations or exclusions. If nobody else has a vote, the change takes effect at
        once.

        `stakes`: What the battle is for: `ladder`, `band`, `no-gain`, `friendly`, `very-friendly`, `bots`. Bots
        never play for scores.

        `weekends`: Whether the clocks rest on weekends.

        `nights`: Whether the clocks rest at night.

        `reliable`: How reliable mages must be to join, in percent.

        `orders_final`: Whether orders cannot be replaced.

        `chat`: Whether players may talk beside the battle.

        `hit_points`: The hit points of each side, as a handicap.

        `bots`: The strengths of the bots that take seats.

        `bots_may_join`: Whether bots may join without an invitation.

        `mages_per_user`: How many mages of a user may join; null: only the invited.

        `limit`: The battle starts with this many mages; null: there is no limit.

        `authoritarian`: Whether the challenger decides alone.

        `add`: Mages to invite.

        `exclude`: Mages to exclude.

        `everyone`: Whether to invite every free mage.
        """
        return await self.call(
            "POST",
            f"/challenges/{number}/changes/",
            Challenge,
            body={
                "mage": mage,
                "ruleset": ruleset,
                "pace": pace,
                "stakes": stakes,
                "weekends": weekends,
                "nights": nights,
                "reliable": reliable,
                "orders_final": orders_final,
                "chat": chat,
                "hit_points": hit_points,
                "bots": bots,
                "bots_may_join": bots_may_join,
                "mages_per_user": mages_per_user,
                "limit": limit,
                "authoritarian": authoritarian,
                "comment": comment,
                "add": add,
                "exclude": exclude,
                "everyone": everyone,
            },
        )

    async def accept_change(self, number: int, change: int, *, mage: str) -> Challenge:
        """Vote for a change with one of your mages. They can vote again until the change is decided."""
        return await self.call("POST", f"/challenges/{number}/changes/{change}/accept/", Challenge, body={"mage": mage})

    async def oppose_change(self, number: int, change: int, *, mage: str) -> Challenge:
        """Vote against a change with one of your mages. They can vote again until the change is decided."""
        return await self.call("POST", f"/challenges/{number}/changes/{change}/oppose/", Challenge, body={"mage": mage})

    async def take_back_change(self, number: int, change: int, *, mage: str) -> Challenge:
        """Withdraw a change that your mage has proposed."""
        return await self.call(
            "POST", f"/challenges/{number}/changes/{change}/take-back/", Challenge, body={"mage": mage}
        )

    async def create_link(self, number: int, *, mage: str) -> InviteLink:
        """Create a link that lets one person join, with or without an account."""
        return await self.call("POST", f"/challenges/{number}/links/", InviteLink, body={"mage": mage})

    async def revoke_link(self, number: int, link: int) -> Challenge:
        """Revoke an unused link of yours. The battle begins if it waits for nobody else."""
        return await self.call("DELETE", f"/challenges/{number}/links/{link}/", Challenge)

    async def find_opponent(
        self,
        *,
        mage: str,
        ruleset: Unset
        | Literal[
            "firetop-standard",
            "firetop-classic",
            "firetop-nomonsters",
            "spellcast",
            "warlocks",
            "warlocks-maladroit",
            "warlocks-parafc",
            "warlocks-parafc-maladroit",
            "warlocks-parafdf",
            "warlocks-parafdf-maladroit",
            "waving-hands",
            "waving-hands-active",
        ] = UNSET,
        pace: Unset
        | Literal["classic", "slow", "fast", "day", "threeday", "bank", "live1", "live3", "live5", "live"] = UNSET,
        stakes: Unset | Literal["ladder", "band", "no-gain", "friendly", "very-friendly", "bots"] = UNSET,
    ) -> Challenge:
        """Join a waiting duel on these terms, or create one and wait: `status` is `started` or `open`.

        `stakes`: What the battle is for: `ladder`, `band`, `no-gain`, `friendly`, `very-friendly`, `bots`. Bots
        never play for scores.
        """
        return await self.call(
            "POST",
            "/challenges/find-opponent/",
            Challenge,
            body={"mage": mage, "ruleset": ruleset, "pace": pace, "stakes": stakes},
        )

    async def read_people_here(self) -> PeopleHere:
        """The people who have a page of the site open, as the lobby shows them to you. Programs are never among
        them.
        """
        return await self.call("GET", "/lobby/", PeopleHere)

    async def read_lines(self, *, before: Unset | int | None = UNSET) -> Room:
        """What was said in the lobby's room, without the lines of users whom you block.

        `before`: Only lines before this one.
        """
        return await self.call("GET", "/lobby/room/", Room, query={"before": before})

    async def say_in_room(self, *, text: str) -> Room:
        """Write a line. Send an `Idempotency-Key`, and a second copy writes nothing more.

        `text`: At most 280 characters are accepted.
        """
        return await self.call("POST", "/lobby/room/", Room, body={"text": text})

    async def read_ladder(
        self, kind: Literal["duel", "melee"], *, ruleset: Unset | str = UNSET, after: Unset | int = UNSET
    ) -> Places:
        """A hundred places of the duel or melee ladder.

        `ruleset`: The ladder of one ruleset.

        `after`: The last place that you have.
        """
        return await self.call("GET", f"/ladder/{kind}/", Places, query={"ruleset": ruleset, "after": after})

    async def read_leagues(self, *, season: Unset | int | None = UNSET) -> Leagues:
        """The tables of every league of the season that runs or comes next, or of an earlier one.

        `season`: A season; without it, the one that runs or comes next.
        """
        return await self.call("GET", "/leagues/", Leagues, query={"season": season})

    async def read_league(self, league: int, *, season: Unset | int | None = UNSET) -> League:
        """The table of a league and every duel, with the turn and the time used of those that run.

        `season`: A season; without it, the one that runs or comes next.
        """
        return await self.call("GET", f"/leagues/{league}/", League, query={"season": season})

    async def join_league(self, *, mage: str) -> LeagueEntry:
        """Enter the league with one of your mages, until you leave or lose your place.

        `mage`: One of your living mages.
        """
        return await self.call("POST", "/leagues/join/", LeagueEntry, body={"mage": mage})

    async def leave_league(self, *, at_once: Unset | bool = UNSET) -> LeagueEntry:
        """Leave the league after the season, which costs nothing, or at once.

        `at_once`: Leave a running season, too: results may leave the table, or what is left is lost. Otherwise
        you play it to its end.
        """
        return await self.call("POST", "/leagues/leave/", LeagueEntry, body={"at_once": at_once})

    async def list_cups(self) -> Cups:
        """The cups that you can join, those that run, and the last ones."""
        return await self.call("GET", "/cups/", Cups)

    async def read_cup(self, cup: int) -> Cup:
        """Who is in a cup, its rounds with their boards, and the table of a live evening or round robin."""
        return await self.call("GET", f"/cups/{cup}/", Cup)

    async def enter_cup(self, cup: int, *, mage: str) -> CupPlace:
        """Take a place in a cup that has not begun, or let another mage of yours play. Bots of users enter the
        weekly round robin, one for each owner; people join the other cups.

        `mage`: One of your living mages.
        """
        return await self.call("POST", f"/cups/{cup}/join/", CupPlace, body={"mage": mage})

    async def withdraw_from_cup(self, cup: int) -> CupPlace:
        """Withdraw before it begins, at no cost; later your running duel is lost, unrated, and you are out."""
        return await self.call("POST", f"/cups/{cup}/leave/", CupPlace)

    async def read_me(self) -> Me:
        """You, your mages and your token."""
        return await self.call("GET", "/me/", Me)

    async def put_about(self, *, about: str) -> Me:
        """Change what your page says about you.

        `about`: Plain text, 280 characters at most; line breaks become spaces. Empty removes it.
        """
        return await self.call("PUT", "/me/", Me, body={"about": about})

    async def list_own_events(self, *, after: Unset | str = UNSET) -> EventList:
        """Your events in all battles and challenges.

        With `Accept: text/event-stream` (or without `Accept`) the answer is a stream of Server-Sent Events that
        stays open: new events only, or those after `Last-Event-ID`. An event may come twice, with the same id.

        `after`: The `next` of the last answer, or the id of the last event; without it, all that are kept.
        """
        return await self.call("GET", "/events/", EventList, query={"after": after})

    async def read_notices(self) -> Notices:
        """Your notification choices: what you are told, in which channel, and your quiet hours."""
        return await self.call("GET", "/notices/", Notices)

    async def put_notices(
        self,
        *,
        preset: Unset | Literal["quiet", "usual", "all"] | None = UNSET,
        choices: Unset | list[NewNoticeChoice] = UNSET,
        quiet_hours: Unset | NewQuietHours | None = UNSET,
    ) -> Notices:
        """Change notification choices: all at once by a preset, single ones, and the quiet hours. If one of them
        cannot be chosen, nothing changes.
        """
        return await self.call(
            "PUT", "/notices/", Notices, body={"preset": preset, "choices": choices, "quiet_hours": quiet_hours}
        )

    async def read_own_vacation(self) -> Vacation:
        """Whether you are away, and how many days you have left."""
        return await self.call("GET", "/vacation/", Vacation)

    async def put_vacation(self, *, days: int) -> Vacation:
        """Start a vacation, or change when yours ends. While you owe orders in a battle that is not live, all
        clocks in it stop. It ends when you give orders, or create or join a challenge or a battle.

        `days`: How many days. If you are away already, it then ends that far from now.
        """
        return await self.call("PUT", "/vacation/", Vacation, body={"days": days})

    async def delete_vacation(self) -> Vacation:
        """End your vacation, if you are away."""
        return await self.call("DELETE", "/vacation/", Vacation)

    async def read_webhook(self) -> Webhook:
        """Where your webhook is, and whether it works: the hook that you set here."""
        return await self.call("GET", "/webhook/", Webhook)

    async def put_webhook(self, *, url: str) -> SetWebhook:
        """Have your events posted to an address. It replaces the previous one, and the secret is new each time.

        `url`: A public address that begins with https://.
        """
        return await self.call("PUT", "/webhook/", SetWebhook, body={"url": url})

    async def delete_webhook(self) -> None:
        """Delete your webhook."""
        await self.call("DELETE", "/webhook/", None)

    async def list_hooks(self) -> HookList:
        """Your hooks, oldest first: chats, phones and programs that are told what happens in your battles."""
        return await self.call("GET", "/hooks/", HookList)

    async def post_hook(
        self,
        *,
        format: Literal["json", "discord", "slack", "matrix", "ntfy"],
        name: str,
        url: str,
        events: list[
            Literal[
                "turns", "last", "deadlines", "ends", "messages", "challenges", "seeks", "seats", "changes", "league"
            ]
        ],
        room: Unset | str = UNSET,
        token: Unset | str = UNSET,
    ) -> AddedHook:
        """Have a chat, a phone or a program told what happens in your battles. You can have five hooks.

        `name`: What the page calls it.

        `url`: A public address that begins with https://; for matrix that of the homeserver.

        `room`: For matrix: the internal ID of the room.

        `token`: For matrix, and for a protected topic of ntfy.

        `events`: What it is told about; at least one.
        """
        return await self.call(
            "POST",
            "/hooks/",
            AddedHook,
            body={"format": format, "name": name, "url": url, "room": room, "token": token, "events": events},
        )

    async def delete_hook(self, hook_id: int) -> None:
        """Delete one of your hooks."""
        await self.call("DELETE", f"/hooks/{hook_id}/", None)

    async def read_own_news(
        self, *, part: Unset | Literal["you", "followed"] | None = UNSET, before: Unset | int | None = UNSET
    ) -> News:
        """Your news, at most 50 lines, as the page of news shows them. Reading marks nothing as read.

        `part`: Only what happened to you, or to users you follow; without it, everything.

        `before`: Only lines before this one.
        """
        return await self.call("GET", "/news/", News, query={"part": part, "before": before})

    async def mark_own_news_read(self, *, lines: Unset | list[int] | None = UNSET) -> UnreadNews:
        """Note that you have read these lines, or all of your news. Numbers that are not yours change nothing.

        `lines`: Their `line` numbers; without this member, all of your news.
        """
        return await self.call("POST", "/news/seen/", UnreadNews, body={"lines": lines})

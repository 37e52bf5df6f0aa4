"""Analysis of a turn that was played, by search: chances, moves that were much better, and blunders by name.

For use after the end: everything about the position counts, even what the mages could not see. The same turn and seed
give the same numbers. Findings are JSON data; `finding` puts them into words.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from rules_engine.audience import look
from rules_engine.beings import NOBODY, ORDERS
from rules_engine.bots.aims import list_named
from rules_engine.bots.chance import Chance
from rules_engine.bots.findings import (
    BETTER_MOVE,
    DEATH,
    DIED,
    FORCED_SURRENDER,
    MISSED_KILL,
    NEARLY_SURE,
    OWN_TARGET,
    SURRENDER,
    UNREAD_THREAT,
    WASTED,
    AimedAt,
    Finding,
    Grade,
    Judged,
    NextBest,
    Part,
)
from rules_engine.bots.hindsight import guess_chances
from rules_engine.bots.look_further import DEPTHS, Depth, look_further
from rules_engine.bots.move_parts import list_cast, list_parts, write_gestures
from rules_engine.bots.moves import COLUMNS, Move, Moves
from rules_engine.bots.play_again import is_worse_off, list_left, play_again, play_without, weigh_rolls
from rules_engine.bots.search import Search, SearchResult
from rules_engine.bots.shown_chances import shown_worth
from rules_engine.bots.worth import Worth
from rules_engine.events import Viewer
from rules_engine.gestures import SURRENDER as TWO_PALMS
from rules_engine.gestures import UNSEEN
from rules_engine.orders import Sheet
from rules_engine.records.chronicle import Chronicle, PlayedTurn
from rules_engine.records.fates import REFLECTED, WORKED, judge_casts
from rules_engine.rules import Ruleset
from rules_engine.spells import FOE, SELF
from rules_engine.state import State

MOST_CELLS = 1300
"""How many outcomes of one turn are looked at: in a duel those of every column against every other."""
MOST_AIMED, MOST_CHOICES = 12, 12
"""How many moves may be added that aim at creatures, and that choose other spells of the same gestures."""
HOPELESS = 0.1
"""Giving up with a lower chance than this is not a blunder."""
SURE, MISSED_BY, LIKELY = 0.9, 0.4, 0.35
"""A kill is available if it works against this share of what the foe should play; it is missed by at least this share.
One that would have worked against what was really played needs only the last."""
MUCH = 0.1
"""A move that gains so much chance was much better."""
READABLE, HURT_BY = 0.05, 0.12
"""A threat could be read if the foe's mix plays it so often; it was not if the best reply saves so much."""
TRIED = 8
"""How many answers to a threat are played, the best first, before it counts as one that nothing would have answered."""
MOST_MIXED, SELDOM = 8, 0.02
"""How many moves of a mix are told, and the smallest share."""
MOVED_BY = 0.05
"""A roll is told if it moved a chance by more."""
STABS, DIRECTS = "stabs", "directs"
LOW, HIGH = 0.1, 0.9
SENSIBLE, GUESSED = 10, 0.5
"""For the range half of the weight is on what search plays, half on the first moves of rules of thumb, all alike."""
# Spells that nobody casts on a foe on purpose.
_GIFTS = frozenset(
    {
        "Cure Light Wounds",
        "Cure Heavy Wounds",
        "Shield",
        "Protection",
        "Haste",
        "Time Stop",
        "Delay Effect",
        "Permanency",
    }
)
# Spells that cancel each other on one being: casting one on yourself can be a defence.
_MIND = frozenset({"Paralysis", "Amnesia", "Fear", "Confusion", "Charm Person"})


def analyse_turn(
    turn: PlayedTurn, orders: Mapping[str, Sheet], *, seed: object, strength: str = "Magus"
) -> dict[str, Any]:
    """Return the findings of a turn, as JSON data. `orders` are those of its first stage, by mage; `strength` is
    that of the bot whose opinion it is, Magus or Archmage.

    ``chances`` and ``ranges`` are before the turn, by mage in the order of ``mages``: in eight of ten ways in which
    sensible moves can go, the chance after it lies in the range. ``moves`` has a `Judged` for every mage who chose
    gestures, ``findings`` everything remarkable. ``mixes`` has the moves that each mage should play and how often,
    ``rolls`` what each roll gave to whom, if it was much, ``rolled`` how many there were.
    """
    return _Turn(turn, orders, seed, DEPTHS[strength], shown_worth(turn.before.ruleset.name)).analyse()


def weigh_position(
    state: State, orders: Mapping[str, Sheet], *, worth: Worth, seed: object, strength: str = "Magus"
) -> Sequence[float]:
    """Return every mage's chance before a turn in which these orders are given, in the order of the mages; an analysis
    shows it with the worth of `shown_chances.shown_worth`."""
    turn = PlayedTurn(state.label, state.seq, state, state, ())
    return _Turn(turn, orders, seed, DEPTHS[strength], worth).result.expect()


class _Turn:
    """One turn under analysis."""

    def __init__(self, turn: PlayedTurn, orders: Mapping[str, Sheet], seed: object, depth: Depth, worth: Worth) -> None:
        self.turn, self.state, self.seed = turn, turn.before, seed
        self.index = {name: place for place, name in enumerate(self.state.wizards)}
        self.moves = Moves(worth)
        self.at_once: Mapping[tuple[int, ...], Sequence[float]] = {}
        self.mixes_at_once: Sequence[Sequence[float]] = ()
        self.sheets = {name: _without_words(orders[name]) for name in self.state.owing if name in orders}
        self.movers = [
            name
            for name, sheet in self.sheets.items()
            if self.state.wizards[name].phase == ORDERS and sheet.has_both and not sheet.is_by_clock
        ]
        self.result = self._search(seed, depth)
        self.played = tuple(self._place(name) for name in self.result.names)

    def _search(self, seed: object, depth: Depth) -> SearchResult:
        search = Search(self.moves, Chance(seed, "analysis", self.turn.seq))
        names = self.state.owing
        most = len(COLUMNS)
        while most > 2 and most ** len(names) > MOST_CELLS:
            most -= 1
        moves = []
        for name in names:
            found = self.moves.find(self.state, name, most)
            found += self.moves.choose_otherwise(self.state, name, found)[:MOST_CHOICES]
            found += self._aim_at_creatures(name, found)
            sheet = self.sheets.get(name)
            if sheet is not None and not sheet.is_by_clock and all(move.sheet != sheet for move in found):
                found = [*found, Move(sheet, 0.0)]
            moves.append(found)
        weighed = search.weigh(self.state, names[0], names, tuple(moves))
        # Looking further replaces chances by those of the next turn; a kill counts only if this turn brings it about.
        self.at_once, self.mixes_at_once = weighed.table, weighed.mixes
        return look_further(search, self.state, weighed, depth)

    def _aim_at_creatures(self, name: str, moves: Sequence[Move]) -> list[Move]:
        """Return variants of the first moves, with each harmful spell aimed at each creature of the other mages.

        A bot aims at mages, but to live a mage may have to kill the creature first.
        """
        foes = [each.name for each in list_named(self.state, name) if each.controller != name]
        found = []
        for move in moves if foes else ():
            for hand, spell in self._cast(name, move.sheet).items():
                known = self._known.get(spell)
                if known is not None and known.targeted and known.default == FOE:
                    found += [Move(move.sheet.merged(Sheet({f"TARGET {hand}": foe})), move.worth) for foe in foes]
        return found[:MOST_AIMED]

    def _place(self, name: str) -> int | None:
        """Return which of the mage's moves was played; None for one who forfeited."""
        moves = self.result.moves[self.result.place(name)]
        return next((place for place, move in enumerate(moves) if move.sheet == self.sheets.get(name)), None)

    def analyse(self) -> dict[str, Any]:
        chances = self.result.expect()
        judged = {name: self._judge(name) for name in self.movers if self._knows(name)}
        findings = [finding for name, move in judged.items() for finding in self._find(name, move)]
        return {
            "seq": self.turn.seq,
            "label": self.turn.label,
            "mages": list(self.state.mages),
            "chances": {name: round(chances[place], 3) for name, place in self.index.items()},
            "ranges": {
                name: [round(each, 3) for each in self._range(place, chances[place])]
                for name, place in self.index.items()
            },
            "moves": {name: move.facts() for name, move in judged.items()},
            "findings": [finding.facts() for finding in findings],
            "mixes": {name: self._write_mix(name) for name in self.result.names},
            "rolls": list(self._write_rolls()),
            "rolled": len(self.turn.throws),
        }

    def _write_mix(self, name: str) -> list[dict[str, Any]]:
        me = self.result.place(name)
        shares = sorted(enumerate(self.result.mixes[me]), key=lambda each: -each[1])
        found = []
        for place, share in shares[:MOST_MIXED]:
            sheet = self._sheet(me, place)
            if share >= SELDOM and sheet.has_both:
                moved = {
                    "gestures": write_gestures(sheet),
                    "spells": list(self._spells(name, sheet)),
                    "parts": [list(part) for part in self._parts(name, sheet)],
                }
                found.append({**moved, "orders": list(sheet.lines()), "share": round(share, 3)})
        return found

    def _write_rolls(self) -> Iterator[dict[str, Any]]:
        """Yield what every roll that moved a chance much gave to each mage."""
        if not self._can_be_played or not self.turn.throws:
            return
        for roll in weigh_rolls(self.turn, self.sheets, self.moves.worth):
            if max(map(abs, roll.gave)) > MOVED_BY:
                gave = {name: round(each, 3) for name, each in zip(self.index, roll.gave, strict=True)}
                yield {"purpose": roll.purpose, "who": roll.who, "picked": roll.picked, "gave": gave}

    def _knows(self, name: str) -> bool:
        return self.played[self.result.place(name)] is not None

    def _range(self, player: int, chance: float) -> tuple[float, float]:
        weighed = sorted(self._weighed(player))
        total = sum(weight for _, weight in weighed)
        found: list[float] = []
        passed = 0.0
        for after, weight in weighed:
            passed += weight
            if not found and passed >= LOW * total:
                found.append(after)
            if passed >= HIGH * total:
                return min(found[0], chance), max(after, chance)
        return weighed[0][0], weighed[-1][0]

    def _weighed(self, player: int) -> Iterator[tuple[float, float]]:
        mixes = [_blur(mix) for mix in self.result.mixes]
        for cell, chances in self.result.table.items():
            weight = 1.0
            for mix, option in zip(mixes, cell, strict=True):
                weight *= mix[option]
            yield chances[player], weight

    def _judge(self, name: str) -> Judged:
        me, player = self.result.place(name), self.index[name]
        chances = [self.result.chance_of(me, place, player) for place in range(len(self.result.moves[me]))]
        place = self.played[me] or 0
        best = max(range(len(chances)), key=lambda each: chances[each])
        sheets = [move.sheet for move in self.result.moves[me]]
        grade = self._grade(name, sheets, chances, place, self.result.expect()[player])
        return Judged(
            gestures=write_gestures(self._sheet(me, place)),
            parts=self._parts(name, self._sheet(me, place)),
            better_parts=self._parts(name, self._sheet(me, best)),
            spells=self._spells(name, self._sheet(me, place)),
            chance=chances[place],
            best=chances[best],
            faced=self._faced(me, place, player),
            better=write_gestures(self._sheet(me, best)),
            better_spells=self._spells(name, self._sheet(me, best)),
            orders=tuple(self._sheet(me, place).lines()),
            better_orders=grade.better_orders,
            mix=grade.mix,
            next=grade.next,
            known=self._grade_by_sight(name),
        )

    def _grade(self, name: str, sheets: Sequence[Sheet], chances: Sequence[float], place: int, mix: float) -> Grade:
        """Judge the move at `place` of these moves by their chances."""
        best = max(range(len(chances)), key=lambda each: chances[each])
        better = write_gestures(sheets[best])
        others = [each for each in range(len(chances)) if write_gestures(sheets[each]) != better]
        following = max(others, key=lambda each: chances[each], default=None)
        return Grade(
            chance=chances[place],
            best=chances[best],
            mix=mix,
            better=better,
            better_spells=self._spells(name, sheets[best]),
            better_orders=tuple(sheets[best].lines()),
            next=None if following is None else self._next_best(name, sheets[following], chances[following]),
        )

    def _next_best(self, name: str, sheet: Sheet, chance: float) -> NextBest:
        return NextBest(write_gestures(sheet), self._spells(name, sheet), tuple(sheet.lines()), chance)

    def _grade_by_sight(self, name: str) -> Grade | None:
        """Judge a mage's move by what they could see; None if they saw everything."""
        played = self.sheets[name]
        guessed = guess_chances(self.state, name, played, moves=self.moves, seed=self.seed)
        if guessed is None:
            return None
        sheets = [move.sheet for move in guessed.moves]
        return self._grade(name, sheets, guessed.chances, sheets.index(played), guessed.mix)

    def _sheet(self, me: int, place: int) -> Sheet:
        return self.result.moves[me][place].sheet

    def _faced(self, me: int, place: int, player: int) -> float:
        """Return the chance of a move against the others' actual moves, and against the mix of those who forfeited."""
        cells = [cell for cell in self.result.table if cell[me] == place and self._is_real(cell, me)]
        return sum(self.result.table[cell][player] for cell in cells) / len(cells)

    def _is_real(self, cell: Sequence[int], me: int) -> bool:
        return all(
            other == me or self.played[other] is None or option == self.played[other]
            for other, option in enumerate(cell)
        )

    def _spells(self, name: str, sheet: Sheet) -> tuple[str, ...]:
        return tuple(dict.fromkeys(self._cast(name, sheet).values()))

    def _cast(self, name: str, sheet: Sheet) -> Mapping[str, str]:
        return list_cast(self.state, name, sheet)

    def _parts(self, name: str, sheet: Sheet) -> tuple[Part, ...]:
        return list_parts(self.state, name, sheet)

    # -- remarkable moves --------------------------------------------------------------------------------------------

    def _find(self, name: str, move: Judged) -> Iterator[Finding]:
        # What a mage could not see is no mistake of theirs.
        could_know = move.known is None or move.known.best - move.known.chance >= MUCH / 2
        found = [self._find_surrender(name, move), self._find_missed_kill(name, move) if could_know else None]
        grave = [each for each in found if each is not None]
        grave += self._find_own_targets(name, move)
        threat = self._find_unread_threat(name, move) if could_know else None
        death = None if threat else self._find_avoidable_death(name, move)
        grave += [threat] if threat else []
        yield from grave
        if death is not None:
            yield death
        if not grave and move.grade.best - move.grade.chance >= MUCH:
            yield self._find_better_move(name, move)
        yield from self._find_wasted(name, move, {each.spell for each in grave if each.kind == OWN_TARGET})

    def _find_better_move(self, name: str, move: Judged) -> Finding:
        grade = move.grade
        return self._finding(
            BETTER_MOVE, name, move, better=Sheet.from_lines(grade.better_orders), chance=grade.chance,
            best=grade.best, clause=self._clause(grade.better_spells),
        )  # fmt: skip

    def _finding(self, kind: str, name: str, move: Judged, *, better: Sheet | None = None, **more: Any) -> Finding:
        """Return a finding about this move; the better one is that of the search, or `better`."""
        facts: dict[str, Any] = {
            "gestures": move.gestures,
            "parts": move.parts,
            "better": move.better,
            "better_parts": move.better_parts,
            "better_spells": move.better_spells,
            "chance": move.chance,
            "best": move.best,
        }
        if better is not None:
            facts |= {
                "better": write_gestures(better),
                "better_parts": self._parts(name, self._answer_questions(name, better)),
                "better_spells": self._spells(name, better),
                "better_orders": tuple(better.lines()),
            }
        return Finding(kind=kind, mage=name, **{**facts, **more})

    # -- turns played again ------------------------------------------------------------------------------------------

    @property
    def _can_be_played(self) -> bool:
        return set(self.sheets) == set(self.state.owing)

    def _sheets_with(self, name: str, sheet: Sheet) -> dict[str, Sheet]:
        return {**self.sheets, name: sheet}

    def _answer_questions(self, name: str, sheet: Sheet) -> Sheet:
        """Return these orders with the mage's answers to what the turn asks when it is played with them."""
        if not self._can_be_played:
            return sheet
        return play_again(self.turn, self._sheets_with(name, sheet), self.moves.worth).orders[name]

    def _hurts(self, name: str, sheet: Sheet, foe: str, hand: str) -> bool | None:
        """Return whether a mage who plays this is worse off because of the spell of a foe's hand; None if that cannot
        be found out."""
        sheets = self._sheets_with(name, sheet)
        spared = play_without(self.turn, sheets, self.moves.worth, mage=foe, hand=hand)
        if spared is None:
            return None
        return is_worse_off(name, play_again(self.turn, sheets, self.moves.worth).after, spared.after)

    def _rank_answers(self, name: str) -> list[tuple[float, Sheet]]:
        """Return (chance against what the others played, orders) for all moves of a mage, the best first."""
        me, player = self.result.place(name), self.index[name]
        ranked = [
            (self._faced(me, place, player), self._sheet(me, place)) for place in range(len(self.result.moves[me]))
        ]
        return sorted(ranked, key=lambda each: -each[0])

    def _find_surrender(self, name: str, move: Judged) -> Finding | None:
        given_up = any(each.kind == "surrenders" and each.facts["who"] == name for each in self.turn.events)
        if not given_up or move.best < HOPELESS:
            return None
        ordered = self.sheets[name].column == TWO_PALMS
        return self._finding(SURRENDER if ordered else FORCED_SURRENDER, name, move, clause="FM-SURR-1")

    def _find_missed_kill(self, name: str, move: Judged) -> Finding | None:
        """Return a move that kills a foe whatever they should play, or that would have killed what they did."""
        me, played = self.result.place(name), self.played[self.result.place(name)]
        for foe in self.state.still_in:
            if foe == name or foe in self.turn.after.out:
                continue
            kills = [self._kill_share(me, place, name, foe) for place in range(len(self.result.moves[me]))]
            mine = kills[played or 0]
            best = max(range(len(kills)), key=lambda place: kills[place])
            share, real, always = kills[best]
            real = real and self._kills(name, self._sheet(me, best), foe)
            sure = share >= SURE and mine[0] < share - MISSED_BY
            near = share >= LIKELY and real and not mine[1] and move.best - move.chance >= MUCH / 2
            if sure or near:
                sheet = self._sheet(me, best)
                spells = self._spells(name, sheet)
                return self._finding(
                    MISSED_KILL, name, move, foe=foe, spell=spells[0] if spells else "", sure=always,
                    fate="" if real else NEARLY_SURE, better=sheet, clause=self._clause(spells),
                )  # fmt: skip
        return None

    def _kills(self, name: str, sheet: Sheet, foe: str) -> bool:
        """Return whether these orders lose the foe against what the others played."""
        return (
            self._can_be_played
            and foe in play_again(self.turn, self._sheets_with(name, sheet), self.moves.worth).after.out
        )

    def _kill_share(self, me: int, place: int, name: str, foe: str) -> tuple[float, bool, bool]:
        """(how much of what the others should play loses the foe to this move, at least, whether what they did play
        does, and whether everything does)."""
        player, victim = self.index[name], self.index[foe]
        # A foe who is lost in any case may play anything by the search that looks further, but still tries to live.
        shares = []
        real, always = False, True
        for mixes in (self.result.mixes, self.mixes_at_once):
            share = total = 0.0
            for cell in self.result.table:
                if cell[me] != place:
                    continue
                weight = 1.0
                for other, option in enumerate(cell):
                    if other != me:
                        weight *= mixes[other][option]
                dies = self.at_once[cell][victim] <= 0.0 < self.at_once[cell][player]
                total += weight
                share += weight * dies
                always = always and dies
                real = real or (dies and self._is_real(cell, me))
            shares.append(share / total if total else 0.0)
        return min(shares), real, always

    def _find_own_targets(self, name: str, move: Judged) -> Iterator[Finding]:
        """Yield harm cast on the mage themself or their own creature, help cast on a foe, and stabs and creatures that
        the mage sent against their own side."""
        spells = self.state.ruleset.spells
        for event in self.turn.events:
            facts = event.facts
            target = str(facts.get("target") or "")
            if facts.get("who") != name or not target or facts.get("fired"):
                continue
            monster = self.state.monsters.get(target)
            own = target == name or (monster is not None and monster.controller == name)
            if event.kind in (STABS, DIRECTS) and own:
                fate, what = (AimedAt.STAB, "") if event.kind == STABS else (AimedAt.ORDER, str(facts["creature"]))
                yield self._finding(OWN_TARGET, name, move, spell=what, foe=target, fate=fate, clause=event.clause)
            known = spells.get(str(facts["spell"])) if event.kind == "casts" else None
            if known is None:
                continue
            foe = target in self.state.wizards and not own
            defends = move.best - move.chance < MUCH / 2 and self._is_defence(name, known.name, target)
            harms = own and known.default == FOE and not defends
            if harms or (foe and known.default == SELF and known.name in _GIFTS):
                fate = AimedAt.CREATURE if target != name and own else AimedAt.FOE if foe else AimedAt.SELF
                yield self._finding(
                    OWN_TARGET, name, move, spell=known.name, foe=target, fate=fate, clause=known.clause
                )

    def _is_defence(self, name: str, spell: str, target: str) -> bool:
        """Return whether the spell met another one of the mind there, or took something bad away."""
        if spell == "Remove Enchantment":
            being = self.state.being(target)
            return bool(being is not None and being.marks)
        return spell in _MIND and any(
            each.kind == "casts"
            and each.facts["who"] != name
            and each.facts["spell"] in _MIND
            and each.facts.get("target") == target
            for each in self.turn.events
        )

    def _find_unread_threat(self, name: str, move: Judged) -> Finding | None:
        """Return a foe's spell that did harm, that the mage should have expected, and that another move stops."""
        if move.best - move.chance < MUCH / 2 or not self._can_be_played:
            return None
        answers = [each for each in self._rank_answers(name) if each[0] - move.faced >= HURT_BY]
        if not answers:
            return None
        for other, foe in enumerate(self.result.names):
            place = self.played[other]
            if foe == name or place is None or foe not in self.movers or self.result.mixes[other][place] < READABLE:
                continue
            if not self._saw_what_was_begun(name, foe):
                continue
            for hand, spell in self._cast(foe, self._sheet(other, place)).items():
                if not self._harms(spell) or not self._hurts(name, self.sheets[name], foe, hand):
                    continue
                for chance, sheet in answers[:TRIED]:
                    if self._hurts(name, sheet, foe, hand) is False:
                        return self._finding(
                            UNREAD_THREAT, name, move, foe=foe, spell=spell, hand=hand,
                            target=self._find_victim(name, foe, hand), better=sheet,
                            chance=move.faced, best=chance, fate=DIED if self._died(name) else "",
                            clause=self._clause([spell]),
                        )  # fmt: skip
        return None

    def _saw_what_was_begun(self, name: str, foe: str) -> bool:
        """Return whether a mage saw all gestures of a foe that may belong to a spell of this turn."""
        longest = max(len(series.text) for series in self.state.ruleset.book.series)
        seen = next(each for each in look(self.state, Viewer.of(name)).mages if each.name == foe)
        return UNSEEN not in seen.left[1 - longest :] + seen.right[1 - longest :]

    def _find_victim(self, name: str, foe: str, hand: str) -> str:
        """Return the being at which the hand of a foe cast its spell; "" if that was this mage, or nobody."""
        for event in self.turn.events:
            facts = event.facts
            if event.kind == "casts" and (facts["who"], facts["hand"]) == (foe, hand):
                target = str(facts["target"] or "")
                return "" if target in (name, NOBODY) else target
        return ""

    def _died(self, name: str) -> bool:
        return name in self.turn.after.out and self.turn.after.wizards[name].hp <= 0

    def _find_avoidable_death(self, name: str, move: Judged) -> Finding | None:
        """Return the death of a mage in this turn, if another move lets them live against what the others played."""
        if not self._died(name) or not self._can_be_played:
            return None
        for chance, sheet in self._rank_answers(name)[:TRIED]:
            after = play_again(self.turn, self._sheets_with(name, sheet), self.moves.worth).after
            if chance > move.faced and name not in after.out:
                return self._finding(
                    DEATH, name, move, better=sheet, chance=move.faced, best=chance,
                    clause=self._clause(self._spells(name, sheet)),
                )  # fmt: skip
        return None

    def _harms(self, spell: str) -> bool:
        known = self.state.ruleset.spells.get(spell)
        return known is not None and (known.default == FOE or known.category == "damage")

    def _find_wasted(self, name: str, move: Judged, named: Iterable[str]) -> Iterator[Finding]:
        """Yield the spells that did nothing: without them, the turn would have ended alike."""
        chronicle = Chronicle(self.state.mages, (self.turn,))
        for cast in judge_casts(chronicle):
            wasted = cast.mage == name and cast.fate != WORKED and cast.spell not in named and cast.spell in self._known
            if wasted and (cast.fate == REFLECTED or self._changes_nothing(name, cast.hand)):
                yield self._finding(
                    WASTED, name, move, spell=cast.spell, hand=cast.hand, fate=cast.fate,
                    clause=self._clause([cast.spell]),
                )  # fmt: skip

    def _changes_nothing(self, name: str, hand: str) -> bool:
        """Return whether the turn ends alike without the spell of this hand. One that met another, so that both were
        lost, was not wasted."""
        if not self._can_be_played:
            return False
        without = play_without(self.turn, self.sheets, self.moves.worth, mage=name, hand=hand)
        played = play_again(self.turn, self.sheets, self.moves.worth)
        return without is not None and list_left(without.after, name) == list_left(played.after, name)

    @property
    def _known(self) -> Mapping[str, Any]:
        ruleset: Ruleset = self.state.ruleset
        return ruleset.spells

    def _clause(self, spells: Sequence[str]) -> str:
        return self._known[spells[0]].clause if spells and spells[0] in self._known else ""


def _blur(mix: Sequence[float]) -> list[float]:
    """Return a mix with some weight on all of the first moves."""
    few = min(SENSIBLE, len(mix))
    return [share * (1 - GUESSED) + (GUESSED / few if place < few else 0.0) for place, share in enumerate(mix)]


def _without_words(sheet: Sheet) -> Sheet:
    """Return the orders without SAY, which has no effect."""
    return Sheet({slot: value for slot, value in sheet if slot != "SAY"})


__all__ = ["analyse_turn", "weigh_position"]

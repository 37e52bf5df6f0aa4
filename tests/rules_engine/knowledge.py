"""Everything that the rules show to one mage or a spectator, for comparing two worlds."""

from __future__ import annotations

from rules_engine import (
    Asks,
    Done,
    Memory,
    Viewer,
    explain_event,
    explain_spell,
    growing,
    known_beings,
    look,
    narrate,
    open_questions,
    preview,
    read_orders,
    sum_up_spell,
    threats,
    visible_events,
)
from rules_engine.state import State
from rules_engine.summary import summarize

# Orders that a mage may try in order to discover something.
PROBES = """LH P
RH W
TARGET LH RedGoblin
TARGET RH Nobodyknows
TARGET LH PinkOgre
TARGET RedGoblin {foe}
TARGET BlueTroll nobody
TARGET LH:{foe} {me}
TARGET BH RH:{foe}
TARGET FireElemental {foe}
TARGET LH WhiteGoblin
PARALYZE LH {foe}
DIRECT RH W {foe}
PARALYZE LH {other}
DIRECT RH W {other}
CHOOSE LH Shield
PERMANENT LH
DELAY RH
FIRE
SAY hello
LHX D"""


def everything_for(state: State, mage: str) -> dict[str, object]:
    """Everything that the rules show this mage of a state: the view, the questions and the answers."""
    view = look(state, Viewer.of(mage))
    others = [name for name in state.mages if name != mage]
    probe = PROBES.format(me=mage, foe=others[0], other=others[-1])
    read = read_orders(state, mage, probe)
    found: dict[str, object] = {"view": view, "questions": open_questions(state, mage), "read": read}
    found["questions of the probe"] = open_questions(state, mage, read.sheet)
    found["preview"] = preview(state, mage)
    found["preview of the probe"] = preview(state, mage, read.sheet)
    found["known"] = known_beings(state, mage, with_dead=True)
    for name in state.mages:
        found["threats", name] = threats(view, name)
        found["growing", name] = growing(view, name)
    return found


def everything_for_a_spectator(state: State) -> object:
    return look(state, Viewer.spectator())


def shown_to(stage: Asks | Done, mage: str | None) -> list[object]:
    """Return a turn as this mage sees it (None: a spectator): facts and sentences. For causes and summaries see
    `Knowledge`."""
    viewer = Viewer.of(mage) if mage else Viewer.spectator()
    seen = visible_events(stage.events, viewer)
    facts = [(each.kind, each.facts, each.clause) for each in seen]
    return [facts, [narrate(each, mage) for each in seen]]


class Knowledge:
    """What all mages and a spectator (None) have learned of a battle, and all explanations for them."""

    def __init__(self, state: State) -> None:
        self.memories = {name: Memory(Viewer.of(name)) for name in state.mages}
        self.memories[None] = Memory(Viewer.spectator())
        self.seen_before = {name: look(state, memory.viewer) for name, memory in self.memories.items()}
        self.summaries: dict[str | None, list[object]] = {name: [] for name in self.memories}

    def learn(self, before: State, stage: Asks | Done) -> None:
        """Learn the result of the state `before`."""
        for mage, memory in self.memories.items():
            memory.learn(before.seq, before.label, stage.events)
            seen = look(stage.state, memory.viewer)
            over, known = isinstance(stage, Done), self.seen_before[mage]
            self.summaries[mage].append(
                summarize(memory, before.seq, mage, label=before.label, before=known, after=seen, over=over)
            )
            if over:
                self.seen_before[mage] = seen

    def known(self, mage: str | None) -> list[object]:
        """Return this reader's knowledge: numbers, facts and clauses."""
        return [(e.number, e.label, e.event.kind, dict(e.event.facts), e.event.clause) for e in self.memories[mage]]

    def explained(self, mage: str | None) -> list[object]:
        """Return the summaries, the explanation of each event, and the fate of each spell: every byte of it."""
        return [*self.summaries[mage], *explain_everything(self.memories[mage], mage)]


def explain_everything(memory: Memory, mage: str | None) -> list[object]:
    found: list[object] = []
    for each in memory:
        causes = memory.trace(each)
        found.append(([cause.number for cause in causes.learnt], causes.unseen, explain_event(memory, each, mage)))
        if each.event.kind == "casts":
            caster, spell = str(each.event.facts["who"]), str(each.event.facts["spell"])
            found.append(explain_spell(memory, each.label, caster, spell, mage))
            found.append(sum_up_spell(memory, each, mage))
    return found

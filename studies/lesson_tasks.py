"""The tasks of the lessons, in the order in which they are learned."""

from django.utils.translation import gettext_lazy as _

from studies.lessons import PUPIL, TEACHER, Lesson, Task, casts, every, hurts, is_alive, unhurt

LESSONS = (
    Lesson(
        "hands",
        _("Two hands"),
        _("Every turn, each hand plays one gesture."),
        (
            Task(
                _("One gesture for each hand"),
                _(
                    "Every turn, each hand plays one gesture. Play palm (P) with your left hand and "
                    "snap (S) with your right."
                ),
                _("Choose P under “Left hand” and S under “Right hand”, then press Ready."),
                lambda turn: turn.played(PUPIL) == "PS",
                "F/W",
                "P/S",
                "S/P",
            ),
            Task(
                _("A clap takes both"),
                _("A clap (C) needs both hands at once. Clap."),
                _("Choose C for both hands. A clap with one hand counts as nothing."),
                lambda turn: turn.played(PUPIL) == "CC",
                "F/D",
                "C/C",
                "C/W",
                (("S/W", "F/W"),),
            ),
        ),
    ),
    Lesson(
        "shield",
        _("The shield"),
        _("One palm stops a stab or a missile."),
        (
            Task(
                _("A palm is a Shield"),
                _("Pipkin has stabbed you and will stab again. A single palm (P) casts Shield. Don't get hurt."),
                _("The stab hit you for 1. Play P with one hand; the other hand can do something else."),
                unhurt,
                "W/>",
                "P/W",
                "W/F",
                (("F/D", "F/>"),),
            ),
            Task(
                _("Just in time"),
                _("Pipkin's left hand has snapped (S). A digit (D) would complete Magic Missile. Don't get hurt."),
                _("The missile hit you for 1. A Shield in the same turn stops it."),
                unhurt,
                "D/W",
                "P/D",
                "W/D",
                (("W/D", "S/F"),),
            ),
        ),
    ),
    Lesson(
        "first-spell",
        _("Your first spell"),
        _("Two gestures of one hand become a spell."),
        (
            Task(
                _("Finish your missile"),
                _("Your right hand has played snap (S). Play digit (D) with it, and a Magic Missile flies at Pipkin."),
                _("Magic Missile is S, then D with the same hand. Look for “Missile” on the keys of your right hand."),
                hurts(1),
                "F/W",
                "P/D",
                "D/P",
                (("P/S", "W/F"),),
            ),
            Task(
                _("One gesture, two spells"),
                _(
                    "Your left hand has played W and F. P now completes two spells: Shield and Cause "
                    "Light Wounds. Choose the "
                    "one that hurts Pipkin."
                ),
                _("When a gesture completes two spells, the page asks which one to cast. Choose Cause Light Wounds."),
                hurts(2),
                "F/W",
                "P/D\nCHOOSE LH Cause Light Wounds",
                "P/D\nCHOOSE LH Shield",
                (("W/D", "W/F"), ("F/W", "F/D")),
            ),
        ),
    ),
    Lesson(
        "targets",
        _("Targets"),
        _("Choose who a spell hits, and who it heals."),
        (
            Task(
                _("Stab someone"),
                _("A stab (>) does 1 damage, unless a Shield is up. Pipkin has none. Stab Pipkin."),
                _("Choose > for one hand only. The target is shown below the keys."),
                hurts(1),
                "F/W",
                ">/W",
                "W/W",
            ),
            Task(
                _("Heal yourself"),
                _(
                    "You are hurt. Your left hand has played D and F; W completes Cure Light Wounds. "
                    "Cast it on yourself."
                ),
                _("Play W with your left hand and keep yourself as the target."),
                casts("Cure Light Wounds", PUPIL),
                "W/F",
                "W/P",
                f"W/P\nTARGET LH {TEACHER}",
                (("D/W", "W/>"), ("F/D", "F/>")),
            ),
            Task(
                _("The right one"),
                _("Pipkin has a goblin. It has one hit point, and a missile does one damage. Kill the goblin."),
                _("Finish Magic Missile with your right hand, and choose the goblin as its target."),
                lambda turn: turn.has("monster_dies"),
                "P/F",
                "W/D\nTARGET RH MauveGoblin",
                "W/D",
                (("W/W", "S/W"), ("F/W", "F/D"), ("W/S", "W/F")),
            ),
        ),
    ),
    Lesson(
        "reading",
        _("Reading strings"),
        _("See what is coming before it hits you."),
        (
            Task(
                _("What does it threaten?"),
                _(
                    "Read both of Pipkin's strings. One hand can finish a spell this turn that hurts you. Which one is "
                    "it, and what stops it?"
                ),
                _("Pipkin's right hand has played S: a D completes Magic Missile. A Shield stops it."),
                unhurt,
                "W/D",
                "D/P",
                "D/W",
                (("W/F", "W/D"), ("F/D", "W/S")),
            ),
            Task(
                _("Respond before it is too late"),
                _(
                    "Pipkin's left hand has played F and F. A third F would paralyse one of your hands. Your left hand "
                    "has played W and P: what can it finish to stop that?"
                ),
                _("W, P, P is Counter Spell: it stops spells at you this turn. Choose it, not the Shield."),
                every(casts("Counter Spell", PUPIL), lambda turn: not turn.has("takes_hold", who=PUPIL)),
                "F/D",
                "P/S\nCHOOSE LH Counter Spell",
                "P/S\nCHOOSE LH Shield",
                (("W/S", "F/W"), ("P/W", "F/S")),
            ),
        ),
    ),
    Lesson(
        "creatures",
        _("Creatures"),
        _("Summon a monster, and choose whom it attacks."),
        (
            Task(
                _("Call a goblin"),
                _("Your left hand has played S and F. W completes Summon Goblin: it fights for you every turn."),
                _("S, F, W with the same hand is Summon Goblin."),
                casts("Summon Goblin"),
                "F/D",
                "W/P",
                "P/W",
                (("S/W", "W/F"), ("F/D", "F/W")),
            ),
            Task(
                _("Send it"),
                _(
                    "Pipkin has a goblin too. Without an order, yours keeps attacking Pipkin. Send it at Pipkin's "
                    "goblin, which has one hit point."
                ),
                _("A creature attacks the target you choose below the keys. Choose Pipkin's goblin."),
                lambda turn: turn.has("monster_dies", who="WhiteGoblin"),
                "F/D",
                "D/W\nTARGET MauveGoblin WhiteGoblin",
                "D/W",
                (("S/W", "W/S"), ("F/D", "D/F"), ("W/S", "F/W")),
            ),
        ),
    ),
    Lesson(
        "both-hands",
        _("Both hands"),
        _("Attack with one hand and defend with the other, or use both for one spell."),
        (
            Task(
                _("Attack and defend"),
                _(
                    "Pipkin has stabbed you and will stab again, and your left hand has played S. Each hand can do "
                    "something different: hurt Pipkin and don't get hurt."
                ),
                _("Finish the missile with your left hand (D) and cast a Shield with your right (P)."),
                every(hurts(1), unhurt),
                "F/>",
                "D/P",
                "D/W",
                (("S/W", "W/>"),),
            ),
            Task(
                _("A spell for both hands"),
                _("You have clapped. If both hands wave now (W and W), you cast Magic Mirror. Try it."),
                _("Some spells need both hands: Magic Mirror is a clap, then a wave with both."),
                casts("Magic Mirror"),
                "F/D",
                "W/W",
                "W/P",
                (("C/C", "W/F"),),
            ),
        ),
    ),
    Lesson(
        "duel",
        _("To the end"),
        _("Win from a real position."),
        (
            Task(
                _("The last point"),
                _("Pipkin has one hit point left, and so have you. Win this turn, and don't die."),
                _(
                    "Finish Magic Missile with your right hand, and cast a Shield with your left: Pipkin "
                    "throws a missile too."
                ),
                lambda turn: not is_alive(turn.after.mage(TEACHER)) and is_alive(turn.after.mage(PUPIL)),
                "D/F",
                "P/D",
                "D/D",
                (("W/S", "S/W"),),
                (1, 1),
            ),
            Task(
                _("Choose well"),
                _(
                    "Pipkin has two hit points left, and your left hand can finish a spell that takes both. Win this "
                    "turn."
                ),
                _("Your left hand finishes Cause Light Wounds with P (2 damage). Choose it when the page asks."),
                lambda turn: not is_alive(turn.after.mage(TEACHER)),
                "F/D",
                "P/D\nCHOOSE LH Cause Light Wounds",
                "P/D\nCHOOSE LH Shield",
                (("W/F", "W/F"), ("F/D", "F/W")),
                (9, 2),
            ),
        ),
    ),
    Lesson(
        "counter",
        _("Counter and mirror"),
        _("Stop a spell, or send it back."),
        (
            Task(
                _("Counter"),
                _(
                    "Pipkin finishes Cause Light Wounds this turn. A Shield doesn't stop it. Your "
                    "right hand can: don't get hurt."
                ),
                _("W, W, S with one hand is Counter Spell. It stops every spell at you in that turn."),
                unhurt,
                "P/D\nCHOOSE LH Cause Light Wounds",
                "D/S",
                "P/D",
                (("F/W", "W/F"), ("D/W", "F/W")),
            ),
            Task(
                _("Mirror"),
                _("Pipkin throws a missile this turn. You have clapped: send it back."),
                _("Wave with both hands: after a clap that is Magic Mirror, which returns spells to their caster."),
                every(hurts(1), unhurt),
                "F/D",
                "W/W",
                "P/W",
                (("C/C", "W/S"),),
            ),
        ),
    ),
    Lesson(
        "minds",
        _("Mind spells"),
        _("Disrupt your opponent's hands, and keep playing when yours are disrupted."),
        (
            Task(
                _("Confuse"),
                _("Your left hand has played D and S. F completes Confusion: next turn one of Pipkin's hands slips."),
                _("D, S, F with the same hand is Confusion. Cast it on Pipkin."),
                casts("Confusion", TEACHER),
                "W/D",
                "F/W",
                "W/F",
                (("D/W", "W/F"), ("S/D", "F/S")),
            ),
            Task(
                _("Afraid"),
                _(
                    "Pipkin has frightened you: this turn you can't play C, D, F or S. A knife is coming, too. Find "
                    "gestures that are allowed, and don't get hurt."
                ),
                _("Fear leaves you P, W, stab and nothing. Play P with one hand for a Shield."),
                unhurt,
                "F/>",
                "P/W",
                "W/W",
                (("W/D", "S/W"), ("D/W", "W/F"), ("W/D", "D/>")),
            ),
        ),
    ),
    Lesson(
        "two-plans",
        _("Two plans at once"),
        _("Each hand follows a plan of its own."),
        (
            Task(
                _("Two spells in one turn"),
                _(
                    "Your left hand has played W and F, your right hand S. Finish both spells in this turn: together "
                    "they take 3."
                ),
                _("P finishes Cause Light Wounds with your left hand, D finishes Magic Missile with your right."),
                hurts(3),
                "F/W",
                "P/D\nCHOOSE LH Cause Light Wounds",
                "P/W\nCHOOSE LH Cause Light Wounds",
                (("W/D", "F/W"), ("F/S", "D/F")),
            ),
            Task(
                _("One ends, the other begins"),
                _(
                    "Your left hand can finish Magic Missile. Use your right hand in the same turn to begin Cause "
                    "Light Wounds (W, F, P)."
                ),
                _("Play D with your left hand and W with your right."),
                every(hurts(1), lambda turn: turn.played(PUPIL)[1] == "W"),
                "F/W",
                "D/W",
                "D/P",
                (("S/D", "F/W"),),
            ),
        ),
    ),
    Lesson(
        "answer",
        _("Answer a threat"),
        _("Keep your plan, but stop what would hurt you more."),
        (
            Task(
                _("A Shield is not enough"),
                _(
                    "Pipkin's right hand has played W and F: P completes Cause Light Wounds, and a Shield doesn't stop "
                    "it. Your left hand has played W and P. Don't get hurt, and throw your missile."
                ),
                _("P finishes Counter Spell with your left hand: choose it, not the Shield. D finishes the missile."),
                every(unhurt, hurts(1)),
                "F/P\nCHOOSE RH Cause Light Wounds",
                "P/D\nCHOOSE LH Counter Spell",
                "P/D\nCHOOSE LH Shield",
                (("W/D", "F/W"), ("P/S", "D/F")),
            ),
            Task(
                _("Give up a spell"),
                _(
                    "You both have one hit point, and Pipkin's left hand can finish Magic Missile. Your left hand "
                    "has played W and F, your right hand S. Win, and live."
                ),
                _("P with your left hand can be a Shield instead of Cause Light Wounds. Your missile is enough."),
                lambda turn: not is_alive(turn.after.mage(TEACHER)) and is_alive(turn.after.mage(PUPIL)),
                "D/W",
                "P/D\nCHOOSE LH Shield",
                "P/D\nCHOOSE LH Cause Light Wounds",
                (("W/D", "F/W"), ("F/S", "S/F")),
                (1, 1),
            ),
        ),
    ),
    Lesson(
        "hold",
        _("Win with Paralysis"),
        _("Hold the hand that would hurt you, and attack."),
        (
            Task(
                _("Three times fingers"),
                _("Your left hand has played F twice. A third F completes Paralysis. Cast it on Pipkin."),
                _("F, F, F with the same hand is Paralysis. Its target is Pipkin unless you choose another."),
                casts("Paralysis", TEACHER),
                "W/D",
                "F/W",
                "P/W",
                (("F/S", "W/D"), ("F/D", "D/W")),
            ),
            Task(
                _("Which hand?"),
                _(
                    "Pipkin is paralysed: you choose which hand repeats its gesture. The right one has played W and "
                    "F, and P would finish Cause Light Wounds. Hold that hand, and throw your missile."
                ),
                _("Below the keys, choose Pipkin's right hand. Then D with your right hand finishes the missile."),
                every(unhurt, hurts(1)),
                "D/P\nCHOOSE RH Cause Light Wounds",
                f"W/D\nPARALYZE RH {TEACHER}",
                f"W/D\nPARALYZE LH {TEACHER}",
                (("F/W", "W/D"), ("F/W", "D/W"), ("F/S", "W/F")),
            ),
        ),
    ),
    Lesson(
        "opponent",
        _("Read your opponent"),
        _("What has your opponent done so far, and what comes next?"),
        (
            Task(
                _("Two threats, one answer"),
                _(
                    "Read both of Pipkin's hands: one can finish Magic Missile, the other Paralysis. One spell of "
                    "yours stops both. Cast it."
                ),
                _(
                    "W, P, P is Counter Spell: it stops every spell at you in this turn. A Shield stops only the "
                    "missile."
                ),
                every(casts("Counter Spell", PUPIL), unhurt, lambda turn: not turn.has("takes_hold", who=PUPIL)),
                "F/D",
                "P/W\nCHOOSE LH Counter Spell",
                "P/W\nCHOOSE LH Shield",
                (("W/S", "F/W"), ("P/W", "F/S")),
            ),
            Task(
                _("A habit"),
                _(
                    "Pipkin has 2 hit points left and shields every other turn: in turns 1 and 3, so now again. A "
                    "Shield stops Magic Missile, but not Cause Light Wounds. Your left hand can finish the one, your "
                    "right hand the other. Win."
                ),
                _("P finishes Cause Light Wounds with your right hand. Choose it, not the Shield."),
                lambda turn: not is_alive(turn.after.mage(TEACHER)),
                "P/F",
                "W/P\nCHOOSE RH Cause Light Wounds",
                "D/W",
                (("F/D", "P/W"), ("W/F", "F/D"), ("D/W", "P/F"), ("S/F", "W/D")),
                (15, 2),
            ),
        ),
    ),
    Lesson(
        "surrender",
        _("Surrender"),
        _("End a lost battle without losing your mage."),
        (
            Task(
                _("Give up"),
                _("Two palms at once are a surrender. Your mage lives, but the battle is over. Surrender now."),
                _("Play P with both hands. The page asks once more before it counts."),
                lambda turn: turn.after.mage(PUPIL).standing == "surrendered",
                "F/D",
                "P/P",
                "P/W",
                (("W/D", "S/W"),),
                (2, 15),
            ),
            Task(
                _("Not by accident"),
                _("Pipkin has stabbed you and will stab again. You want a Shield, and you don't want to give up."),
                _("One palm is enough for a Shield. Two at once are a surrender."),
                every(unhurt, lambda turn: is_alive(turn.after.mage(PUPIL))),
                "W/>",
                "P/W",
                "P/P",
                (("W/D", "F/>"),),
            ),
        ),
    ),
)
BY_SLUG = {lesson.slug: lesson for lesson in LESSONS}

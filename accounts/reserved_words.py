"""Words that cannot be names, because orders, targets or people would confuse them with something else.

The comparison ignores case. WORDS are reserved only as the whole name: Canone and Openshaw are fine. German words are
here because orders may name beings, hands and gestures as a story does, in any language.
"""

# Orders of the email grammar, with the forms the classic server understood.
ORDERS = """
    accept acknowledge address announce bh calloff cancel challenge challenges changegame changeuser cho choo choos
    choose claim clear cut decline delay describe direct end faq fire from game games give help info lh list mage
    message move newgame newuser oppose paralyse paralyze password pause permanent play quit register replay report
    resend retire rh rules say scores show standin standings stats subject subscribe target test_command time turn
    unsubscribe user users vacation why withdraw
"""

# Options of challenges and orders, and their abbreviations.
OPTIONS = """
    abort add all allnight allowed allweek auth authoritarian band both both_hands bots botsjoin challenge change
    classic closed comment default demo democratic duel edition everything exclude excluded false final firetop friendly
    hand hands hitpoints hp immediate invite left left_hand limit melee nights no nobots nogain nolimit nomonster
    nomonsters nostart nosurrender notalk off on open oppose option options pace practice practise public rated
    reliable remove replaceable right right_hand ruleset rulesets self server spellbook spellbooks spellcast
    standard start talk terms true unlimited unrated veryfriendly warlocks waving_hands weekends withbots yes yourself
"""

# Gestures.
GESTURES = """
    antispell bow clap claps digit digits double finger fingers fist gesture gestures knife nothing palm palms pass
    pointing snap snaps stab stabs surrender wave waves wiggle
    fingerzeig handflaeche handflache klatschen nichts schnippen stich wackelnde welle winken
"""

# Hands in German.
HANDS = "beide beiden hande haende linke linken linker links rechte rechten rechter rechts"

# Creatures in German.
CREATURES = "eiselementar feuerelementar kobold oger riese"

# Words used instead of a name. The classic server rejected the first row anywhere inside a name; we do not.
PRONOUNS = """
    nobody no_body none noone no_one
    any anybody anyone anything caster enemies enemy everybody everyone foe foes he her him his it its me mine my
    myself opponent opponents other others our own player players she somebody someone something spectator
    spectators target them they this unknown unseen us we who wizard wizards mages monster monsters you your yours
    niemand niemandem niemanden keine keinem keinen keiner keins
    alle allen aller andere anderen anderer dein deine deinem deinen deiner dich dichselbst dir dirselbst du duselbst
    er es feind feinde gegner gegnerin ich ihm ihn ihr irgendjemand irgendwer jede jedem jeden jeder jemand jemandem
    jemanden magier magierin mein meine mich mir selbst sie spieler spielerin uns wem wen wer wir zauberer zuschauer
"""

# People and programs of the site, and their addresses.
SITE = """
    abuse account accounts admin administrator anonymous anonymoususer api arbiter archref arch_ref battle battles bot
    cleanup daemon deleted deleted_user firetop_mountain firetopmountain fm fm_orders fm_users guest host
    hostmaster ladder login logout lists mail mailbox mailer mailer_daemon mailerdaemon maintainer media moderator
    nagger news new noreply no_reply null operator orders owner postmaster ref referee reply robot root security
    signup site staff static superuser support sysadmin system undefined webmaster ws
"""

WORDS = frozenset(" ".join((ORDERS, OPTIONS, GESTURES, HANDS, CREATURES, PRONOUNS, SITE)).split())

# A name with such an ending looks like a summoned monster.
MONSTER_ENDINGS = ("goblin", "ogre", "troll", "giant", "elemental")

# Nobody may look like a janitor or have the generated name of a guest.
JANITOR = "janitor"
GUEST_START = "guest_"

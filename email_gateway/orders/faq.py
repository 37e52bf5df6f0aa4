"""What RULES tells before the spells, and the questions and answers of FAQ."""

BASICS = (
    "Two wizards or more fight with spells. In every turn each of them makes a gesture with each hand: F fingers, P "
    "palm, S snap, W wave, D digit, C clap (with both hands at once), > a stab, - nothing. All gestures of a turn "
    "happen at the same time.",
    "A spell is a series of gestures that one hand makes turn after turn. Its last gesture casts it; a gesture may "
    "belong to several series, but a hand casts one spell in a turn. Where several are complete you choose one.",
    "Every spell and every stab has a target. Name it with TARGET, or it goes where the spell goes by itself: spells "
    "that help to you, spells that harm to your opponent.",
    "A monster obeys the wizard at whom it was summoned, and attacks whom he names.",
    "A wizard dies when damage has used up his hit points. Who is left has won and gets a point for each wizard he "
    "has outlived. Two palms at once (P with both hands) surrender: it costs a point, and the wizard lives on. With "
    "a wizard his scores die.",
)

ANSWERS = (
    (
        "How do I begin?",
        "Send NEWUSER with a name and a mail password, and answer the mail that comes back. Then REGISTER a mage, "
        "and look at CHALLENGES, or make one with NEWGAME.",
    ),
    (
        "Do I need my password in every mail?",
        "No. Answer the report of a turn, or news of a challenge: the address you answer to says who you are. For "
        "anything else begin with USER, your name and your mail password, which is not the password of the site.",
    ),
    (
        "What if I forget my mail password?",
        "Set another one on the site, in the settings of your account. Nobody can tell you the old one.",
    ),
    (
        "May I change orders that I have sent?",
        "Yes, until the turn is played. Later lines replace earlier ones; CLEAR begins anew.",
    ),
    (
        "What if my mail comes twice, or late?",
        "The same mail counts once. A mail counts for the turn that was open when it reached us; TURN names another. "
        "Orders for a turn that is over change nothing, and you are told how the battle stands.",
    ),
    (
        "My opponent does not move. What can I do?",
        "Write to him with MESSAGE. His mage has a time in which to order, and whoever lets it pass loses.",
    ),
    (
        "I go away for a while.",
        "VACATION and a number of days tells us. Your battles wait; your next orders end it.",
    ),
    (
        "How can I watch a battle of others?",
        "SUBSCRIBE and its number sends you each turn as everybody may see it. SHOW and DESCRIBE tell what happened.",
    ),
    (
        "Can others see my address?",
        "No. MESSAGE and ANNOUNCE go through us, and no list holds an address.",
    ),
    (
        "I get too many mails.",
        "The settings of your account choose between a mail at once, one a day, and none. Each mail has a link that "
        "stops its kind.",
    ),
    (
        "Somebody has two users, or something else is wrong.",
        "Write to postmaster at our mail domain. People read that.",
    ),
)

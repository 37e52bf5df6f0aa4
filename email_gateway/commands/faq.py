"""The questions and answers of FAQ."""

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

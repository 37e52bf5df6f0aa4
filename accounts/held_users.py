"""What users may do while they have a warning to acknowledge or are suspended: one list for pages, API and email.

Everything that is not listed and changes something is refused. A suspended user can read everything; a user with a
warning reads the warning first, except programs and emails, which get it with their next order, which is rejected.
"""

from dataclasses import dataclass

from accounts.selectors.hold import Hold


@dataclass(frozen=True)
class AllowedAct:
    """Something that a suspended user may do, and with `while_warned` also one with a warning: the names of its URLs
    (pages and API calls), and its orders in an email."""

    what: str
    urls: tuple[str, ...] = ()
    orders: tuple[str, ...] = ()
    while_warned: bool = False


def _by_api(*names: str) -> tuple[str, ...]:
    return tuple(f"{version}:{name}" for version in ("api", "old_api") for name in names)


ALLOWED_ACTS = (
    AllowedAct("acknowledge a warning", ("accounts:hold",), ("ACKNOWLEDGE",), while_warned=True),
    AllowedAct("log out", ("account_logout",), while_warned=True),
    AllowedAct("choose a language for this browser", ("accounts:language",), while_warned=True),
    AllowedAct(
        "follow the links of our emails",
        ("email_gateway:stop", "email_gateway:confirm", "email_gateway:again"),
        while_warned=True,
    ),
    AllowedAct("read battles by email", orders=("GAME", "MAGE", "REPLAY"), while_warned=True),
    AllowedAct("have emails sent again", ("email_gateway:send_again",), ("RESEND",)),
    AllowedAct("report to the janitors", ("new_report", "illegal_content"), ("REPORT",)),
    AllowedAct(
        "keep their account safe",
        (
            *("account_login", "account_request_login_code", "account_confirm_login_code", "account_reauthenticate"),
            *("account_email", "account_confirm_email", "account_change_password", "account_set_password"),
            *("account_reset_password", "account_confirm_password_reset_code", "account_complete_password_reset"),
            *("mfa_authenticate", "mfa_reauthenticate", "mfa_activate_totp", "mfa_deactivate_totp"),
            *("mfa_generate_recovery_codes", "usersessions_list", "accounts:mail_password"),
            *(
                "accounts:calendar",
                "accounts:tokens",
                "accounts:revoke_token",
                "accounts:hook",
                "accounts:hooks",
            ),
            *_by_api("webhook", "hooks", "hook"),
        ),
        ("PASSWORD", "ADDRESS"),
    ),
    AllowedAct(
        "change their settings",
        (
            "accounts:preferences",
            "accounts:notices",
            "accounts:devices",
            "accounts:this_device",
            "accounts:remove_device",
            "accounts:browser_id",
            *_by_api("notices"),
        ),
        ("NOTICES",),
    ),
    # Nobody else can give it.
    AllowedAct("give their consent to playing turns again", ("consent",)),
    AllowedAct("mark their news as read", ("news_seen", *_by_api("news_seen"))),
    AllowedAct("keep others away", ("accounts:blocks", "accounts:unblock")),
    # They would lose mages through inactivity that they cannot avoid.
    AllowedAct("keep their mages", ("accounts:keep_mage",)),
    AllowedAct(
        "leave a challenge, which would otherwise wait for them",
        ("challenges:decline", "challenges:withdraw", *_by_api("challenge_decline", "challenge_withdraw")),
        ("DECLINE", "WITHDRAW"),
    ),
    AllowedAct(
        "leave the site, alone or with a mage", ("let_go", "close_account", "export_account"), ("RETIRE", "QUIT")
    ),
)


def may_open(hold: Hold, url: str) -> bool:
    """Return whether a held user may do what this page or API call does, by the name of its URL."""
    return any(url in act.urls for act in _list_acts(hold))


def may_order(hold: Hold, order: str) -> bool:
    """Return whether a held user may give this order by email."""
    return any(order in act.orders for act in _list_acts(hold))


def _list_acts(hold: Hold) -> list[AllowedAct]:
    return [act for act in ALLOWED_ACTS if act.while_warned or not hold.warnings]

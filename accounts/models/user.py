"""The person (or guest) who logs in, bot accounts, and the computer opponents."""

from typing import Any

from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import AbstractBaseUser, BaseUserManager, PermissionsMixin
from django.db import models, transaction
from django.db.models.functions import Lower, Now
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from accounts.arms.blazons import LEFT, blazon_bot, blazon_user
from accounts.demonstration import is_of_demonstration
from accounts.former_users import show_user_name
from accounts.models.name import NAME_LENGTH, Name

ABOUT_LENGTH = 280


class UserManager(BaseUserManager["User"]):
    """Used by Django's commands and backends; everything else uses accounts.services."""

    def get_by_natural_key(self, username: str | None) -> "User":
        return self.alias(key=Lower("username")).get(key=(username or "").lower())

    def create_superuser(self, username: str, email: str = "", password: str | None = None, **fields: Any) -> "User":
        """Create the janitor of `manage.py createsuperuser`, who may use reserved words."""
        user = User(username=username, email=self.normalize_email(email), is_staff=True, is_superuser=True, **fields)
        user.password = make_password(password)
        with transaction.atomic():
            user.save()
            Name.objects.create(key=username.lower(), written=username, kind=Name.Kind.USER, owner=user)
        return user


class User(AbstractBaseUser, PermissionsMixin):
    """An account. A guest is a user without an address and password.

    A bot is a program. Those of the site have a `bot_strength`, their strength in `rules_engine.bots`; each strength
    has one user, without an address and password, and nobody can log in as one. A bot account belongs to a user, who
    made it a bot permanently.
    """

    class Theme(models.TextChoices):
        SYSTEM = "system", _("Same as my device")
        LIGHT = "light", _("Light")
        DARK = "dark", _("Dark")

    username = models.CharField(pgettext_lazy("column", "name"), max_length=NAME_LENGTH, unique=True)
    email = models.EmailField(pgettext_lazy("column", "email address"), blank=True, default="")
    # A second, hashed password for USER in emailed orders. Blank: such orders are switched off.
    mail_password = models.CharField(max_length=128, blank=True, default="", editable=False)
    # Since when email to this user has failed; clocks whose warnings go by email stop then. Empty: email arrives.
    mail_fails_since = models.DateTimeField(null=True, blank=True, editable=False)
    # Since when this user's mail provider has told us that they don't want our email. Their clocks run on.
    mail_refused_since = models.DateTimeField(null=True, blank=True, editable=False)
    is_guest = models.BooleanField(pgettext_lazy("column", "guest"), default=False)
    is_bot = models.BooleanField(pgettext_lazy("column", "bot"), default=False, editable=False)
    bot_strength = models.CharField(max_length=20, blank=True, default="", editable=False)
    is_active = models.BooleanField(pgettext_lazy("column", "open"), default=True)
    is_staff = models.BooleanField(pgettext_lazy("column", "janitor"), default=False)
    # Has a warning to acknowledge or is suspended; entry points look up which (accounts.selectors.hold).
    is_held = models.BooleanField(default=False, editable=False)
    # They have own hooks that are not off (notifications.models.Hook). Read with the user, so it costs no query.
    has_webhook = models.BooleanField(default=False, editable=False)
    # At least one of their browsers gets notifications (accounts.models.PushDevice).
    has_push = models.BooleanField(default=False, db_default=False, editable=False)
    # What they say about themselves on their page: plain text in one paragraph, for everyone.
    about = models.CharField(max_length=ABOUT_LENGTH, blank=True, default="", db_default="", editable=False)
    # Whether their browsers may keep an ID of ours, as they answered then (accounts.trace_middleware). Null: not asked.
    browser_id_allowed = models.BooleanField(null=True, editable=False)
    browser_id_answered_at = models.DateTimeField(null=True, blank=True, editable=False)
    theme = models.CharField(max_length=8, choices=Theme.choices, default=Theme.SYSTEM)
    # Blank: the browser's. Not limited to settings.LANGUAGES, so that a new language needs no migration.
    language = models.CharField(max_length=16, blank=True, default="")
    created_at = models.DateTimeField(pgettext_lazy("column", "created"), default=timezone.now, editable=False)
    # When they last changed their name.
    renamed_at = models.DateTimeField(null=True, blank=True, editable=False)
    last_active_at = models.DateTimeField(pgettext_lazy("column", "last active"), default=timezone.now, editable=False)
    # See Mage.idle_check_at.
    idle_check_at = models.DateTimeField(db_column="idle_look_at", db_default=Now(), editable=False)

    objects = UserManager()

    USERNAME_FIELD = "username"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS = ["email"]

    class Meta:
        verbose_name = _("user")
        verbose_name_plural = _("users")
        indexes = [
            models.Index(fields=["idle_check_at"], name="user_idle_check", condition=models.Q(is_active=True)),
            # The few bots among many users, for the front page.
            models.Index(fields=["bot_strength"], name="user_bots", condition=models.Q(is_bot=True)),
            models.Index(
                fields=["-last_active_at", "id"],
                name="user_active_last",
                condition=models.Q(is_active=True, is_guest=False),
            ),
            models.Index(
                fields=["mail_fails_since"],
                name="user_mail_fails",
                condition=models.Q(mail_fails_since__isnull=False),
            ),
        ]
        constraints = [
            models.UniqueConstraint(Lower("username"), name="user_username_case_blind"),
            models.UniqueConstraint(
                fields=["bot_strength"], condition=~models.Q(bot_strength=""), name="user_one_bot_a_strength"
            ),
            models.CheckConstraint(
                condition=models.Q(bot_strength="") | models.Q(is_bot=True, email=""), name="user_bot_has_no_address"
            ),
            models.CheckConstraint(
                condition=models.Q(is_bot=False) | models.Q(is_staff=False, is_superuser=False, is_guest=False),
                name="user_bot_is_nothing_else",
            ),
        ]

    def __str__(self) -> str:
        return show_user_name(self.username)

    @property
    def arms(self) -> str:
        if not self.is_active:
            return LEFT
        return blazon_bot(self.username, self.bot_strength) if self.is_bot else blazon_user(self.username)

    @property
    def is_demonstration(self) -> bool:
        """Whether they are one of the made-up people of the demonstration."""
        return is_of_demonstration(self.email)

    @property
    def is_bot_account(self) -> bool:
        """Whether a user's own program plays for this account, rather than one of the site's bots."""
        return self.is_bot and not self.bot_strength

    @property
    def is_email_stopped(self) -> bool:
        """Whether we send this user no email about news, because it doesn't arrive or they don't want it."""
        return self.mail_fails_since is not None or self.mail_refused_since is not None

"""Forms for accounts, mages and settings."""

from collections.abc import Mapping, Sequence
from typing import Any

from allauth.account.forms import RequestLoginCodeForm as LibraryRequestLoginCodeForm
from allauth.account.forms import ResetPasswordForm as LibraryResetPasswordForm
from allauth.account.forms import SignupForm as LibrarySignupForm
from django import forms
from django.conf import settings
from django.core.validators import MaxLengthValidator
from django.utils.text import format_lazy
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.errors import InvalidName
from accounts.models import ApiToken, Mage, Name, User
from accounts.models.user import ABOUT_LENGTH
from accounts.names import check_name, split_pronoun
from accounts.selectors.names import find_nearest_name, find_owner
from accounts.selectors.users import find_user_by_address
from accounts.services.tokens import DAYS, USUAL_DAYS
from notifications.hook_calls import LONGEST_URL
from notifications.hook_events import EVENTS, USUAL
from notifications.hook_formats import LONGEST_TOKEN
from notifications.matrix import CHANNELS, EMAIL, SUBJECTS, Subject
from notifications.matrix import GROUPS as MATRIX
from notifications.models import Hook
from notifications.preferences import AT_ONCE, DIGEST, NEVER, PREFERENCES, group_zones
from notifications.services.hooks import LONGEST_NAME
from operations.text.suggestions import suggest

NAME_HELP = _("2 to 20 letters, digits or underscores, not starting with a digit. Everyone can see it.")
PASSWORD_HELP = _(
    "At least 8 characters, and not a common word. Without a password, you log in with a code we email you."
)
# Longer than a name may be, so that the error can say by how much.
LONGEST_ATTEMPT = 80
# Questions with more choices use a drop-down list.
MOST_RADIOS = 5


class SignupForm(LibrarySignupForm):  # type: ignore[misc]
    """Name, address and an optional password; a script adds the device's time zone."""

    time_zone = forms.CharField(required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        username, password = self.fields["username"], self.fields["password1"]
        username.label, username.help_text = _("Name"), NAME_HELP
        # Our own check reports the length together with all other problems.
        username.validators = [check for check in username.validators if not isinstance(check, MaxLengthValidator)]
        username.max_length = LONGEST_ATTEMPT
        username.widget.attrs["maxlength"] = LONGEST_ATTEMPT
        password.help_text = PASSWORD_HELP
        for field in self.fields.values():  # the label already says it
            field.widget.attrs.pop("placeholder", None)

    def clean_time_zone(self) -> str:
        """Return the zone if we know it, else blank: an unknown zone must not prevent a sign-up."""
        zone = str(self.cleaned_data["time_zone"])
        return zone if zone in dict(PREFERENCES["time_zone"].values) else ""


class RequestLoginCodeForm(LibraryRequestLoginCodeForm):  # type: ignore[misc]
    """The address to which a code for logging in goes."""

    def clean_email(self) -> str:
        email = str(super().clean_email())
        self._user = find_user_by_address(email)
        return email


class ResetPasswordForm(LibraryResetPasswordForm):  # type: ignore[misc]
    """The address to which a code for a new password goes."""

    def clean_email(self) -> str:
        email = str(super().clean_email())
        user = find_user_by_address(email)
        self.users = [user] if user is not None else []
        return email


class KeepMageForm(SignupForm):
    """The sign-up form for a guest, with a name for the mage they keep; if blank, it gets the user's name."""

    mage = forms.CharField(
        label=_("Name of your mage"),
        max_length=LONGEST_ATTEMPT,
        required=False,
        strip=True,
        help_text=_("Leave empty to use your own name."),
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "words", "spellcheck": "false"}),
    )
    field_order = ["username", "mage", "email", "password1", "time_zone"]

    def __init__(self, *args: Any, own_name: str = "", **kwargs: Any) -> None:
        """`own_name` is the name that the guest chose for their mage, which keeps it; the user may have it, too."""
        super().__init__(*args, **kwargs)
        self.own_name = own_name
        if own_name:
            del self.fields["mage"]

    def clean_username(self) -> str:
        name: str = self.cleaned_data["username"].strip()
        return self.own_name if name.lower() == self.own_name.lower() else super().clean_username()

    def clean(self) -> dict[str, Any]:
        """Check the mage's name like any other, unless it is the user's."""
        data: dict[str, Any] = super().clean()
        if self.own_name:
            return {**data, "mage": self.own_name}
        name, mage = data.get("username", ""), data.get("mage", "")
        if mage and mage.lower() != name.lower():
            try:
                data["mage"] = check_name(mage, kind=Name.Kind.MAGE)
            except InvalidName as error:
                self.add_error("mage", name_refusal(error))
        else:
            data["mage"] = name
        return data


class RegisterMageForm(forms.Form):
    """The name of a new mage, and its pronoun. The name may end in a suffix for that (SC-START-7)."""

    name = forms.CharField(
        label=_("Name of your mage"),
        max_length=LONGEST_ATTEMPT,
        strip=True,
        help_text=NAME_HELP,
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "words", "spellcheck": "false"}),
    )

    pronoun = forms.ChoiceField(
        label=_("Pronoun"),
        choices=Mage.Pronoun.choices,
        required=False,
        help_text=_("How battle reports refer to your mage. You can change it later."),
    )

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user

    def clean_name(self) -> str:
        name, self.suffix = split_pronoun(self.cleaned_data["name"])
        try:
            return check_name(name, kind=Name.Kind.MAGE, user=self.user)
        except InvalidName as error:
            raise name_refusal(error) from error

    def clean_pronoun(self) -> str:
        """Return what was chosen, or else what the name's suffix says."""
        chosen = str(self.cleaned_data["pronoun"] or Mage.Pronoun.THEY)
        return chosen if chosen != Mage.Pronoun.THEY else getattr(self, "suffix", Mage.Pronoun.THEY)


class PronounForm(forms.Form):
    """The pronoun of one mage."""

    pronoun = forms.ChoiceField(choices=Mage.Pronoun.choices)


def name_refusal(error: InvalidName) -> forms.ValidationError:
    """Return a form error with every problem of a name, and the nearest free name last."""
    messages = [problem.message for problem in error.problems]
    if error.nearest:
        messages.append(gettext("%(name)s is available.") % {"name": error.nearest})
    return forms.ValidationError(messages)


class PreferencesForm(forms.Form):
    """The language, the theme and the preferences that are not about notices, in groups."""

    GROUPS = (
        (_("Pages"), ("language", "theme", "motion", "coach", "single_keys")),
        (_("Time"), ("time_zone", "night")),
        (_("Other people"), ("presence",)),
        (_("Bots of other users"), ("bots_play", "bots_write")),
    )

    language = forms.ChoiceField(
        label=_("Language of pages and emails"),
        required=False,
        choices=[("", _("My browser's language")), *settings.LANGUAGES],
        widget=forms.RadioSelect,
    )
    theme = forms.ChoiceField(label=_("Colours"), choices=User.Theme.choices, widget=forms.RadioSelect)

    def __init__(self, *args: Any, chosen: Mapping[str, str], **kwargs: Any) -> None:
        super().__init__(*args, **{**kwargs, "initial": dict(chosen)})
        for key in self.preferences:
            self.fields[key] = _ask_for_preference(key, chosen[key])

    @property
    def preferences(self) -> list[str]:
        return [key for _title, keys in self.GROUPS for key in keys if key in PREFERENCES]

    @property
    def groups(self) -> list[tuple[Any, list[forms.BoundField]]]:
        return [(title, [self[key] for key in keys]) for title, keys in self.GROUPS]


class NoticesForm(forms.Form):
    """What is told to the user, and where: the matrix of notices and channels (notifications.matrix), a box for each
    choice; which emails come once a day; and when."""

    GROUPS = (
        (_("Quiet hours and sounds"), ("quiet_hours", "quiet_from", "quiet_until", "sound")),
        (_("Email"), ("digest_hour", "mail_quiet", "mail_subjects", "mail_unconfirmed")),
    )

    def __init__(self, *args: Any, chosen: Mapping[str, str], **kwargs: Any) -> None:
        super().__init__(*args, **{**kwargs, "initial": dict(chosen)})
        for subject in SUBJECTS.values():
            for channel, name in CHANNELS.items():
                key = subject.key(channel)
                if key:
                    label = format_lazy("{subject}: {channel}", subject=subject.title, channel=name)
                    self._add_box(key, chosen[key] != NEVER, label=label)
                    self.fields[key].widget.attrs["aria-label"] = label
            if subject.may_be_daily:
                self._add_box(f"daily_{subject.name}", chosen[subject.key(EMAIL)] == DIGEST, label=subject.title)
        for _title, keys in self.GROUPS:
            for key in keys:
                self.fields[key] = _ask_for_preference(key, chosen[key])
        zone = chosen["time_zone"].replace("_", " ")
        self.fields["quiet_until"].help_text = format_lazy(_("In your time zone, {zone}."), zone=zone)

    def clean_quiet_until(self) -> str:
        until: str = self.cleaned_data["quiet_until"]
        if self.cleaned_data.get("quiet_hours") == "yes" and until == self.cleaned_data.get("quiet_from"):
            raise forms.ValidationError(_("Quiet hours end at another time than they begin."))
        return until

    def _add_box(self, name: str, is_ticked: bool, *, label: Any) -> None:
        self.fields[name] = forms.BooleanField(required=False, label=label)
        self.initial[name] = is_ticked

    def list_choices(self) -> dict[str, str]:
        """Return the preferences that were chosen, by their keys."""
        data = self.cleaned_data
        chosen = {key: data[key] for _title, keys in self.GROUPS for key in keys}
        for subject in SUBJECTS.values():
            for key in filter(None, map(subject.key, CHANNELS)):
                chosen[key] = AT_ONCE if data[key] else NEVER
            if subject.may_be_daily and data[f"daily_{subject.name}"] and data[subject.key(EMAIL)]:
                chosen[subject.key(EMAIL)] = DIGEST
        return chosen

    @property
    def matrix(self) -> list[tuple[Any, list[tuple[Subject, list[tuple[Any, str, forms.BoundField | None]]]]]]:
        """Return the groups of the matrix, each with its rows: the subject, and for each channel its name, "always",
        "never" or "box", and the box."""
        return [(title, [(subject, self._list_cells(subject)) for subject in subjects]) for title, subjects in MATRIX]

    def _list_cells(self, subject: Subject) -> list[tuple[Any, str, forms.BoundField | None]]:
        cells: list[tuple[Any, str, forms.BoundField | None]] = []
        for channel, name in CHANNELS.items():
            if key := subject.key(channel):
                cells.append((name, "box", self[key]))
            else:
                cells.append((name, "always" if channel in subject.always else "never", None))
        return cells

    @property
    def daily(self) -> list[forms.BoundField]:
        return [self[f"daily_{subject.name}"] for subject in SUBJECTS.values() if subject.may_be_daily]

    @property
    def groups(self) -> list[tuple[Any, list[forms.BoundField]]]:
        return [(title, [self[key] for key in keys]) for title, keys in self.GROUPS]


def _ask_for_preference(key: str, chosen: str) -> forms.ChoiceField:
    kind = PREFERENCES[key]
    usual = forms.RadioSelect if len(kind.values) <= MOST_RADIOS else forms.Select
    choices = group_zones(chosen) if key == "time_zone" else kind.values
    return forms.ChoiceField(label=kind.question, choices=choices, widget=usual)


class MailPasswordForm(forms.Form):
    """The password for emailed orders; an empty one switches it off."""

    raw = forms.CharField(
        label=_("Mail password"),
        required=False,
        max_length=128,
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
        help_text=_("One word, different from your site password, because email is not always encrypted."),
    )


class TokenForm(forms.Form):
    """The name, scopes and lifetime of a new API token."""

    name = forms.CharField(label=_("What is it for?"), max_length=40, strip=True)
    scope = forms.ChoiceField(
        label=_("What can it do?"),
        choices=ApiToken.Scope.choices,
        initial=ApiToken.Scope.READ,
        widget=forms.RadioSelect,
    )
    days = forms.TypedChoiceField(
        label=_("When does it expire?"),
        choices=[
            (days, format_lazy(_("in {days} days"), days=days) if days < 365 else _("in a year")) for days in DAYS
        ],
        initial=USUAL_DAYS,
        coerce=int,
    )


_EXACT = {"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}


class ChangeHookForm(forms.Form):
    """What a hook is called and told about."""

    name = forms.CharField(label=_("Name"), max_length=LONGEST_NAME, help_text=_("For example #duels, or my phone."))
    events = forms.MultipleChoiceField(label=_("Tell it when"), widget=forms.CheckboxSelectMultiple)

    def __init__(self, *args: Any, scope: str, asks_reason: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if asks_reason:
            self.fields["reason"] = forms.CharField(label=_("Reason"), max_length=200)
        field = self.fields["events"]
        assert isinstance(field, forms.MultipleChoiceField)
        field.choices, field.initial = list(EVENTS[scope].items()), USUAL[Hook.Scope(scope)]


class HookForm(ChangeHookForm):
    """A new hook; the service checks its address."""

    field_order = ("format", "name", "url", "room", "token", "events")
    format = forms.ChoiceField(
        label=_("Format"), choices=Hook.Format.choices, initial=Hook.Format.DISCORD, widget=forms.RadioSelect
    )
    url = forms.CharField(
        label=_("Address"),
        max_length=LONGEST_URL,
        help_text=_(
            "The webhook URL of Discord or Slack, the topic of ntfy (https://ntfy.sh/my-topic), the homeserver of "
            "Matrix, or the address of a program."
        ),
        widget=forms.URLInput(attrs=_EXACT),
    )
    room = forms.CharField(
        label=_("Room, for Matrix"),
        max_length=LONGEST_URL,
        required=False,
        help_text=_("Its internal ID, such as !abc:matrix.example."),
        widget=forms.TextInput(attrs=_EXACT),
    )
    token = forms.CharField(
        label=_("Access token, for Matrix or a protected topic of ntfy"),
        max_length=LONGEST_TOKEN,
        required=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "off"}),
    )


class OwnNameForm(forms.Form):
    """Confirm an action that cannot be undone by typing the account's name again."""

    name = forms.CharField(
        label=_("Name of this account"),
        max_length=LONGEST_ATTEMPT,
        strip=True,
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}),
    )

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user
        self.fields["name"].help_text = gettext("Type %(name)s to confirm.") % {"name": user.username}

    def clean_name(self) -> str:
        name = str(self.cleaned_data["name"])
        if name.lower() != self.user.username.lower():
            raise forms.ValidationError(
                gettext("That isn't your account's name. Type %(name)s.") % {"name": self.user.username}
            )
        return name


class CloseAccountForm(OwnNameForm):
    """OwnNameForm with a new name for each mage who is named like the user; empty keeps the name."""

    def __init__(self, *args: Any, user: User, namesakes: Sequence[Mage], **kwargs: Any) -> None:
        super().__init__(*args, user=user, **kwargs)
        self.namesakes = {f"mage_{mage.pk}": mage for mage in namesakes}
        for key, mage in self.namesakes.items():
            self.fields[key] = forms.CharField(
                label=format_lazy(_("New name for your mage {mage}"), mage=mage.name),
                max_length=LONGEST_ATTEMPT,
                strip=True,
                required=False,
                help_text=_("Leave this empty to keep the name."),
                widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "words", "spellcheck": "false"}),
            )
        self.order_fields([*self.namesakes, "name"])

    def list_new_names(self) -> dict[Mage, str]:
        return {mage: name for key, mage in self.namesakes.items() if (name := self.cleaned_data[key])}

    def refuse_new_name(self, error: InvalidName) -> None:
        """Show why a new name cannot be used, at its field."""
        fields = [key for key in self.namesakes if str(self.cleaned_data[key]).lower() == error.text.lower()]
        self.add_error(fields[0] if fields else None, str(error))


class ChangeNameForm(forms.Form):
    """The new name of a user; the service checks it."""

    name = forms.CharField(
        label=_("New name"),
        max_length=LONGEST_ATTEMPT,
        strip=True,
        help_text=NAME_HELP,
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "words", "spellcheck": "false"}),
    )


class AboutForm(forms.Form):
    """What a user says about themselves; the service checks its length, as it is then stored."""

    text = forms.CharField(
        label=_("About you"),
        max_length=2 * ABOUT_LENGTH,
        required=False,
        help_text=format_lazy(_("At most {most} characters. Everyone can see it."), most=ABOUT_LENGTH),
        widget=forms.Textarea(attrs={"rows": 4, "maxlength": ABOUT_LENGTH}),
    )


class BlockForm(forms.Form):
    """The user to block, by their name or a mage's name. `cleaned_data["name"]` becomes the user."""

    name = forms.CharField(
        label=_("Name of a user or mage"),
        max_length=LONGEST_ATTEMPT,
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "words", "spellcheck": "false"}),
    )

    def clean_name(self) -> User:
        text = self.cleaned_data["name"]
        user = find_owner(text)
        if user is None:
            raise forms.ValidationError(
                suggest(gettext("No user or mage is called %(name)s.") % {"name": text}, find_nearest_name(text))
            )
        return user


class VacationForm(forms.Form):
    """The length of a vacation in days."""

    days = forms.IntegerField(
        label=_("Days"),
        min_value=0,
        max_value=999,
        initial=7,
        help_text=_(
            "Enter 0 to end the vacation. Sending orders ends it too, and so does joining a challenge or a battle."
        ),
    )

"""Forms for challenges."""

from challenges.forms.change import ChangeForm
from challenges.forms.new import MatchForm, NewChallengeForm
from challenges.forms.signup import SignupWithMageForm

__all__ = ["ChangeForm", "MatchForm", "NewChallengeForm", "SignupWithMageForm"]

"""What users fill in about challenges."""

from challenges.forms.change import ChangeForm
from challenges.forms.joining import SignupWithMageForm
from challenges.forms.new import NewChallengeForm

__all__ = ["ChangeForm", "NewChallengeForm", "SignupWithMageForm"]

"""Errors of studies, analyses and notes.

StudiesError
├── StudyNotFound      no such study or branch, or this reader may not see it: the answer is the same
├── CannotStudy        this cannot be tried from here; says why
├── CannotShare        a study of a battle that is running stays private
├── NotYourStudy       only its owner changes a study
├── TooMuch            a limit is reached; says which
├── CannotAnswer       a bot or the record has no orders to give here; says why
├── NoAnalysis         this battle can't be analysed (yet); says why
└── NoNote             this user can't write a note now; says why
"""

from django.utils.translation import gettext as _


class StudiesError(Exception):
    """Base class; `str(error)` is a sentence for the person who asked."""


class StudyNotFound(StudiesError):
    def __str__(self) -> str:
        return _("There is no such study.")


class CannotStudy(StudiesError):
    pass


class CannotShare(StudiesError):
    def __str__(self) -> str:
        return _("The battle is still running. You can share this study when it is over.")


class NotYourStudy(StudiesError):
    def __str__(self) -> str:
        return _("Only its owner can change this study.")


class TooMuch(StudiesError):
    pass


class CannotAnswer(StudiesError):
    pass


class NoAnalysis(StudiesError):
    pass


class NoNote(StudiesError):
    pass

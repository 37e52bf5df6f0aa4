"""Errors of the files to replay.

    ConformanceError
    ├── UnreadableFile      it is missing, or is not JSON
    └── UnknownFormat       a record that no reader understands

A game that the engine plays differently is not an error but a verdict.
"""


class ConformanceError(Exception):
    """The file cannot be replayed; the message names the file and the place in it."""


class UnreadableFile(ConformanceError):
    pass


class UnknownFormat(ConformanceError):
    pass

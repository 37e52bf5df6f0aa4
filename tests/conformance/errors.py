"""What can be wrong with the files that are to be replayed.

    ConformanceError
    ├── UnreadableFile      it is not there, or holds no JSON
    └── UnknownFormat       a record that no reader understands

A game that the engine plays differently is no error: it is a verdict.
"""


class ConformanceError(Exception):
    """The file cannot be replayed; the text names the file and the place in it."""


class UnreadableFile(ConformanceError):
    pass


class UnknownFormat(ConformanceError):
    pass

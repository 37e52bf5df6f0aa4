"""How the long run shares out tests: one by one, except those of a story, which one process runs in its order."""

from xdist.scheduler import LoadScopeScheduling

from tests.services.parts import STORIES


class ByStory(LoadScopeScheduling):
    def _split_scope(self, nodeid: str) -> str:
        place = nodeid.partition("::")[0].removeprefix("tests/")
        return place if place in STORIES else nodeid

"""Static files with hashed names, and compressed: also the modules that a script imports."""

from hashlib import sha256

from django.contrib.staticfiles.finders import get_finders
from django.core.files.base import ContentFile
from django.core.files.storage import storages
from whitenoise.storage import CompressedManifestStaticFilesStorage

# Beside the manifest: the hash of the files that were collected.
SOURCES = "staticfiles.sha256"


class HashedFiles(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """WhiteNoise's storage, which writes the hashed names into the import statements of scripts too, and notes which
    files it was made of."""

    support_js_module_import_aggregation = True

    def save_manifest(self) -> None:
        """Write the manifest, and then the hash of what it was made of."""
        self.delete(SOURCES)
        super().save_manifest()
        self._save(SOURCES, ContentFile(hash_sources().encode()))

    def read_sources(self) -> str:
        """Return the hash of the files that were collected; "" if none were."""
        try:
            with self.open(SOURCES) as file:
                content: bytes = file.read()
        except FileNotFoundError:
            return ""
        return content.decode()


def are_static_files_collected() -> bool:
    """Return whether the static files of this release are where this process reads them.

    True at the start of a process stays true, because it reads the manifest once. Without them, no page can be built.
    """
    storage = storages["staticfiles"]
    return not isinstance(storage, HashedFiles) or storage.read_sources() == hash_sources()


def hash_sources() -> str:
    """Return the hash of this release's static files, as they are in its folders."""
    found = {
        path: storage for finder in reversed(list(get_finders())) for path, storage in finder.list(ignore_patterns=[])
    }
    digest = sha256()
    for path in sorted(found):
        with found[path].open(path) as file:
            digest.update(f"{path}\n{file.size}\n".encode() + file.read())
    return digest.hexdigest()

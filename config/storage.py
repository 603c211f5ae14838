"""Static files under names that carry a hash of their content, so browsers may keep them for ever."""

import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Any

from django.core.files.base import ContentFile
from django.core.files.storage import InMemoryStorage, Storage
from whitenoise.storage import CompressedManifestStaticFilesStorage

Paths = dict[str, tuple[Storage, str]]  # where each file is, by its name
IMPORT = re.compile(r"""@import "([\w-]+\.css)";""")


class HashedStaticFiles(CompressedManifestStaticFilesStorage):
    """A style sheet that imports its neighbours is served with them inside: one way to the server instead of two."""

    support_js_module_import_aggregation = True  # imports inside our ES modules get hashed names too

    def post_process(self, paths: Paths, *args: Any, **options: Any) -> Iterator[Any]:
        sheets = InMemoryStorage()
        for name in [name for name in paths if name.endswith(".css") and IMPORT.search(_text(paths, name))]:
            sheets.save(name, ContentFile(_whole(paths, name)))
            paths[name] = sheets, name
        yield from super().post_process(paths, *args, **options)


def _whole(paths: Paths, name: str) -> str:
    folder = PurePosixPath(name).parent
    return IMPORT.sub(lambda found: _whole(paths, str(folder / found[1])), _text(paths, name))


def _text(paths: Paths, name: str) -> str:
    storage, path = paths[name]
    with storage.open(path) as file:
        return bytes(file.read()).decode()

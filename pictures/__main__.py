"""The order of work. `bin/pictures` prepares an empty database and static files, then runs this."""

import os
import socket
import subprocess
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import chain, groupby
from pathlib import Path

import django

django.setup()

from pictures import album, camera, scenes  # noqa: E402  models can be imported from here on

ROOT = Path(__file__).parents[1]


def arguments() -> Namespace:
    parser = ArgumentParser(prog="bin/pictures", description="Take the pictures of docs/pictures.md, or all there are.")
    parser.add_argument("--all", type=Path, metavar="FOLDER", help="each scene, size, colours and language, into here")
    return parser.parse_args()


@contextmanager
def server() -> Iterator[str]:
    """The site as bin/serve starts it; gives its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    env, nowhere = os.environ | {"PORT": str(port)}, subprocess.DEVNULL
    process = subprocess.Popen(["bin/serve"], cwd=ROOT, env=env, stdout=nowhere, stderr=nowhere)
    try:
        while not _answers(port):
            if process.poll() is not None:
                raise RuntimeError("The server did not start; bin/serve by itself tells why")
            time.sleep(0.05)
        yield f"http://localhost:{port}"
    finally:
        process.terminate()
        process.wait()


def _answers(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def photograph(eye: camera.Camera, scene: scenes.Scene, shots: Iterable[album.Shot], folder: Path, whole: bool) -> None:
    """Take these pictures of a scene; those in one language and look follow one another."""
    for (language, look), same in groupby(shots, key=lambda shot: (shot.language, shot.look)):
        eye.open(scene, language, look)
        for shot in same:
            eye.take(album.SIZES[shot.size], shot.scheme, folder / shot.file, whole=whole)


def main() -> None:
    asked = arguments()
    stage = scenes.set_up()
    with server() as site, camera.chromium() as browser:
        eye = camera.Camera(browser, site, stage.race.cookies[0])
        for scene in chain(stage.scenes, camera.raced(browser, site, stage.race)):
            if asked.all:
                photograph(eye, scene, album.everything(scene.name), asked.all, whole=not scene.fills)
            else:
                photograph(eye, scene, album.of(scene.name), album.FOLDER, whole=False)
    if not asked.all:
        album.write_page()


if __name__ == "__main__":
    main()

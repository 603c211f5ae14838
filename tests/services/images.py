"""Images as Dockerfile says, made in folders: no engine runs here, so each instruction is done by hand, in its order.

What would need the network, or would change this machine, is replaced; `Image._run` says by what. What the images do
is judged in test_containers.py.
"""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.metadata import PackageNotFoundError, distribution
from itertools import groupby
from pathlib import Path, PurePosixPath
from string import Template

from tests.browser.conftest import PATIENCE, ROOT

HOME = "/srv/lilypad"  # where images keep the site


def context(folder: Path) -> None:
    """Copy into a folder what an engine would be sent of this checkout: what .dockerignore leaves of it."""
    lines = (ROOT / ".dockerignore").read_text().splitlines()
    patterns = [(not line.startswith("!"), _pattern(line.lstrip("!"))) for line in lines if not line.startswith("#")]

    def left_out(within: str, names: list[str]) -> list[str]:
        paths = {name: Path(within, name).relative_to(ROOT).as_posix() for name in names}
        verdicts = {name: [out for out, pattern in patterns if pattern.fullmatch(paths[name])] for name in names}
        return [name for name in names if verdicts[name] and verdicts[name][-1]]  # the last that fits decides

    shutil.copytree(ROOT, folder, ignore=left_out)


def _pattern(line: str) -> re.Pattern[str]:
    return re.compile(re.escape(line).replace(r"\*\*/", "(?:.*/)?").replace(r"\*", "[^/]*"))


def instructions() -> Iterator[list[str]]:
    """What Dockerfile says: the name of an instruction and the rest of its line, each."""
    text = re.sub(r"^ *#.*\n", "", (ROOT / "Dockerfile").read_text(), flags=re.MULTILINE)
    for line in text.replace("\\\n", " ").splitlines():
        if line.strip():
            yield line.split(maxsplit=1)


def build(folder: Path) -> dict[str, "Image"]:
    """Make all images, by the name of their stage."""
    context(folder / "context")
    images: dict[str, Image] = {}
    for name, rest in instructions():
        if name == "FROM":
            stage = rest.split()[-1]
            image = images[stage] = Image(folder / stage)
        elif name == "COPY" and (source := re.match(r"--from=(\w+) ", rest)):
            image.copy(images[source[1]], rest.removeprefix(source[0]))
        elif name == "COPY":
            image.copy(Image(folder / "context"), rest)
        else:
            image.do(name, rest)
    return images


class Image:
    """A folder for the root of its file system, and what it says of whoever runs it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.folder = PurePosixPath("/")
        self.env = {"PATH": os.environ["PATH"]}
        self.said: dict[str, str] = {}  # HEALTHCHECK, CMD, USER, EXPOSE
        self.users: dict[str, str] = {}  # ids by name
        self.kept: list[Path] = []  # what whoever runs it may write to

    def at(self, path: str) -> Path:
        """Where a path of the image is on this machine."""
        return self.root / (self.folder / path).relative_to("/")

    def here(self, text: str) -> str:
        """A text that names the site's home, with where that is on this machine."""
        return text.replace(HOME, str(self.root) + HOME)

    def copy(self, source: "Image", names: str) -> None:
        *files, target = names.split()
        for file in map(source.at, files):
            to = self.at(target) / file.name if target.endswith("/") else self.at(target)
            to.parent.mkdir(parents=True, exist_ok=True)
            if file.is_dir():
                shutil.copytree(file, to, symlinks=True, dirs_exist_ok=True)
            else:
                shutil.copy(file, to)

    def do(self, name: str, rest: str) -> None:
        """Do any instruction but FROM and COPY."""
        match name:
            case "WORKDIR":
                self.folder = PurePosixPath(rest)
                self.at("").mkdir(parents=True, exist_ok=True)
            case "ENV":
                pairs = [pair.partition("=") for pair in shlex.split(rest)]
                self.env |= {key: self.here(Template(value).substitute(self.env)) for key, _, value in pairs}
            case "RUN":
                words = groupby(shlex.split(rest), lambda word: word == "&&")
                for command in [list(group) for between, group in words if not between]:
                    self._run(command)
            case "HEALTHCHECK" | "CMD" | "USER" | "EXPOSE":
                self.said[name] = rest
            case _:
                raise NotImplementedError(name)

    def _run(self, command: list[str]) -> None:
        match command:
            case ["apt-get", "update"] | ["apt-get", "install", *_] | ["rm", "-rf", "/var/lib/apt/lists/*"]:
                pass  # needs the network: what it installs has to be on this machine already
            case ["useradd", *options, name]:
                self.users[name] = options[options.index("--uid") + 1]
            case ["chown", "-R", owner, path]:  # nobody here can run as that user and still reach this Python
                assert owner.rstrip(":") in self.users
                self.kept.append(self.at(path))
            case ["bin/setup"]:
                self._install()
                self.call(command)
            case _:
                self.call(command)

    def _install(self) -> None:
        """Put in place what pip would fetch: links to the packages that are pinned, to none else, and no pip."""
        venv = self.at(".venv")
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", venv], check=True)
        (packages,) = venv.glob("lib/*/site-packages")
        for name in re.findall(r"^([\w.-]+)(?:\[[\w,]+\])?==", self.at("requirements.txt").read_text(), re.MULTILINE):
            with suppress(PackageNotFoundError):  # another system's
                found = distribution(name)
                for top in {file.parts[0] for file in found.files or []} - {"..", "__pycache__"}:
                    if not (packages / top).exists():
                        (packages / top).symlink_to(found.locate_file(top))
        (venv / "bin" / "pip").symlink_to("/bin/false")
        shutil.copy(self.at("requirements.txt"), venv)

    def call(self, command: list[str], **env: str) -> str:
        """Run something in a container to its end, and give what it says."""
        done = subprocess.run(self._apart(command), cwd=self.at(""), env=self.env | env, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    @contextmanager
    def serving(self, log: Path, **env: str) -> Iterator[None]:
        """A container that does what the image is for, until SIGTERM, by which it has to end well."""
        command = self._apart(json.loads(self.said["CMD"]))
        with log.open("w") as output:
            process = subprocess.Popen(command, cwd=self.at(""), env=self.env | env, stdout=output, stderr=output)
        try:
            yield
        finally:
            process.terminate()
            assert process.wait(PATIENCE) == 0, log.read_text()

    def _apart(self, command: list[str]) -> list[str]:
        """A command that can do no more than in a container, even if root runs it."""
        less = ["--bounding-set=-all", "--inh-caps=-all"] if os.geteuid() == 0 else []
        return ["setpriv", "--no-new-privs", *less, *map(self.here, command)]

    def lock(self) -> None:
        """Let nobody write into it any more, but where its user may."""
        subprocess.run(["chmod", "-R", "a-w", self.root], check=True)  # which follows no links
        for path in self.kept:
            path.chmod(0o755)

"""nginx with the files of deploy/nginx, on ports of its own. What it does with them is judged in tests."""

import copy
import shutil
import ssl
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from email.message import Message
from http.client import HTTPConnection, HTTPSConnection
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.browser.conftest import PATIENCE, ROOT, Site
from tests.services.conftest import answers, free_port

FILES = ROOT / "deploy" / "nginx"
TEMPORARY = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
CERTIFICATE = (
    "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost"
)


class Answer(NamedTuple):
    status: int
    headers: Message
    body: bytes


class Nginx:
    """nginx with TLS, with redirects, and without TLS for players that know none, each at a port of its own.

    The folder stands for /etc/nginx: it holds nginx.conf, and in conf.d the site and its upstream. Of the site
    only ports change, and where static files are: in `var`.
    """

    def __init__(self, folder: Path, var: Path) -> None:
        if not shutil.which("nginx"):
            pytest.fail("needs nginx; bin/test installs it on Debian, as root")
        self.tls, self.redirects, self.plain = free_port(), free_port(), free_port()
        self.certificate = folder / "lilypad" / "fullchain.pem"
        self.command = ["nginx", "-p", folder, "-e", folder / "error.log", "-c", folder / "nginx.conf"]
        self.command += ["-g", f"daemon off; pid {folder}/pid; user root;"]
        self.certificate.parent.mkdir()
        shutil.copy("/etc/nginx/mime.types", folder)
        place = {
            "listen 80 default_server;": f"listen {self.redirects};",
            "listen [::]:80 default_server;": "",
            "listen 443 ssl http2 default_server;": f"listen {self.tls} ssl http2; listen {self.plain};",
            "listen [::]:443 ssl http2 default_server;": "",
            "root /srv/lilypad/var;": f"root {var};",
        }
        (file,) = (file for file in (folder / "conf.d").iterdir() if file.name != "upstream.conf")
        site = file.read_text()
        for theirs, ours in place.items():
            assert site.count(theirs) == 1
            site = site.replace(theirs, ours)
        file.write_text(site)
        own = "".join(f"{name}_temp_path {folder}/{name};\n" for name in TEMPORARY)
        (folder / "conf.d" / "own.conf").write_text(own)
        files = ["-keyout", folder / "lilypad" / "privkey.pem", "-out", self.certificate]
        subprocess.run([*CERTIFICATE.split(), *files], check=True, capture_output=True)

    @contextmanager
    def running(self) -> Iterator[None]:
        process = subprocess.Popen(self.command, stderr=subprocess.PIPE, text=True)
        deadline = time.monotonic() + PATIENCE
        while not answers(self.tls):
            assert process.poll() is None, process.communicate()[1]
            assert time.monotonic() < deadline
            time.sleep(0.05)
        try:
            yield
        finally:
            process.terminate()
            process.communicate(timeout=PATIENCE)

    def get(self, path: str, port: int = 0, **headers: str) -> Answer:
        """Ask with TLS, as a browser does; at another port, without."""
        trust = ssl.create_default_context(cafile=str(self.certificate))
        asked = HTTPConnection("localhost", port) if port else HTTPSConnection("localhost", self.tls, context=trust)
        with closing(asked):
            asked.request("GET", path, headers=headers)
            answer = asked.getresponse()
            return Answer(answer.status, answer.headers, answer.read())


def behind(nginx: Nginx, site: Site, monkeypatch: pytest.MonkeyPatch) -> Site:
    """The site as its visitors know it."""
    monkeypatch.setenv("SSL_CERT_FILE", str(nginx.certificate))
    front = copy.copy(site)
    front.url = f"https://localhost:{nginx.tls}"
    return front

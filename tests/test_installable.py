"""What a device asks for before it installs the site."""

import json

import pytest
from django.test import Client

pytestmark = pytest.mark.django_db


def test_the_manifest_names_the_site_and_its_icons(client: Client) -> None:
    answer = client.get("/manifest.webmanifest")
    assert answer.headers["Content-Type"] == "application/manifest+json"
    manifest = json.loads(answer.content)
    assert {icon["sizes"] for icon in manifest["icons"]} == {"192x192", "512x512"}
    assert (manifest["start_url"], manifest["display"], manifest["lang"]) == ("/", "standalone", "en")


def test_the_service_worker_may_serve_the_whole_site_and_is_asked_for_anew(client: Client) -> None:
    answer = client.get("/service-worker.js")
    assert answer.headers["Content-Type"].startswith("text/javascript")
    assert "no-cache" in answer.headers["Cache-Control"]
    assert "/offline/" in answer.content.decode()


def test_every_page_leads_to_both(client: Client) -> None:
    page = client.get("/").content.decode()
    assert 'rel="manifest"' in page
    assert "js/install.js" in page


def test_the_page_without_a_network_is_for_everybody_and_looks_as_it_is_asked_to(client: Client) -> None:
    client.cookies["look"] = "theme:dark"
    assert "You are offline" in client.get("/offline/").text
    for query, theme in {"": "device", "?theme=dark": "dark", "?theme=light&theme=green": "device"}.items():
        assert f'data-theme="{theme}"' in client.get(f"/offline/{query}").text

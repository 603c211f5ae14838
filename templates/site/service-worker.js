{% load static %}/**
 * Keeps static files, whose names change with their content, and shows a page of its own where there is no network.
 * Games are never kept: a table is what the server says it is.
 */
const KEPT = "lilypad-{{ release }}";
const OFFLINE = "{% url "offline" %}";
const FIRST = ["{% static "css/site.css" %}", "{% static "img/logo.svg" %}"];
const HASHED = /\/static\/.*\.[0-9a-f]{12}\.\w+$/;

addEventListener("install", (event) => {
  skipWaiting();
  event.waitUntil(caches.open(KEPT).then((cache) => cache.addAll([nobodys(OFFLINE), ...FIRST])));
});

addEventListener("activate", (event) => event.waitUntil(clean().then(() => clients.claim())));

addEventListener("message", (event) => event.waitUntil(dress(event.data)));

addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET") return;
  if (request.mode === "navigate") event.respondWith(fetch(request).catch(() => caches.match(OFFLINE)));
  else if (FIRST.includes(new URL(request.url).pathname) || HASHED.test(request.url)) event.respondWith(kept(request));
});

/** The page as it is for nobody in particular: whose name was on it may have logged out since. @param {string} path */
const nobodys = (path) => new Request(path, { credentials: "omit" });

/** Keep that page in the language and the colours of the page that was read last. @param {string} wishes a query */
async function dress(wishes) {
  const cache = await caches.open(KEPT);
  const wished = nobodys(`${OFFLINE}?${wishes}`);
  const page = await cache.match(OFFLINE);
  if (page?.url === wished.url) return;
  const answer = await fetch(wished);
  if (answer.ok) await cache.put(OFFLINE, answer);
}

/** Forget what earlier releases kept. */
async function clean() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name !== KEPT).map((name) => caches.delete(name)));
}

/** From what is kept, or from the network and then kept. @param {Request} request */
async function kept(request) {
  const cache = await caches.open(KEPT);
  const found = await cache.match(request);
  if (found) return found;
  const answer = await fetch(request);
  if (answer.ok) cache.put(request, answer.clone());
  return answer;
}

/**
 * Lets the browser keep static files and install the site as an app. Games need the network and are never kept.
 * @module
 */

if ("serviceWorker" in navigator) {
  navigator.serviceWorker.register("/service-worker.js").catch((error) => console.info("no service worker:", error));
  navigator.serviceWorker.ready.then(({ active }) => active?.postMessage(document.documentElement.lang));
}

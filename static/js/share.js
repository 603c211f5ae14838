/**
 * Giving a deal to a friend: by the device's own sheet where there is one, else by copying its link.
 * @module
 */

/**
 * @param {string} url
 * @param {(sentence: string) => void} say
 */
export async function share(url, say) {
  try {
    if ("share" in navigator && matchMedia("(pointer: coarse)").matches) {
      await navigator.share({ title: document.title, url });
      return;
    }
    await navigator.clipboard.writeText(url);
    say(gettext("The link to this deal is copied."));
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") return; // thought better of it
    say(interpolate(gettext("The link to this deal is %(url)s"), { url }, true));
  }
}

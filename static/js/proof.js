/**
 * The proof page: works out the fingerprint of the sealed text in the reader's own browser and says if it is the seal.
 * @module
 */

const verdict = element("verdict");
const again = element("check-again");

again.hidden = false;
again.addEventListener("click", check);
void check();

async function check() {
  if (!globalThis.crypto?.subtle) {
    say("warn", gettext("Your browser works out fingerprints only on an encrypted page. Please check by hand, as told below."));
    again.hidden = true;
    return;
  }
  const found = await fingerprint(element("sealed-text").textContent ?? "");
  const seal = (element("seal").textContent ?? "").trim();
  if (found === seal) {
    say("good", gettext("✓ It fits. Your browser worked out the fingerprint of the text above, and it is the seal."));
  } else {
    const format = gettext("✗ It does not fit. Your browser finds %(found)s. The deck shown is not the deck that was sealed.");
    say("bad", interpolate(format, { found }, true));
  }
}

/** SHA-256 of a text in UTF-8, in hexadecimal. @param {string} text */
async function fingerprint(text) {
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** @param {"good" | "warn" | "bad"} kind @param {string} text */
function say(kind, text) {
  verdict.className = `note verdict ${kind}`;
  verdict.textContent = text;
}

/** @param {string} id */
function element(id) {
  return /** @type {HTMLElement} */ (document.getElementById(id));
}

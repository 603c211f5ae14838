/**
 * One live connection to one table or race: keeps it, notices when it is dead, and comes back. Knows nothing of cards.
 * @module
 */

const PING_AFTER = 2_500;
const DEAD_AFTER = 9_000;
const LONGEST_WAIT = 10_000;
const MOVED = 4401; // whoever opened it has logged out, or in as somebody else
const NOBODY = 4403;
const NOT_YOURS = 4404;
const PAGE_LEFT = 1000;
const TRIES = 4; // of somebody who is told to be nobody: the answer that brings a new session's cookie may be late
const GONE_DEAD = 4000; // how a connection is closed that is taken for dead, as against a page that is left

/**
 * @template Message, Request
 * @typedef {object} Listener
 * @property {(message: Message) => void} message
 * @property {() => void} up the server has let us in
 * @property {() => void} down called again for every attempt that fails
 * @property {(loggedOut: boolean) => void} refused the server does not let us in, and will not unless somebody logs in
 * @property {() => Request} ping tells the newest version shown here
 */

/**
 * @template Message, Request
 * @param {string} path
 * @param {Listener<Message, Request>} listener
 */
export function connect(path, listener) {
  const url = new URL(path, location.href);
  url.protocol = url.protocol.replace("http", "ws");
  url.searchParams.set("lang", document.documentElement.lang); // in which refusals are explained
  /** @type {WebSocket | null} */
  let socket = null;
  let heard = 0;
  let pinged = 0;
  let failures = 0;
  let retry = 0;
  let isOver = false; // for good

  function open() {
    clearTimeout(retry);
    const fresh = new WebSocket(url);
    let isUp = false;
    socket = fresh;
    heard = pinged = Date.now();
    fresh.onmessage = (event) => {
      if (fresh !== socket) return;
      heard = Date.now();
      if (!isUp) listener.up();
      isUp = true;
      failures = 0;
      listener.message(JSON.parse(event.data));
    };
    fresh.onclose = (event) => {
      if (fresh === socket) lost(event.code);
    };
  }

  /** @param {number} code */
  function lost(code) {
    abandon(GONE_DEAD);
    isOver = code === NOT_YOURS;
    const isEnough = isOver || (code === NOBODY && failures >= TRIES);
    if (isOver || code === NOBODY) listener.refused(!isOver);
    else listener.down();
    if (code === MOVED) failures ||= 1; // most come back with their new session's cookie, if given time
    // A hidden tab has nobody to show anything to, and its timers are slowed: it waits until it is looked at.
    if (!document.hidden && !isEnough) retry = setTimeout(open, pause(failures++));
  }

  /** Let go of the socket; what it may still say is not heard. @param {number} code */
  function abandon(code) {
    clearTimeout(retry);
    const old = socket;
    socket = null;
    old?.close(code);
  }

  function watch() {
    if (!socket) return;
    const now = Date.now();
    if (now - heard > DEAD_AFTER) return lost(GONE_DEAD);
    if (now - Math.max(heard, pinged) > PING_AFTER) ping();
  }

  function ping() {
    pinged = Date.now();
    send(listener.ping());
  }

  /** Somebody looks again, or the network is back: no waiting. */
  function hurry() {
    if (isOver || document.hidden) return;
    failures = 0;
    if (socket && Date.now() - heard > DEAD_AFTER) abandon(GONE_DEAD);
    if (socket) ping();
    else open();
  }

  /** @param {Request} request */
  function send(request) {
    if (socket?.readyState !== WebSocket.OPEN) return false;
    socket.send(JSON.stringify(request));
    return true;
  }

  setInterval(watch, 500);
  document.addEventListener("visibilitychange", hurry);
  addEventListener("online", hurry);
  addEventListener("pageshow", hurry);
  addEventListener("offline", () => isOver || lost(GONE_DEAD));
  addEventListener("pagehide", () => abandon(PAGE_LEFT));
  if (!document.hidden) open();
  return { send };
}

/** At once after the first loss, then longer each time and never all clients together. @param {number} failures */
function pause(failures) {
  return failures === 0 ? 0 : Math.min(LONGEST_WAIT, 500 * 2 ** failures) * (0.5 + Math.random() / 2);
}

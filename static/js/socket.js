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
 * Connect for as long as the page is there.
 * @template Message, Request
 * @param {string} path
 * @param {Listener<Message, Request>} listener
 */
export function connect(path, listener) {
  const url = new URL(path, location.href);
  url.protocol = url.protocol.replace("http", "ws");
  url.searchParams.set("lang", document.documentElement.lang); // in which refusals are explained
  const connection = new Connection(url, listener);
  const hurry = () => connection.hurry();
  setInterval(() => connection.watch(), 500);
  document.addEventListener("visibilitychange", hurry);
  addEventListener("online", hurry);
  addEventListener("pageshow", hurry);
  addEventListener("offline", () => connection.cut());
  addEventListener("pagehide", () => connection.abandon(PAGE_LEFT));
  if (!document.hidden) connection.open();
  return connection;
}

/** @template Message, Request */
class Connection {
  /** @type {WebSocket | null} */ #socket = null;
  #heard = 0;
  #pinged = 0;
  #failures = 0;
  #retry = 0;
  #isOver = false; // for good

  /** @param {URL} url @param {Listener<Message, Request>} listener */
  constructor(url, listener) {
    this.url = url;
    this.listener = listener;
  }

  open() {
    clearTimeout(this.#retry);
    const fresh = new WebSocket(this.url);
    let isUp = false;
    this.#socket = fresh;
    this.#heard = this.#pinged = Date.now();
    fresh.onmessage = (event) => {
      if (fresh !== this.#socket) return;
      this.#heard = Date.now();
      if (!isUp) this.listener.up();
      isUp = true;
      this.#failures = 0;
      this.listener.message(JSON.parse(event.data));
    };
    fresh.onclose = (event) => {
      if (fresh === this.#socket) this.#lost(event.code);
    };
  }

  /** Whether it could be sent. @param {Request} request */
  send(request) {
    if (this.#socket?.readyState !== WebSocket.OPEN) return false;
    this.#socket.send(JSON.stringify(request));
    return true;
  }

  /** Ask now and then whether the other end is there, and take it for dead when it has long said nothing. */
  watch() {
    if (!this.#socket) return;
    const now = Date.now();
    if (now - this.#heard > DEAD_AFTER) return this.#lost(GONE_DEAD);
    if (now - Math.max(this.#heard, this.#pinged) > PING_AFTER) this.#ping();
  }

  /** Somebody looks again, or the network is back: no waiting. */
  hurry() {
    if (this.#isOver || document.hidden) return;
    this.#failures = 0;
    if (this.#socket && Date.now() - this.#heard > DEAD_AFTER) this.abandon(GONE_DEAD);
    if (this.#socket) this.#ping();
    else this.open();
  }

  /** The network is gone. */
  cut() {
    if (!this.#isOver) this.#lost(GONE_DEAD);
  }

  /** Let go of the socket; what it may still say is not heard. @param {number} code */
  abandon(code) {
    clearTimeout(this.#retry);
    const old = this.#socket;
    this.#socket = null;
    old?.close(code);
  }

  /** @param {number} code */
  #lost(code) {
    this.abandon(GONE_DEAD);
    this.#isOver = code === NOT_YOURS;
    const isEnough = this.#isOver || (code === NOBODY && this.#failures >= TRIES);
    if (this.#isOver || code === NOBODY) this.listener.refused(!this.#isOver);
    else this.listener.down();
    if (code === MOVED) this.#failures ||= 1; // most come back with their new session's cookie, if given time
    // A hidden tab has nobody to show anything to, and its timers are slowed: it waits until it is looked at.
    if (!document.hidden && !isEnough) this.#retry = setTimeout(() => this.open(), pause(this.#failures++));
  }

  #ping() {
    this.#pinged = Date.now();
    this.send(this.listener.ping());
  }
}

/** At once after the first loss, then longer each time and never all clients together. @param {number} failures */
function pause(failures) {
  return failures === 0 ? 0 : Math.min(LONGEST_WAIT, 500 * 2 ** failures) * (0.5 + Math.random() / 2);
}

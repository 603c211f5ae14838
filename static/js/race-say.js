/**
 * Sentences of a race, made from the views before and after: what a player's own pick did, what is new of the rival,
 * why a round ended. What is said when and where is decided elsewhere.
 * @module
 */

/** @import {RaceView, Side} from "./types.js" */
import { spoken } from "./cards.js";
import { parse } from "./moves.js";
import { nameOf, own, ownNumber, rival, rivalName } from "./race-view.js";

/** @param {string} sentence @param {Record<string, string | number>} values */
const put = (sentence, values) => interpolate(sentence, values, true);

/**
 * What came of the own pick, or "" if nothing did.
 * @param {RaceView} before
 * @param {RaceView} after
 * @param {(pile: string) => string} label what a pile is called
 */
export function picked(before, after, label) {
  const then = own(before);
  const now = own(after);
  if (now.redealt && !then.redealt) return gettext("The cards that are left are dealt again.");
  if (now.misses > then.misses) return missed(now);
  if (now.hasty > then.hasty) return gettext("Too fast for a hand. Locked for a moment.");
  if (now.home === then.home || !now.piles) return "";
  const { source, target } = parse(now.last);
  const next = now.piles[source]?.at(-1);
  const parts = [put(gettext("%(card)s to %(pile)s"), { card: spoken(now.piles[target]?.at(-1) ?? null), pile: label(target) })];
  if (next) parts.push(put(gettext("%(card)s uncovered"), { card: spoken(next) }));
  return `${parts.join("; ")}.`;
}

/** @param {Side} side */
function missed({ last, piles }) {
  const card = spoken(piles?.[last.replace("miss ", "")]?.at(-1) ?? null);
  return put(gettext("Wrong: the %(card)s does not fit yet. Locked for a moment."), { card });
}

/** That no card fits any more, said once. @param {RaceView} before @param {RaceView} after */
export function stuck(before, after) {
  const then = own(before);
  const now = own(after);
  if (now.redeal && !then.redeal) return gettext("Nothing fits any more. You may deal the rest again, once.");
  if (now.stuck && !then.stuck && after.phase === "running") return gettext("Nothing fits any more. The other garden decides now.");
  return "";
}

/** Both counts in one sentence, as they are asked for. @param {RaceView} view */
export function counts(view) {
  return [1, 2]
    .map((number) => {
      const { home, beds } = view.sides[number - 1];
      return put(gettext("%(name)s: %(home)s home, %(beds)s left in the beds."), { name: nameOf(view, number), home, beds });
    })
    .join(" ");
}

/** The rival's count, as it is told from time to time; to those who watch, both. @param {RaceView} view */
export function progress(view) {
  if (!view.seat) return [1, 2].map((number) => `${nameOf(view, number)}: ${view.sides[number - 1].home}`).join(", ");
  const { home } = rival(view);
  return put(ngettext("%(name)s: %(home)s card home.", "%(name)s: %(home)s cards home.", home), { name: rivalName(view), home });
}

/** What has changed about the people in the room; to be shown as well as said. @param {RaceView} before @param {RaceView} after */
export function news(before, after) {
  const sentences = [1, 2].filter((number) => number !== after.seat).flatMap((number) => {
    const name = nameOf(after, number);
    return about(before, after, number).map((sentence) => put(sentence, { name }));
  });
  return [...sentences, ...called(before, after), ...heard(before, after)].join(" ");
}

/** @param {RaceView} before @param {RaceView} after @param {number} number of the side */
function about(before, after, number) {
  const then = before.sides[number - 1];
  const now = after.sides[number - 1];
  const sentences = [];
  if (now.taken && !then.taken) sentences.push(gettext("%(name)s has taken the second seat."));
  else if (now.presence !== then.presence) sentences.push(...whereabouts(now.presence));
  if (now.ready && !then.ready && after.phase === "ready") sentences.push(gettext("%(name)s is ready."));
  if (!now.ready && then.ready && after.phase === "ready" && before.phase === "ready") sentences.push(gettext("%(name)s is not ready yet."));
  if (now.redealt && !then.redealt) sentences.push(gettext("%(name)s has dealt again."));
  if (now.stuck && !then.stuck && after.phase === "running") sentences.push(gettext("Nothing fits any more for %(name)s."));
  return sentences;
}

/** @param {Side["presence"]} presence */
function whereabouts(presence) {
  if (presence === "here") return [gettext("%(name)s is here.")];
  if (presence === "closed") return [gettext("%(name)s has closed the page.")];
  if (presence === "lost") return [gettext("The connection of %(name)s is lost.")];
  return [];
}

/** @param {RaceView} before @param {RaceView} after */
function called(before, after) {
  return [1, 2].flatMap((number) => {
    const then = before.sides[number - 1].out_at;
    const now = after.sides[number - 1].out_at;
    if (now && !then) return [timeCalled(after, number)];
    if (then && !now && after.phase === "running") return [gettext("The call for time is met.")];
    return [];
  });
}

/** @param {RaceView} view @param {number} number of the side that has to move */
export function timeCalled(view, number) {
  if (view.seat === number) return put(gettext("%(name)s has called time: send a card up, or the round is lost."), { name: rivalName(view) });
  return put(gettext("Time is called: %(name)s must send a card up, or loses the round."), { name: nameOf(view, number) });
}

/** @param {RaceView} before @param {RaceView} after */
function heard({ said: then }, after) {
  const { said } = after;
  if (!said || said.number === then?.number) return [];
  /** @type {Record<string, string>} */
  const phrases = { luck: gettext("Good luck!"), played: gettext("Well played!"), again: gettext("Again?") };
  return [put(gettext("%(name)s: “%(phrase)s”"), { name: nameOf(after, said.side), phrase: phrases[said.phrase] })];
}

/** Somebody wants the next round. @param {RaceView} view */
export function nextRound(view) {
  const ready = [1, 2].filter((number) => number !== view.seat && view.sides[number - 1].ready);
  return [gettext("The next round is made."), ...ready.map((number) => put(gettext("%(name)s is ready."), { name: nameOf(view, number) }))].join(" ");
}

/** How the round ended, for the head of the box. @param {RaceView} view */
export function outcome(view) {
  if (!view.winner) return gettext("A draw");
  if (!view.seat) return put(gettext("%(name)s wins the round"), { name: nameOf(view, view.winner) });
  return view.winner === view.seat ? gettext("You won the round") : put(gettext("%(name)s won the round"), { name: rivalName(view) });
}

/** Why it ended. @param {RaceView} view */
export function reason(view) {
  const winner = view.winner || ownNumber(view);
  const values = {
    winner: nameOf(view, winner),
    loser: nameOf(view, 3 - winner),
    more: view.sides[winner - 1].home,
    fewer: view.sides[2 - winner].home,
  };
  const sentences = !view.seat ? watched() : winner === view.seat ? won() : lost();
  return put(sentences[view.reason] ?? "", values);
}

/** @returns {Record<string, string>} */
const won = () => ({
  beds: gettext("You emptied your six beds first."),
  count: gettext("Nothing fitted any more in either garden, and you had more cards home: %(more)s to %(fewer)s."),
  earlier: gettext("Both came equally far, %(more)s cards; your last card went up earlier."),
  draw: gettext("Nothing fitted any more, and both came equally far: %(more)s cards."),
  "gave-up": gettext("%(loser)s gave up."),
  left: gettext("%(loser)s had left, and you claimed the round."),
  time: gettext("You called time, and %(loser)s sent no card up within it."),
});

/** @returns {Record<string, string>} */
const lost = () => ({
  beds: gettext("%(winner)s emptied all six beds first."),
  count: gettext("Nothing fitted any more in either garden, and %(winner)s had more cards home: %(more)s to %(fewer)s."),
  earlier: gettext("Both came equally far, %(more)s cards; the last card of %(winner)s went up earlier."),
  "gave-up": gettext("You gave up."),
  left: gettext("You were away, and %(winner)s claimed the round."),
  time: gettext("%(winner)s called time, and you sent no card up within it."),
});

/** @returns {Record<string, string>} */
const watched = () => ({
  ...lost(),
  draw: won().draw,
  "gave-up": won()["gave-up"],
  left: gettext("%(loser)s had left, and %(winner)s claimed the round."),
  time: gettext("%(winner)s called time, and %(loser)s sent no card up within it."),
});

/** How the match stands. @param {RaceView} view */
export function match(view) {
  if (view.best_of === 1) return "";
  const { score: one } = own(view);
  const { score: other } = rival(view);
  const values = { one: nameOf(view, ownNumber(view)), other: rivalName(view), score: `${one}\u00a0:\u00a0${other}` };
  return put(view.decided ? gettext("The match is over. %(one)s – %(other)s %(score)s") : gettext("The match stands at %(one)s – %(other)s %(score)s"), values);
}

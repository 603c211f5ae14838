// boardgame.io as its documentation shows it, in memory: the same piles and moves, without any rules. See boardgame.py.
import { createRequire } from "node:module";

const [, , installed, port] = process.argv;
const { Server } = createRequire(`${installed}/`)("boardgame.io/server");

const game = {
  name: "lilypad",
  setup: () => ({ piles: {} }),
  disableUndo: true,
  moves: {
    go: ({ G }, source, target, size) => {
      const from = G.piles[source] ?? [];
      G.piles[target]?.push(...from.splice(from.length - size, size));
    },
    again: (_, piles) => ({ piles }),
  },
};
await Server({ games: [game], origins: ["*"] }).run(Number(port));

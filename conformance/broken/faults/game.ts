// Faults that affect the game: exceptions, blocking, and unlimited memory.
import { spawnSync } from "node:child_process";
import type { Kit, Text } from "../../reference/binding.ts";
import { change, deafen, type Faults } from "./change.ts";

/** Sends the request from a child process, so that the game can block on it. */
const waitingPost = `
  const [url, body] = process.argv.slice(1);
  const signal = AbortSignal.timeout(5_000);
  fetch(url, { method: "POST", body, headers: { "Content-Type": "application/json" }, signal }).then((answer) => answer.text());
`;

/** Counts calls that send nothing as pending requests. */
const countToo = (kit: Kit, isCounted: (...given: Parameters<Kit["call"]>) => boolean) =>
  change(kit, "call", (call) => (...given) => {
    if (isCounted(...given)) kit.pendingMax -= 1;
    call(...given);
  });

export const gameFaults = {
  throws: (kit) =>
    change(kit, "call", (call) => (...given) => {
      call(...given);
      throw new Error("the launcher is not there");
    }),
  blocks: (kit) =>
    change(kit, "post", () => (url, body) => void spawnSync(process.execPath, ["-e", waitingPost, url, body])),
  "holds-frames": (kit, game) =>
    change(kit, "post", (post) => (url, body) => {
      post(url, body);
      setTimeout(() => game.block(800), 1);
    }),
  freezes: (_, game) => {
    game.passMs = async () => undefined;
  },
  groups: (kit) => {
    const said = new Set<Text>();
    change(kit, "call", (call) => (service, text, members) => {
      if (!said.has(text)) call(service, text, members);
      said.add(text);
    });
  },
  "no-limit": (kit) => change(kit, "pendingMax", () => Number.POSITIVE_INFINITY),
  "limit-of-ten": (kit) => change(kit, "pendingMax", () => 10),
  "leaks-pending": (kit) => change(kit, "pending", (pending) => Object.assign(pending, { delete: () => false })),
  "drops-oldest": (kit) =>
    change(kit, "call", (call) => (...given) => {
      const [oldest] = kit.pending;
      if (oldest && kit.pending.size === kit.pendingMax) kit.pending.delete(oldest.destroy());
      call(...given);
    }),
  "counts-what-is-off": (kit) => countToo(kit, (service) => !kit.isOn(service)),
  "counts-empties": (kit) => countToo(kit, (_, text) => !text),
  "stops-when-paused": (kit, game) => deafen(kit, () => game.isPaused),
  "only-in-frames": (kit, game) => deafen(kit, () => game.isOutside),
  "deaf-at-first": (kit, game) => deafen(kit, () => game.frames === 0),
  "one-a-frame": (kit, game) => {
    let last = -1;
    deafen(kit, () => {
      const isSecond = last === game.frames;
      last = game.frames;
      return isSecond;
    });
  },
  "late-quit": (kit) =>
    change(kit, "quit", (quit) => async () => {
      await quit();
      await new Promise((done) => setTimeout(done, 4_000));
    }),
  "waits-for-answers": (kit) => change(kit, "quitFlushMs", () => 4_000),
  "forgets-the-last": (kit) => change(kit, "quit", () => async () => undefined),
} satisfies Faults;

// Tests of what the desktop says of saved clips, and when it says nothing.
import assert from "node:assert/strict";
import type { Message, RecorderSettings } from "@kit/contract";
import { textOf } from "@kit/contract";
import { message } from "@kit/contract/messages";
import { test } from "vitest";
import { until } from "../../test/support/until.ts";
import { type Say, sayIn } from "../reader-language.ts";
import { createClipNotices } from "./clip-notices.ts";

type Mode = RecorderSettings["clipNotice"];

function openNotices(mode: Mode, pauseMs = 10_000, say: Say = textOf) {
  const world = { mode, filled: false as boolean | undefined, unavailable: null as Message | null, knowsScreen: true };
  const shown: string[] = [];
  const notices = createClipNotices({
    mode: () => world.mode,
    desktop: {
      async show({ title, body }) {
        shown.push(`${title}: ${body}`);
        return null;
      },
      trouble: async () => world.unavailable,
    },
    isScreenFilled: async () => world.filled,
    say,
    gameName: (game) => game.toUpperCase(),
    knowsScreen: true,
    pauseMs,
  });
  return { world, shown, notices };
}

test("the first clip is told at once, and those soon after it together", async () => {
  const { shown, notices } = openNotices("windowed", 50);
  for (const title of ["Boss defeated", "A", "B", "C", "D", "E"]) notices.saved(title, "saga");
  await until("both are shown", async () => shown.length === 2);
  assert.deepEqual(shown, [
    "Clip saved: Boss defeated (SAGA)",
    "5 clips saved: A (SAGA), B (SAGA), C (SAGA), D (SAGA), …",
  ]);
  await notices.stop();
});

test("a notification is in the language of the system, also the title that Kit made up", async () => {
  const { shown, notices } = openNotices("windowed", 10_000, await sayIn("ja"));
  notices.saved(message("clip.saved_by_you", { time: "21:04" }), "saga");
  await until("it is shown", async () => shown.length === 1);
  assert.match(shown[0] ?? "", /[ぁ-ん].*21:04.*（?\(SAGA\)/u);
  assert.doesNotMatch(shown[0] ?? "", /Saved|Clip/u);
  await notices.stop();
});

test("nothing is shown over a window that fills the screen, nor where that is not known, unless a person wants it", async () => {
  for (const filled of [true, undefined]) {
    const { world, shown, notices } = openNotices("windowed");
    world.filled = filled;
    notices.saved("Boss defeated", null);
    await notices.stop();
    assert.deepEqual(shown, []);
    const always = openNotices("always");
    always.world.filled = filled;
    always.notices.notSaved("Waits for a game's first event");
    await always.notices.stop();
    assert.deepEqual(always.shown, ["No clip saved: Waits for a game's first event"]);
  }
});

test("switched off, or without a program that shows it, nothing is tried", async () => {
  const { world, shown, notices } = openNotices("off");
  notices.saved("Boss defeated", null);
  world.mode = "always";
  world.unavailable = message("notice.no_notify_send");
  notices.marked("Marked by you, 21:04");
  await notices.stop();
  assert.deepEqual(shown, []);
  assert.match(textOf((await notices.trouble()) ?? ""), /notify-send/u);
  world.mode = "off";
  assert.equal(await notices.trouble(), null);
});

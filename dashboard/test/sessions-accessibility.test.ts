// No violation that axe can find in the sessions and in one of them: both themes, wide and at 360 px.
import assert from "node:assert/strict";
import { test } from "node:test";
import { skipWithout } from "../../tools/engines/locate.ts";
import { assertAccessible, inColours, narrow } from "./accessible.ts";
import { fullTimeline, runningOf, sessionIdOf, sessionOf } from "./session-samples.ts";
import { lineWith, type SessionStage, shareSessionStage, track } from "./session-stage.ts";

const skip = skipWithout("Chromium", "ffmpeg");

async function assertFine({ page }: SessionStage, state: string): Promise<void> {
  const overhangPx = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.equal(overhangPx, 0, `${state}: nothing sticks out to the side`);
  for (const colorScheme of ["light", "dark"] as const) {
    await inColours(page, colorScheme);
    await assertAccessible(page, `${state}, ${colorScheme}`);
  }
}

for (const [size, viewport] of [
  ["wide", { width: 1280, height: 800 }],
  ["at 360 px", narrow],
] as const) {
  // The page's own policy would stop axe too; only here it is set aside. Motion is off, or colours are caught half-way.
  test(`sessions are accessible ${size} in both colours`, { skip }, async (t) => {
    const open = shareSessionStage(skip, { viewport, bypassCSP: true, reducedMotion: "reduce" });
    await t.test("from the first visit to one that is open", async () => {
      const empty = await open("#/sessions");
      await empty.page.getByRole("heading", { name: "No sessions yet" }).waitFor();
      await assertFine(empty, "no sessions yet");
      const sessions = [
        runningOf(0),
        sessionOf(1, { ending: "crashed", signal: "SIGSEGV", program: "lantern.x86_64" }),
        sessionOf(2, { ending: "killed", signal: "SIGKILL", game: null }),
        sessionOf(3, { ending: "quiet", exitCode: null }),
        sessionOf(4),
      ];
      const listed = await open("#/sessions", { sessions });
      await listed.page.getByText("Crashed: SIGSEGV").waitFor();
      await assertFine(listed, "list");
      const session = sessionOf(2, { ending: "crashed", signal: "SIGSEGV", crash: sessionIdOf(7) });
      const one = await open(`#/sessions/${session.id}`, { timelines: { [session.id]: [fullTimeline(session)] } });
      await lineWith(one.page, "secret found").first().waitFor();
      await assertFine(one, "one session");
      await lineWith(one.page, "all friends").getByRole("button").click();
      await one.page.getByRole("complementary", { name: "all friends" }).locator("video").waitFor();
      await track(one.page).focus();
      await one.page.keyboard.press("+");
      await assertFine(one, "one session with a clip open, zoomed");
      await one.page.keyboard.press("?");
      await one.page.getByRole("dialog", { name: "Keys" }).waitFor();
      await assertFine(one, "help");
      const gone = await open(`#/sessions/${sessionIdOf(9)}`);
      await gone.page.getByRole("heading", { name: "Not to be found" }).waitFor();
      await assertFine(gone, "a session that is not there");
    });
  });
}

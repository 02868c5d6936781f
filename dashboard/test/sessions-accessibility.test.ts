// No violation that axe can find in the sessions and in one of them: both themes, wide and at 360 px.
import { test } from "node:test";
import { skipWithout } from "../../tools/engines/locate.ts";
import { assertFine, narrow } from "./accessible.ts";
import { fullTimeline, runningOf, sessionIdOf, sessionOf } from "./session-samples.ts";
import { lineWith, shareSessionStage, track } from "./session-stage.ts";

const skip = skipWithout("Chromium", "ffmpeg");

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
      await assertFine(empty.page, "no sessions yet");
      const sessions = [
        runningOf(0),
        sessionOf(1, { ending: "crashed", signal: "SIGSEGV", program: "lantern.x86_64" }),
        sessionOf(2, { ending: "killed", signal: "SIGKILL", game: null }),
        sessionOf(3, { ending: "quiet", exitCode: null }),
        sessionOf(4),
      ];
      const listed = await open("#/sessions", { sessions });
      await listed.page.getByText("Crashed: SIGSEGV").waitFor();
      await assertFine(listed.page, "list");
      const session = sessionOf(2, { ending: "crashed", signal: "SIGSEGV", crash: sessionIdOf(7) });
      const one = await open(`#/sessions/${session.id}`, { timelines: { [session.id]: [fullTimeline(session)] } });
      await lineWith(one.page, "secret found").first().waitFor();
      await assertFine(one.page, "one session");
      await lineWith(one.page, "all friends").getByRole("button").click();
      await one.page.getByRole("complementary", { name: "all friends" }).locator("video").waitFor();
      await track(one.page).focus();
      await one.page.keyboard.press("+");
      await assertFine(one.page, "one session with a clip open, zoomed");
      await one.page.keyboard.press("?");
      await one.page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
      await assertFine(one.page, "help");
      const gone = await open(`#/sessions/${sessionIdOf(9)}`);
      await gone.page.getByRole("heading", { name: "Not found" }).waitFor();
      await assertFine(gone.page, "a session that is not there");
    });
  });
}

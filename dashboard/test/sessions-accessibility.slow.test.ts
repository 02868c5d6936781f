// Tests of accessibility with axe: the sessions and one of them, in both colour schemes, wide and at 360 px.
import { describe, test } from "vitest";
import { skipWithout } from "../../tools/engines/locate.ts";
import { assertAccessibleInBothSchemes, narrow } from "./accessible.ts";
import { fullTimeline, runningOf, sessionIdOf, sessionOf } from "./session-samples.ts";
import { lineWith, shareSessionStage, track } from "./session-stage.ts";

const skip = skipWithout("Chromium", "ffmpeg");

for (const [size, viewport] of [
  ["wide", { width: 1280, height: 800 }],
  ["at 360 px", narrow],
] as const) {
  // The page's own security policy would block axe. Motion is off, so that no colour is measured during a transition.
  describe(`sessions are accessible ${size} in both colour schemes`, { skip }, () => {
    const open = shareSessionStage(skip, { viewport, bypassCSP: true, reducedMotion: "reduce" });
    test("every state, from the empty list on", async () => {
      const empty = await open("#/sessions");
      await empty.page.getByRole("heading", { name: "No sessions yet" }).waitFor();
      await assertAccessibleInBothSchemes(empty.page, "no sessions yet");
      const sessions = [
        runningOf(0),
        sessionOf(1, { ending: "crashed", signal: "SIGSEGV", program: "lantern.x86_64" }),
        sessionOf(2, { ending: "killed", signal: "SIGKILL", game: null }),
        sessionOf(3, { ending: "quiet", exitCode: null }),
        sessionOf(4),
      ];
      const listed = await open("#/sessions", { sessions });
      await listed.page.getByText("Crashed: SIGSEGV").waitFor();
      await assertAccessibleInBothSchemes(listed.page, "list");
      const session = sessionOf(2, { ending: "crashed", signal: "SIGSEGV", crash: sessionIdOf(7) });
      const one = await open(`#/sessions/${session.id}`, { timelines: { [session.id]: [fullTimeline(session)] } });
      await lineWith(one.page, "secret found").first().waitFor();
      await assertAccessibleInBothSchemes(one.page, "one session");
      await lineWith(one.page, "all friends").getByRole("button").click();
      await one.page.getByRole("complementary", { name: "all friends" }).locator("video").waitFor();
      await track(one.page).focus();
      await one.page.keyboard.press("+");
      await assertAccessibleInBothSchemes(one.page, "one session with a clip open, zoomed");
      await one.page.keyboard.press("?");
      await one.page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
      await assertAccessibleInBothSchemes(one.page, "help");
      const gone = await open(`#/sessions/${sessionIdOf(9)}`);
      await gone.page.getByRole("heading", { name: "Not found" }).waitFor();
      await assertAccessibleInBothSchemes(gone.page, "a session that does not exist");
    });
  });
}

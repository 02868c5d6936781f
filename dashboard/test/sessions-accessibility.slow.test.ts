// Tests of accessibility with axe: the sessions and one of them, in both colour schemes, wide and at 360 px.
import { test } from "vitest";
import { skipWithout } from "../../tools/engines/locate.ts";
import { assertAccessibleInBothSchemes, narrow } from "./accessible.ts";
import { answerAs } from "./answer-as.ts";
import { answerMedia } from "./clip-media.ts";
import { launcherWithSessions } from "./component/fake-sessions.ts";
import { fullTimeline, runningOf, sessionIdOf, sessionOf } from "./session-samples.ts";
import { openStage } from "./stage.ts";

const skip = skipWithout("Chromium", "ffmpeg");

for (const [size, viewport] of [
  ["wide", { width: 1280, height: 800 }],
  ["at 360 px", narrow],
] as const) {
  test(`sessions are accessible ${size} in both colour schemes, in every state`, { skip }, async () => {
    const session = sessionOf(2, { ending: "crashed", signal: "SIGSEGV", crash: sessionIdOf(7) });
    const { launcher: fake, kept } = launcherWithSessions({ timelines: { [session.id]: [fullTimeline(session)] } });
    const prepare = async (page: Parameters<typeof answerAs>[0]) => {
      await answerAs(page, fake);
      await answerMedia(page);
    };
    // The page's own security policy would block axe.
    await using stage = await openStage({ viewport, bypassCSP: true, prepare });
    const { page, launcher } = stage;
    const go = (fragment: string) => page.goto(`http://127.0.0.1:${launcher.port}/${fragment}`);
    await go("#/sessions");
    await page.getByRole("heading", { name: "No sessions yet" }).waitFor();
    await assertAccessibleInBothSchemes(page, "no sessions yet");
    kept.sessions = [
      runningOf(0),
      sessionOf(1, { ending: "crashed", signal: "SIGSEGV", program: "lantern.x86_64" }),
      sessionOf(2, { ending: "killed", signal: "SIGKILL", game: null }),
      sessionOf(3, { ending: "quiet", exitCode: null }),
      sessionOf(4),
    ];
    await page.reload();
    await page.getByText("Crashed: SIGSEGV").waitFor();
    await assertAccessibleInBothSchemes(page, "list");
    const line = (text: string) => page.locator(".item").filter({ hasText: text });
    await go(`#/sessions/${session.id}`);
    await line("secret found").first().waitFor();
    await assertAccessibleInBothSchemes(page, "one session");
    await line("all friends").getByRole("button").click();
    await page.getByRole("complementary", { name: "all friends" }).locator("video").waitFor();
    await page.getByRole("slider", { name: "What happened, in chronological order" }).focus();
    await page.keyboard.press("+");
    await assertAccessibleInBothSchemes(page, "one session with a clip open, zoomed");
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
    await assertAccessibleInBothSchemes(page, "help");
    await go(`#/sessions/${sessionIdOf(9)}`);
    await page.getByRole("heading", { name: "Not found" }).waitFor();
    await assertAccessibleInBothSchemes(page, "a session that does not exist");
  });
}

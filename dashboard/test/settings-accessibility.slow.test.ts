// Tests of the Settings page's accessibility and width in both colour schemes.
import { test } from "vitest";
import { skipWithout } from "../../tools/engines/locate.ts";
import { assertAccessibleInBothSchemes, narrow } from "./accessible.ts";
import { openStage } from "./stage.ts";

const skip = skipWithout("Chromium");

test("the Settings page is accessible in both colour schemes, wide and on a phone", { skip }, async () => {
  await using stage = await openStage({ bypassCSP: true });
  const { page, launcher } = stage;
  await launcher.send("recording", { eventId: "saga_boss" }, { origin: "https://html-classic.itch.zone" });
  await page.getByRole("link", { name: "Settings" }).click();
  await page.getByText("Waiting for your decision").waitFor();
  await page.getByText("Kit 0.").waitFor();
  // The recorder's link appears after the launcher's reply about the recorder.
  await page.getByText("Recorder settings").waitFor();
  for (const summary of await page.locator("main summary").all()) await summary.click();
  for (const [state, size] of [
    ["Settings", { width: 1280, height: 800 }],
    ["Settings on a phone", narrow],
  ] as const) {
    await page.setViewportSize(size);
    await assertAccessibleInBothSchemes(page, state);
  }
});

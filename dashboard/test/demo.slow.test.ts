// A test of the demo in a real browser with the real launcher: playing, stopping, deleting and undoing.
import assert from "node:assert/strict";
import { test } from "vitest";
import { skipWithout } from "../../tools/engines/locate.ts";
import { assertAccessible, inColours } from "./accessible.ts";
import { openPage, openStage, rowWith } from "./stage.ts";

// The tests must not store keys in the keyring of whoever runs them.
process.env.KIT_SECRETS = "file";

const skip = skipWithout("Chromium");

/** The first two steps are soon over, so the page may be too late to show them. */
const fromTheStarsOn = /catches five stars|finds the jewel|[Cc]hest|boss is defeated/u;

test("the demo plays, can be stopped, and its data can be deleted with a chance to undo", { skip }, async () => {
  await using stage = await openStage();
  const { page, complaints } = stage;
  const demo = page.getByRole("region", { name: /^Try the demo/ });
  await demo.getByText("The demo runs without a window").waitFor();
  await demo.getByRole("button", { name: "Play the demo" }).click();
  // The first event of the demo ends the empty state of the Live page. The Connect page shows the rest.
  await rowWith(page, "kit_demo_started").getByText("Kit's demo", { exact: true }).waitFor();
  await openPage(page, "Connect");
  await demo.getByRole("progressbar", { name: "Demo progress" }).waitFor();
  await demo.getByRole("status").filter({ hasText: fromTheStarsOn }).waitFor();
  await demo.getByRole("button", { name: "Stop the demo" }).click();
  await demo.getByText("The demo is over.").waitFor();
  await demo.getByRole("listitem").filter({ hasText: "Five stars in a row" }).getByText("Marker saved").waitFor();
  for (const colours of ["light", "dark"] as const) {
    await inColours(page, colours);
    await assertAccessible(page, `demo, ${colours}`);
  }
  await demo.getByRole("button", { name: "Delete the demo's data" }).click();
  await demo.getByText(/All demo data will be deleted in \d+ s/).waitFor();
  await demo.getByRole("button", { name: "Cancel the deletion" }).click();
  await demo.getByRole("button", { name: "Delete the demo's data" }).waitFor();
  await demo.getByRole("link", { name: "Everything on one timeline" }).click();
  await page.getByText("star streak").first().waitFor();
  assert.deepEqual(complaints, []);
});

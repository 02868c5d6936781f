// Tests of reels in the gallery: of the best moments of a day, and of selected clips.
import assert from "node:assert/strict";
import { listClips } from "@kit/contract";
import { screen, waitFor, within } from "@testing-library/react";
import { test } from "vitest";
import { clipOf } from "../../../../test/clip-samples.ts";
import { assertAccessible } from "../../../../test/component/accessible.ts";
import { launcherWithClips } from "../../../../test/component/fake-clips.ts";
import { fill } from "../../../../test/component/fill.ts";
import { openApp } from "../../../../test/component/open-app.tsx";

const theDialog = async () => within(await screen.findByRole("dialog", { name: "Make a reel" }));
type Shown = Awaited<ReturnType<typeof theDialog>>;
const hasParts = (dialog: Shown, ...titles: string[]) =>
  waitFor(() => {
    const fields = dialog.getAllByRole<HTMLInputElement>("textbox", { name: /^Title of the part/u });
    assert.deepEqual(
      fields.map(({ value }) => value),
      titles,
    );
  });
const cardWith = (text: string) =>
  [...document.querySelectorAll<HTMLElement>(".clip-card")].find(({ textContent }) => textContent?.includes(text));

test("the best moments of a day become a reel, from the heading of that day", async () => {
  const at = (daysAgo: number, minute: number) => {
    const noon = new Date();
    noon.setDate(noon.getDate() - daysAgo);
    noon.setHours(12, minute, 0, 0);
    return { startedAt: noon.toISOString() };
  };
  const clips = [
    clipOf(1, { title: "alone", ...at(2, 0) }),
    clipOf(2, { title: "second", priority: 700, ...at(3, 20) }),
    clipOf(3, { title: "first", priority: 600, ...at(3, 10) }),
    clipOf(4, { title: "an error", subject: "error", ...at(3, 5) }),
  ];
  const { launcher } = launcherWithClips({ clips });
  launcher.when(listClips).reply(({ query: { sort, ...query } }) => {
    if (sort !== "best") return { clips, more: false, bytes: 0, quotaBytes: 1 };
    assert.deepEqual([query.kind, query.state, query.subject], ["clip", "saved", "highlight"]);
    assert.ok(query.from && query.to && query.from <= at(3, 10).startedAt && at(3, 20).startedAt < query.to);
    return { clips: clips.slice(1, 3), more: false, bytes: 0, quotaBytes: 1 };
  });
  const { user } = await openApp("#/clips", launcher);
  // Only one day has two moments to join.
  await user.click(await screen.findByRole("button", { name: "Reel of this day" }));
  const dialog = await theDialog();
  await hasParts(dialog, "first", "second");
  await assertAccessible();
  await user.click(dialog.getByRole("button", { name: "Make the reel" }));
  await waitFor(() => assert.equal(launcher.changes.length, 1));
  const { parts } = JSON.parse((launcher.changes[0] ?? "").replace("POST /api/reels ", ""));
  const ids = [clips[2]?.id, clips[1]?.id];
  assert.deepEqual(
    parts.map((part: { clip: string }) => part.clip),
    ids,
  );
  // The day's other clips are hidden, so a reel of the day would be a surprise.
  await user.type(screen.getByRole("searchbox"), "first");
  await waitFor(() => assert.ok(!screen.queryByRole("button", { name: "Reel of this day" })));
});

test("selected clips become a reel whose parts are ordered, shortened and named with the keyboard", async () => {
  const clips = [3, 2, 1].map((n) => clipOf(n, { title: `part ${n}`, startedAt: `2026-05-03T10:0${n}:00.000Z` }));
  const { launcher, user } = await openApp("#/clips", launcherWithClips({ clips }).launcher);
  for (const { title } of clips) await user.click(await screen.findByRole("checkbox", { name: `Select: ${title}` }));
  await user.click(screen.getByRole("button", { name: "Make a reel" }));
  const dialog = await theDialog();
  await hasParts(dialog, "part 1", "part 2", "part 3");
  dialog.getByRole("button", { name: "Move up: part 3" }).focus();
  await user.keyboard("{Enter}");
  await hasParts(dialog, "part 1", "part 3", "part 2");
  // The moved row keeps the focus, so that the next key moves it on.
  await user.keyboard("{Enter}");
  await hasParts(dialog, "part 3", "part 1", "part 2");
  dialog.getByRole("textbox", { name: "Title of the part: part 2" }).focus();
  await user.keyboard("{Alt>}{ArrowUp}{/Alt}");
  await hasParts(dialog, "part 3", "part 2", "part 1");
  fill(dialog.getByRole("textbox", { name: "Title of the part: part 2" }), "the end");
  await user.click(dialog.getByRole("button", { name: "Remove from the reel: part 1" }));
  fill(dialog.getByRole("textbox", { name: "From second: part 3" }), "99");
  await dialog.findByText(/Check the seconds/u);
  const make = () => dialog.getByRole("button", { name: "Make the reel" });
  assert.ok(make().hasAttribute("disabled"));
  fill(dialog.getByRole("textbox", { name: "From second: part 3" }), "1.5");
  fill(dialog.getByRole("textbox", { name: "End, in seconds: part 3" }), "4");
  fill(dialog.getByRole("textbox", { name: "Title of the reel" }), "Last night");
  await user.click(dialog.getByRole("switch", { name: /^Fade between the parts/u }));
  await user.click(make());
  await waitFor(() => assert.match(cardWith("Last night")?.textContent ?? "", /Making the reel: 40 %, 0:12 left/u));
  const [asked = ""] = launcher.changes;
  assert.deepEqual(JSON.parse(asked.replace("POST /api/reels ", "")), {
    title: "Last night",
    fade: true,
    parts: [
      { clip: clips[0]?.id, fromSeconds: 1.5, toSeconds: 4, title: "part 3" },
      { clip: clips[1]?.id, title: "the end" },
    ],
  });
  await user.click(screen.getByRole("button", { name: "Cancel the reel: Last night" }));
  await waitFor(() => assert.ok(!cardWith("Last night")));
  assert.equal(launcher.changes.at(-1), `DELETE /api/reels/${clipOf(901).id}`);
});

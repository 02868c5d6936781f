// Tests of file names: for any game and event, a clip's file name is plain, short, and in the clips folder.
import assert from "node:assert/strict";
import { dirname, join, resolve, win32 } from "node:path";
import fc from "fast-check";
import { test } from "vitest";
import { beganMs, momentAt, planWith } from "../../../test/recording/clips-folder.ts";
import { downloadNameOf, fileBaseName, namePartsForPlan, numberedName } from "./file-names.ts";

const atMs = new Date(2026, 10, 21, 9, 5, 3).getTime();

test("a name has the time, the game and the event", () => {
  const name = numberedName(fileBaseName({ atMs, game: "saga", event: "Boss defeated" }), ".mp4", 1);
  assert.equal(name, "2026-11-21 09-05-03 Saga Boss-defeated.mp4");
});

test("letters lose their accents, and characters without a plain letter are left out", () => {
  assert.equal(fileBaseName({ atMs, game: "Élan Vital", event: "öffnet" }), "2026-11-21 09-05-03 Elan-Vital offnet");
  assert.equal(fileBaseName({ atMs, game: "東方", event: "..." }), "2026-11-21 09-05-03");
  const named = { atMs, game: "saga", event: "ボスを倒した", eventId: "saga_boss" };
  assert.equal(fileBaseName(named), "2026-11-21 09-05-03 Saga saga_boss");
  assert.equal(fileBaseName({ atMs, game: null, event: "CON" }), "2026-11-21 09-05-03 CON");
});

test("a clip is named after its best moment", () => {
  const step = { ...momentAt(beganMs), label: "Step taken", priority: 100 };
  const boss = { ...momentAt(beganMs + 1_000), label: "Boss defeated", priority: 900 };
  const error = { ...momentAt(beganMs + 500, "monitor"), label: "No key", priority: 1_000 };
  const { event, atMs } = namePartsForPlan(planWith({ moments: [step, error, boss] }));
  assert.deepEqual([event, atMs], ["Boss defeated", boss.atMs]);
});

test("a plan keeps its name when later moments of the same priority joined it", () => {
  const plan = planWith();
  const longer = { ...plan, toMs: plan.toMs + 5_000, moments: [...plan.moments, momentAt(plan.toMs + 2_000)] };
  assert.deepEqual(namePartsForPlan(longer), namePartsForPlan(plan));
});

test("a download is named by the title of its clip in its own letters, as far as every OS takes them", () => {
  const nameOf = (title: string) => downloadNameOf("2026-11-21 09-05-03 Saga.mp4", { game: "saga", title });
  const named = (title: string) => nameOf(title).replace(/^2026-11-21 09-05-03 Saga ?(.*)\.mp4$/, "$1");
  assert.equal(nameOf("ボスを倒した"), "2026-11-21 09-05-03 Saga ボスを倒した.mp4");
  assert.equal(named("Night/Day: Remnants"), "Night-Day- Remnants");
  assert.equal(named("Crypt of A\\B?"), "Crypt of A-B");
  assert.equal(named('<Caves> | "Deep" *1*'), "Caves- - -Deep- -1");
  assert.equal(named("Trailing dot."), "Trailing dot");
  assert.equal(named("CON"), "CON", "the date is in front");
  assert.equal(named(".."), "");
  assert.equal(named("Café 🐟 👩‍🚀 Über-Straße"), "Café 🐟 👩‍🚀 Über-Straße");
  assert.equal(named("é".repeat(300)), "é".repeat(60));
  const foreign = "my own ファイル.mp4";
  assert.equal(downloadNameOf(foreign, { game: null, title: "Boss" }), foreign, "a person named this file");
});

const hostile = fc.oneof(
  fc.string({ unit: "binary", maxLength: 300 }),
  fc.string({ unit: "grapheme", maxLength: 100 }),
  fc
    .array(
      fc.constantFrom(
        "..",
        "/",
        "\\",
        ":",
        "\0",
        "CON",
        "NUL",
        "aux.",
        " ",
        ".",
        "%2e",
        "~",
        "$(x)",
        "`",
        "-i",
        "\u202e",
        "file:",
        "|",
      ),
      { maxLength: 30 },
    )
    .map((parts) => parts.join("")),
);

test("10,000 hostile names stay in the folder, on every system", () => {
  const folder = resolve("/clips/of a person");
  const check = (game: string | null, event: string, nth: number) => {
    const name = numberedName(fileBaseName({ atMs, game, event }), ".mp4", nth);
    assert.match(name, /^2026-11-21 09-05-03( [A-Za-z0-9_-]+)*( \d+)?\.mp4$/);
    assert.ok(name.length <= 120, name);
    assert.equal(dirname(join(folder, name)), folder);
    assert.equal(win32.basename(name), name);
    assert.ok(!/[-. ]\.mp4$/.test(name), name);
    const download = downloadNameOf(name, { game, title: event });
    assert.doesNotMatch(download, /[\p{Cc}\u202a-\u202e\\/:*?"<>|]|^ | (?=\.mp4$)/u);
    assert.equal(win32.basename(download), download);
    assert.ok(Buffer.byteLength(download) <= 210, download);
  };
  fc.assert(fc.property(fc.option(hostile), hostile, fc.integer({ min: 1, max: 999 }), check), { numRuns: 10_000 });
});

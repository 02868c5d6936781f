// Tests of file names: for any game and event, a clip's file name is plain, short, and in the clips folder.
import assert from "node:assert/strict";
import { dirname, join, resolve, win32 } from "node:path";
import fc from "fast-check";
import { test } from "vitest";
import { beganMs, momentAt, planWith } from "../../../test/recording/clips-folder.ts";
import { fileBaseName, namePartsForPlan, numberedName } from "./file-names.ts";

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
  };
  fc.assert(fc.property(fc.option(hostile), hostile, fc.integer({ min: 1, max: 999 }), check), { numRuns: 10_000 });
});

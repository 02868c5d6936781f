// Tests of assembled clips with real footage: every picture of the planned range is at its time, as ffmpeg decodes it.
import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, test } from "vitest";
import { skipWithout } from "../../../../tools/engines/locate.ts";
import type { ClipPlan } from "../plans/plan.ts";
import { momentOf, planOf } from "../plans/test/plan-of.ts";
import { assembleMovie } from "./assemble.ts";
import type { Fragment } from "./fragment.ts";
import { fragmentsOf, type Recording, record, run, type Stamp, stampsIn } from "./test/stamped-footage.ts";

const startMs = 1_790_000_000_000;
const frameMs = 1000 / 30;

describe("clips of stamped footage", { skip: skipWithout("ffmpeg") }, () => {
  let folder: string;
  let plain: Fragment[];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "kit-mp4-"));
    plain = await footage({ seconds: 8 });
  });
  afterAll(() => rm(folder, { recursive: true }));

  const footage = async (recording: Partial<Recording>) =>
    fragmentsOf(await record({ startMs, seconds: 6, ...recording }));

  const order = (fromMs: number, toMs: number, more: Partial<ClipPlan> = {}) =>
    planOf(startMs + fromMs, startMs + toMs, more);

  async function clip(fragments: readonly Fragment[], plan: ClipPlan, offsetMs = 0) {
    const { parts, footage: made } = assembleMovie(fragments, plan, offsetMs);
    const file = join(folder, `${Math.round(plan.fromMs)}-${Math.round(plan.toMs)}.mp4`);
    await writeFile(file, parts);
    return { file, made, stamps: await stampsIn(file) };
  }

  /** A player shows the picture of each time within one picture's length. */
  function assertTrue(stamps: readonly Stamp[], fromMs: number, shiftMs = 0): void {
    for (const { atMs, shownMs } of stamps) {
      assert.ok(Math.abs(shownMs + shiftMs - fromMs - atMs) <= frameMs, `${shownMs} is shown ${atMs} after ${fromMs}`);
    }
  }

  test("a clip shows exactly the pictures of its range, from the first to the last", async () => {
    for (const recording of [{}, { uneven: true }, { keySeconds: 3 }]) {
      const fragments = await footage(recording);
      const plan = order(1512, 4321);
      const { made, stamps } = await clip(fragments, plan);
      const inside = fragments
        .flatMap(({ video }) => video)
        .filter(({ presentTicks }) => presentTicks >= plan.fromMs * 90 && presentTicks < plan.toMs * 90);
      assert.equal(stamps.length, inside.length);
      assert.deepEqual([made.fromMs, made.toMs, made.frames, made.gaps], [plan.fromMs, plan.toMs, stamps.length, []]);
      assertTrue(stamps, plan.fromMs);
      assert.ok((stamps[0] as Stamp).shownMs >= plan.fromMs - 1 && (stamps.at(-1) as Stamp).shownMs < plan.toMs);
    }
  });

  test("adjacent ranges share no picture and lose none", async () => {
    const edges = [1000, 1517, 1600, 2250, 3001, 4990];
    const shown: number[] = [];
    for (const [i, edge] of edges.slice(0, -1).entries()) {
      const { stamps } = await clip(plain, order(edge, edges[i + 1] as number));
      shown.push(...stamps.map(({ shownMs }) => shownMs));
    }
    assert.equal(new Set(shown).size, shown.length, "a picture is in two clips");
    assert.deepEqual(
      shown,
      shown.toSorted((a, b) => a - b),
    );
    assert.ok(
      Math.max(...shown.slice(1).map((ms, i) => ms - (shown[i] as number))) < 2 * frameMs,
      "a picture is in no clip",
    );
  });

  test("pictures decoded in another order than shown are cut just as exactly", async () => {
    for (const recording of [{ reordered: true }, { reordered: true, keySeconds: 3, sound: true }]) {
      const fragments = await footage(recording);
      // The muxer counts from the first picture decoded, which is not the first one shown.
      const lateMs = (fragments[0] as Fragment).startMs - startMs;
      for (const [fromMs, toMs] of [
        [1512, 4321],
        [1601, 4372],
        [2999, 5050],
      ] as const) {
        const plan = order(fromMs, toMs);
        const { made, stamps } = await clip(fragments, plan);
        assert.equal(stamps.length, made.frames);
        assertTrue(stamps, plan.fromMs, lateMs);
        const steps = stamps.slice(1).map(({ shownMs }, i) => shownMs - (stamps[i] as Stamp).shownMs);
        assert.ok(
          steps.every((step) => step > 0 && step < 2 * frameMs),
          `steps ${steps}`,
        );
      }
    }
  });

  test("a file whose times begin at 0 is cut by the clock time of that 0", async () => {
    const fragments = fragmentsOf(await record({ startMs: 0, seconds: 5 }));
    const { made, stamps } = await clip(fragments, order(1512, 3100), startMs);
    assert.deepEqual([made.fromMs, made.toMs, made.frames], [startMs + 1512, startMs + 3100, stamps.length]);
    assertTrue(stamps, startMs + 1512, startMs);
  });

  test("footage that begins late or ends early is reported, and nothing replaces the missing part", async () => {
    const { made, stamps } = await clip(plain, order(-4000, 20_000));
    assert.deepEqual([made.fromMs, made.toMs, made.frames, made.gaps], [startMs, startMs + 8000, 240, []]);
    assertTrue(stamps, startMs);
    assert.throws(() => assembleMovie(plain, order(-4000, -1000)), { name: "NoFootage" });
    assert.throws(() => assembleMovie(plain, order(9000, 12_000)), { name: "NoFootage" });
    assert.throws(() => assembleMovie(plain, order(2000, 2000)), { name: "NoFootage" });
    assert.throws(() => assembleMovie([], order(0, 1000)), { name: "NoFootage" });
  });

  test("footage of a restarted encoder makes one clip, whose gap shows the last picture and is reported", async () => {
    const killed = await record({ startMs, seconds: 4 });
    const first = fragmentsOf(killed.subarray(0, Math.floor(killed.length * 0.7)));
    const again = fragmentsOf(await record({ startMs: startMs + 4500, seconds: 3 }));
    const endMs = (first.at(-1) as Fragment).endMs;
    const plan = order(1512, 6500);
    const { made, stamps } = await clip([...first, ...again], plan);
    assert.equal(stamps.length, made.frames);
    assert.deepEqual(
      made.gaps.map(({ fromMs, toMs }) => [Math.round(fromMs), toMs]),
      [[Math.round(endMs), startMs + 4500]],
    );
    assert.ok(endMs > startMs + 2000 && endMs < startMs + 4000);
    assertTrue(stamps, plan.fromMs);
    assert.deepEqual([made.fromMs, made.toMs], [plan.fromMs, plan.toMs]);
  });

  test("if the clock was set back, the later run replaces the same times of the earlier one", async () => {
    const wrong = await footage({ seconds: 4 });
    const right = await footage({ startMs: startMs + 2500, seconds: 3 });
    const { made, stamps } = await clip([...wrong, ...right], order(1000, 5000));
    assert.deepEqual([made.frames, made.gaps], [120, []]);
    assert.equal(stamps.length, 120);
    assertTrue(stamps, startMs + 1000);
  });

  test("runs that one decoder cannot play make a clip of the run with the first moment", async () => {
    const small = await footage({ seconds: 3 });
    const large = await footage({ startMs: startMs + 3000, seconds: 3, height: 128 });
    const both = [...small, ...large];
    const of = (atMs: number) =>
      assembleMovie(both, order(1000, 5000, { moments: [momentOf(startMs + atMs)] })).footage;
    assert.deepEqual([of(2000).fromMs, of(2000).toMs, of(2000).height], [startMs + 1000, startMs + 3000, 64]);
    assert.deepEqual([of(4000).fromMs, of(4000).toMs, of(4000).height], [startMs + 3000, startMs + 5000, 128]);
    assert.deepEqual(of(2000).otherFormat, [{ fromMs: startMs + 3000, toMs: startMs + 5000 }], "the rest is reported");
    assert.deepEqual(of(4000).otherFormat, [{ fromMs: startMs + 1000, toMs: startMs + 3000 }]);
  });

  test("footage of two runs of a game is never in one file, even if nothing else separates it", async () => {
    const again = fragmentsOf(await record({ startMs: startMs + 8000, seconds: 4 })).map((fragment) => ({
      ...fragment,
      subject: 1,
    }));
    const of = (atMs: number) =>
      assembleMovie([...plain, ...again], order(6000, 10_000, { moments: [momentOf(startMs + atMs)] })).footage;
    const before = { fromMs: startMs + 6000, toMs: startMs + 8000 };
    const after = { fromMs: startMs + 8000, toMs: startMs + 10_000 };
    assert.partialDeepStrictEqual(of(7000), { ...before, otherFormat: [after] });
    assert.partialDeepStrictEqual(of(9000), { ...after, otherFormat: [before] });
  });

  test("sound stays in sync with the pictures, also if it begins later", async () => {
    for (const late of [0, 2.5]) {
      const fragments = await footage({ sound: late });
      const { file, stamps } = await clip(fragments, order(1512, 4321));
      assertTrue(stamps, startMs + 1512);
      const samples = await run([
        "-i",
        file,
        "-map",
        "0:a:0",
        "-af",
        "aresample=async=1:first_pts=0",
        "-ac",
        "1",
        "-f",
        "f32le",
        "pipe:1",
      ]);
      const levels = new Float32Array(new Uint8Array(samples).buffer);
      const loud = levels.findIndex((level) => Math.abs(level) > 0.03) / 48;
      const expectedMs = late === 0 ? 0 : late * 1000 - 1512;
      assert.ok(Math.abs(loud - expectedMs) < 25, `sound begins at ${loud} ms, expected ${expectedMs}`);
      assert.ok(Math.abs(levels.length / 48 - 2809) < 25, `sound lasts ${levels.length / 48} ms`);
    }
  });

  test("other programs can read the title, comment and chapters", async () => {
    const long = "é".repeat(300);
    const moments = [
      momentOf(startMs + 900, "before the clip", "id-1"),
      momentOf(startMs + 3000, long, "id-2"),
      momentOf(startMs + 2000, "Boss „besiegt“ 🏆", "id-3"),
      momentOf(startMs + 9000, "after it", "id-4"),
    ];
    const { file } = await clip(plain, order(1500, 4500, { title: "Sieg\0 über alle", moments }));
    const metadata = (await run(["-i", file, "-f", "ffmetadata", "pipe:1"])).toString();
    assert.match(metadata, /^title=Sieg über alle$/m);
    assert.match(metadata, /^comment=\{"events":\["id-1","id-2","id-3","id-4"\]\}$/m);
    assert.ok(metadata.includes(`date=${new Date(startMs + 1_500).toISOString()}\n`), metadata);
    const [, first, second, ...others] = metadata.split("[CHAPTER]");
    assert.deepEqual(others, []);
    assert.match(first ?? "", /START=5000000\nEND=15000000\ntitle=Boss „besiegt“ 🏆\n/);
    assert.match(second ?? "", /START=15000000\nEND=30000000\n/);
    assert.equal(/title=(.*)/.exec(second ?? "")?.[1], "é".repeat(127));
  });

  test("the header comes first, and the file has the reported length", () => {
    const { parts, footage: made } = assembleMovie(plain, order(1500, 4500));
    const bytes = Buffer.concat(parts);
    assert.equal(bytes.length, made.bytes);
    const types: string[] = [];
    for (let at = 0; at < bytes.length; ) {
      types.push(bytes.toString("latin1", at + 4, at + 8));
      at += bytes.readUInt32BE(at) === 1 ? Number(bytes.readBigUInt64BE(at + 8)) : bytes.readUInt32BE(at);
    }
    assert.deepEqual(types, ["ftyp", "moov", "mdat"]);
  });
});

// Tests of a clip's pictures: posters before previews, one at a time, no preview while a clip is cut, and what failed is made when somebody looks.
import assert from "node:assert/strict";
import { test } from "vitest";
import { createClipPictures } from "./pictures.ts";

const saved = { kind: "clip", state: "saved", missing: false, deletedAt: null, poster: true, preview: true } as const;
const lacking = (id: string, what: "poster" | "preview") => ({ ...saved, id, [what]: false });

/** Pictures that are finished when the test says so. */
function studio() {
  const made: string[] = [];
  const failures: string[] = [];
  const world = { nowMs: 0, growing: "" };
  let running: { name: string; end: PromiseWithResolvers<void> } | undefined;
  const make = (name: string, signal?: AbortSignal) => {
    assert.equal(running, undefined, "only one picture is made at a time");
    const end = Promise.withResolvers<void>();
    running = { name, end };
    signal?.addEventListener("abort", () => end.reject(new Error("aborted")));
    if (signal?.aborted) end.reject(new Error("aborted"));
    return end.promise.finally(() => {
      running = undefined;
    });
  };
  const pictures = createClipPictures({
    find: async (id) =>
      id === "deleted"
        ? undefined
        : { file: `${id}.mp4`, fromMs: 0, deletedAtMs: null, moments: [], clip: { duration: 4 } },
    isGrowing: (id) => id === world.growing,
    monoMs: () => world.nowMs,
    files: {
      createFolders: async () => {},
      makePoster: (id) => make(`poster ${id}`),
      makePreview: (id, _file, _offsetMs, signal) => make(`preview ${id}`, signal),
    },
    write: async (...[statement]) =>
      void made.push(`${/poster|preview/.exec(statement?.text ?? "")} ${statement?.values}`),
    onChanged() {},
    onFailure: (what) => failures.push(what),
  });
  const settled = () => new Promise<void>((resolve) => setImmediate(resolve));
  return {
    pictures,
    world,
    made,
    failures,
    running: () => running?.name,
    settled,
    async end(error?: Error) {
      if (error === undefined) running?.end.resolve();
      else running?.end.reject(error);
      await settled();
    },
  };
}

test("a poster is made before every waiting preview", async () => {
  const { pictures, running, settled, end, made } = studio();
  pictures.requestPreview("a");
  pictures.requestPreview("b");
  pictures.requestPoster("c");
  await settled();
  assert.equal(running(), "preview a");
  await end();
  assert.equal(running(), "poster c");
  await end();
  assert.equal(running(), "preview b");
  await end();
  assert.deepEqual([running(), made], [undefined, ["preview a", "poster c", "preview b"]]);
});

test("a preview stops at once when a cut starts, and is made after the last cut", async () => {
  const { pictures, running, settled, end, failures } = studio();
  pictures.requestPreview("a");
  pictures.pausePreviews();
  pictures.pausePreviews();
  await settled();
  assert.equal(running(), undefined);
  pictures.requestPoster("b");
  await settled();
  assert.equal(running(), "poster b", "a poster is made during a cut");
  await end();
  pictures.resumePreviews();
  await settled();
  assert.equal(running(), undefined);
  pictures.resumePreviews();
  await settled();
  assert.equal(running(), "preview a");
  await end();
  assert.deepEqual(failures, []);
});

test("a clip that is cut twice gets one preview, and a deleted one none", async () => {
  const { pictures, running, settled, end, failures } = studio();
  pictures.pausePreviews();
  pictures.requestPreview("a");
  pictures.requestPreview("a");
  pictures.requestPreview("deleted");
  pictures.resumePreviews();
  await settled();
  assert.equal(running(), "preview a");
  await end();
  assert.deepEqual([running(), failures], [undefined, []]);
});

test("no picture is started after the stop, which waits for the running one", async () => {
  const { pictures, running } = studio();
  pictures.requestPreview("a");
  pictures.requestPreview("b");
  await pictures.stop();
  assert.equal(running(), undefined);
});

test("a picture that fails is reported, does not stop the next one, and is made when somebody looks later", async () => {
  const { pictures, world, running, settled, end, failures, made } = studio();
  const look = () => pictures.requestMissing([lacking("a", "preview")]);
  pictures.requestPreview("a");
  pictures.requestPoster("b");
  look();
  await settled();
  for (let round = 1; round <= 4; round += 1) {
    assert.equal(running(), "preview a");
    await end(new Error("ffmpeg hangs"));
    if (round === 1) await end();
    world.nowMs += 599_999;
    look();
    await settled();
    assert.deepEqual([running(), failures.length], [undefined, round], "looking often costs nothing");
    world.nowMs += 1;
    look();
    await settled();
  }
  await end();
  assert.deepEqual([running(), made], [undefined, ["poster b", "preview a"]]);
});

test("looking at clips requests what they lack, but no preview of a clip that still grows", async () => {
  const { pictures, world, running, settled, end, made } = studio();
  world.growing = "b";
  pictures.requestMissing([
    { ...saved, id: "whole" },
    { ...lacking("away", "poster"), missing: true },
    { ...lacking("in the trash", "poster"), deletedAt: "2026-01-01T00:00:00.000Z" },
    { ...lacking("unfinished", "poster"), state: "pending" },
    { ...lacking("a marker", "poster"), kind: "marker" },
    { ...lacking("a screenshot", "preview"), kind: "screenshot" },
    lacking("a", "preview"),
    { ...lacking("b", "preview"), poster: false },
  ]);
  await settled();
  while (running() !== undefined) await end();
  assert.deepEqual(made, ["preview a", "poster b"]);
});

// Tests of a clip's pictures: posters before previews, one at a time, and no preview while a clip is cut.
import assert from "node:assert/strict";
import { test } from "vitest";
import { createClipPictures } from "./pictures.ts";

const of = (id: string) => ({ id, file: `${id}.mp4`, offsetMs: 0 });

/** Pictures that are finished when the test says so. */
function studio() {
  const made: string[] = [];
  const failures: string[] = [];
  let running: { name: string; end: PromiseWithResolvers<void> } | undefined;
  const make = (name: string, signal?: AbortSignal) => {
    assert.equal(running, undefined, "only one picture is made at a time");
    const end = Promise.withResolvers<void>();
    running = { name, end };
    signal?.addEventListener("abort", () => end.reject(new Error("aborted")));
    return end.promise.finally(() => {
      running = undefined;
    });
  };
  const pictures = createClipPictures({
    files: {
      makePoster: (id) => make(`poster ${id}`),
      makePreview: (id, _file, _offsetMs, signal) => make(`preview ${id}`, signal),
    },
    write: async (...[statement]) => void made.push(JSON.stringify(statement?.values)),
    onChanged() {},
    onFailure: (what) => failures.push(what),
  });
  const settled = () => new Promise<void>((resolve) => setImmediate(resolve));
  return {
    pictures,
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
  const { pictures, running, end, made } = studio();
  pictures.requestPreview(of("a"));
  pictures.requestPreview(of("b"));
  pictures.requestPoster(of("c"));
  assert.equal(running(), "preview a");
  await end();
  assert.equal(running(), "poster c");
  await end();
  assert.equal(running(), "preview b");
  await end();
  assert.deepEqual([running(), made.length], [undefined, 3]);
});

test("a preview stops at once when a cut starts, and is made after the last cut", async () => {
  const { pictures, running, settled, end, failures } = studio();
  pictures.requestPreview(of("a"));
  pictures.pausePreviews();
  pictures.pausePreviews();
  await settled();
  assert.equal(running(), undefined);
  pictures.requestPoster(of("b"));
  assert.equal(running(), "poster b", "a poster is made during a cut");
  await end();
  pictures.resumePreviews();
  assert.equal(running(), undefined);
  pictures.resumePreviews();
  assert.equal(running(), "preview a");
  await end();
  assert.deepEqual(failures, []);
});

test("a picture that cannot be made is reported, and the next one is made", async () => {
  const { pictures, running, end, failures, made } = studio();
  pictures.requestPoster(of("a"));
  pictures.requestPreview(of("a"));
  await end(new Error("no picture"));
  assert.equal(running(), "preview a");
  await end();
  await end(new Error("no picture"));
  await end(new Error("no picture"));
  assert.deepEqual([running(), failures], [undefined, ["poster"]]);
  assert.deepEqual(made, ['[0,1,"a"]'], "the preview is there, and the poster is not");
});

test("a clip that is cut twice gets one preview", async () => {
  const { pictures, running, end } = studio();
  pictures.pausePreviews();
  pictures.requestPreview(of("a"));
  pictures.requestPreview(of("a"));
  pictures.resumePreviews();
  await end();
  assert.equal(running(), undefined);
});

test("no picture is started after the stop, which waits for the running one", async () => {
  const { pictures, running } = studio();
  pictures.requestPreview(of("a"));
  pictures.requestPreview(of("b"));
  await pictures.stop();
  assert.equal(running(), undefined);
});

test("a picture that fails is tried again after the others, and given up after the third try", async () => {
  const { pictures, running, end, failures, made } = studio();
  pictures.requestPoster(of("a"));
  pictures.requestPoster(of("b"));
  await end(new Error("ffmpeg took too long"));
  assert.equal(running(), "poster b");
  await end();
  assert.equal(running(), "poster a");
  await end(new Error("ffmpeg took too long"));
  await end(new Error("ffmpeg took too long"));
  assert.deepEqual([running(), made.length, failures], [undefined, 1, ["poster"]]);
});

// Tests that a capture shows the colours of the screen, and says how they are to be read.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "vitest";
import { pathOf, skipWithout } from "../../../../tools/engines/locate.ts";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { pictureArguments } from "../clips/clip-files.ts";
import { assertShowsPureColours, bt709, captureIn, tagsOf } from "./test/pure-colours.ts";

test("a capture, and a picture of it, have the pure colours of the screen", {
  skip: skipWithout("ffmpeg"),
}, async (t) => {
  const folder = temporaryFolder("colours", t);
  const clip = await captureIn(folder);
  assert.match(tagsOf(clip), bt709);
  assertShowsPureColours(clip);
  const picture = join(folder, "picture.jpg");
  await writeFile(picture, execFileSync(pathOf("ffmpeg"), pictureArguments(clip, 0, { scale: "iw:ih", quality: 2 })));
  assertShowsPureColours(picture);
});

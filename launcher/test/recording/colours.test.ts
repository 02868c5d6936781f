// Tests that a narrow strip of another window is found in a video.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { test } from "vitest";
import { pathOf, skipWithout } from "../../../tools/engines/locate.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { cursorPixelsMax, readColours } from "./colours.ts";

const skip = skipWithout("ffmpeg");

test("a strip of another colour, four pixels wide in one frame, is found wherever it is", { skip }, async (t) => {
  const folder = temporaryFolder("colours", t);
  const read = (box: string) => {
    const file = join(folder, "seen.mp4");
    const filter = `drawbox=${box}:t=fill:enable=eq(n\\,2),format=yuv420p`;
    const input = [
      "-f",
      "lavfi",
      "-i",
      "color=0x00e000:640x480:rate=30",
      "-frames:v",
      "4",
      "-vf",
      filter,
      "-threads",
      "1",
    ];
    execFileSync(pathOf("ffmpeg"), ["-v", "fatal", ...input, "-c:v", "libx264", "-preset", "ultrafast", "-y", file]);
    return readColours(file, 1);
  };
  assert.deepEqual(await read("w=640:h=480:c=0x00e000"), { ownMin: 1, otherPixelsMax: 0, foreignMax: 0, frames: 4 });
  for (const strip of ["x=0:w=4:h=480:c=0xe00000", "x=157:w=4:h=480:c=0x0000e0", "y=0:w=640:h=4:c=0xe00000"])
    assert.ok((await read(strip)).foreignMax > 0, strip);
  assert.ok((await read("x=157:w=4:h=480:c=gray")).otherPixelsMax > cursorPixelsMax, "a strip without a bright colour");
});

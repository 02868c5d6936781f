// Tests what the recorder says when Windows takes the screen away. A program prints what ffmpeg prints: the lines around were recorded
// under Wine, and the faults are written as in the source of ffmpeg 9.0.2 (vsrc_ddagrab.c, gdigrab.c,
// vsrc_gfxcapture_winrt.cpp). gfxcapture prints nothing at this level about a minimised window, nor about HDR.
import assert from "node:assert/strict";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Message, textOf } from "@kit/contract";
import { test } from "vitest";
import { cannot } from "../../../../tools/engines/cannot.ts";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import type { Ffmpeg } from "../ffmpeg/find.ts";
import { captureArgs } from "./probe/commands.ts";
import { tryCapture } from "./probe/stream-trial.ts";
import type { SoundFeed } from "./sound/feed.ts";
import { startCaptureRun } from "./thread/capture-run.ts";
import { describeFfmpegState } from "./thread/ffmpeg-state.ts";
import { syntheticChoice } from "./thread/test/fixture.ts";

const folder = temporaryFolder("windows-faults");
const skip = cannot.startScripts;

const ofDdagrab = (fault: string) => `Stream mapping:
  ddagrab:default -> Stream #0:0 (libx264)
[Parsed_ddagrab_0 @ 00007ffffe89c400] ${fault}
[fc#0 @ 00007ffffe895200] Error configuring filter graph: Generic error in an external library
[fc#0 @ 00007ffffe895200] Task finished with error code: -542398533 (Generic error in an external library)
[vost#0:0/libx264 @ 00007ffffe8972c0] [enc:libx264 @ 00007ffffe898940] Could not open encoder before EOF
[vost#0:0/libx264 @ 00007ffffe8972c0] Task finished with error code: -22 (Invalid argument)
[vost#0:0/libx264 @ 00007ffffe8972c0] Terminating thread with return code -22 (Invalid argument)`;
const ofGfxcapture = (fault: string) => ofDdagrab(fault).replaceAll("ddagrab", "gfxcapture");
const ofGdigrab = (fault: string) => `[in#0 @ 00007ffffe895640] Capturing whole desktop as 1024x768x32 at (0,0)
[in#0/gdigrab @ 00007ffffe895640] ${fault}
[in#0/gdigrab @ 00007ffffe895640] Could not find codec parameters for stream 0 (Video: bmp, none, 754233 kb/s): unspecified size
Consider increasing the value for the 'analyzeduration' (0) and 'probesize' (5000000) options
[out#0/mp4 @ 00007ffffe897140] Output file does not contain any stream
Error opening output file pipe:1.
Error opening output files: Invalid argument`;

/** What happened, what ffmpeg then prints, and what the recorder says to do. */
const cases: readonly (readonly [what: string, printed: string, says: RegExp])[] = [
  ["a locked screen", ofDdagrab("Desktop duplication access denied"), /lock screen.* Unlock Windows/],
  ["a locked screen that GDI copies", ofGdigrab("Failed to capture image (error 5)"), /lock screen.* Unlock Windows/],
  ["a screen without a desktop", ofGdigrab("Failed to capture image (error 6)"), /lock screen.* Unlock Windows/],
  [
    "sleep, HDR or another resolution",
    ofDdagrab("AcquireNextFrame failed: 887a0026"),
    /for a moment.*choose the game's/,
  ],
  ["another resolution", ofDdagrab("Output parameters changed!"), /another resolution.*choose the game's window/],
  ["a driver that was reset", ofDdagrab("AcquireNextFrame failed: 887a0007"), /driver.*restart the computer/],
  ["a driver that was replaced", ofDdagrab("AcquireNextFrame failed: 887a0005"), /driver.*restart the computer/],
  [
    "Remote Desktop that was closed",
    ofDdagrab("AcquireNextFrame failed: 887a0028"),
    /Nobody is connected.* Connect again/,
  ],
  ["too many recorders", ofDdagrab("Too many open duplication sessions"), /allows no more\. Close one/],
  ["two graphics chips", ofDdagrab("Selected output not supported"), /graphics chip.* Power saving/],
  ["no monitor", ofDdagrab("Failed to enumerate DXGI output 0"), /no monitor here\. Connect one/],
  ["a closed window", ofGdigrab("Can't find window 'Saga', aborting."), /is closed\. Open it again/],
  ["a window without this handle", ofGdigrab("Couldn't get window device context (error 1400)"), /is closed\. Open it/],
  [
    "a window that Windows refuses",
    ofGfxcapture("Failed to setup graphics capture for window (0x80070057)"),
    /Open it again if it is closed, or choose another one/,
  ],
  [
    "a privacy setting",
    ofGfxcapture("Failed to start graphics capture session (0x80070005)"),
    /privacy settings.* Allow it there/,
  ],
  [
    "a forbidden monitor",
    ofGfxcapture("Failed to setup graphics capture for monitor (0x80070005)"),
    /privacy settings.* Allow it there/,
  ],
  [
    "a monitor that was unplugged",
    ofGfxcapture("Failed to setup graphics capture for monitor (0x80070057)"),
    /monitor .* is gone\. Connect it/,
  ],
  [
    "a monitor with another place",
    ofGdigrab("Capture area (1024,0),(1824,600) extends outside window area (0,0),(1024,768)"),
    /another resolution.*choose the game's window/,
  ],
  ["an old Windows", ofGfxcapture('Failed opening "graphicscapture.dll"'), /lacks a part.*Update Windows/],
  ["an older Windows 10", ofGfxcapture("Failed loading SetThreadDpiAwarenessContext"), /lacks a part.*Update Windows/],
];

/** Writes a program that prints this as ffmpeg does, and fails. */
function standIn(number: number, printed: string): string {
  const path = join(folder, `ffmpeg-${number}`);
  writeFileSync(path, `#!/bin/sh\ncat >&2 <<'END'\n${printed}\nEND\nexit 171\n`);
  chmodSync(path, 0o755);
  return path;
}

const reasonOfRun = (ffmpeg: string, args: readonly string[] = ["-"]): Promise<Message> => {
  const { promise, resolve } = Promise.withResolvers<Message>();
  const command = { ffmpeg, args, captureFile: join(folder, "capture.json"), isUrgent: false };
  // Never opened: no pipe is among the arguments.
  startCaptureRun({ ...command, sound: {} as SoundFeed }, { onFragment: () => undefined, onEnd: resolve });
  return promise;
};

for (const [number, [what, printed, says]] of cases.entries())
  test(`the recorder says what ${what} means and one thing to do, while it records and when it begins`, {
    skip,
  }, async () => {
    const ffmpeg = standIn(number, printed);
    const why = await reasonOfRun(ffmpeg);
    const { state, detail } = describeFfmpegState({
      ...{ isWanted: true, isChoosing: false, choice: syntheticChoice(), refusal: undefined, sound: [] },
      ...{ target: { kind: "screen", why: null }, earlierCounts: { restarts: 0, lostSeconds: 0 } },
      status: {
        ...{ phase: "broken", why, level: 0, choiceId: 1, frameRate: 0, restarts: 1, lostSeconds: 0 },
        ...{ unchangedSeconds: 0, heldSeconds: 0, heldBytes: 0 },
      },
    });
    assert.equal(state, "broken");
    assert.match(textOf(detail), says);
    assert.doesNotMatch(textOf(detail), /ffmpeg ended|test recording|\[|0x|887a/);
    const build = { path: ffmpeg, version: { major: 9, minor: 0, text: "9.0.2" }, origin: "kit", hasFpsMode: true };
    const verdict = await tryCapture(build as Ffmpeg, syntheticChoice().spec, undefined);
    assert.equal(verdict.is, "bad");
    assert.equal(textOf(verdict.is === "bad" ? verdict.why : ""), textOf(why));
  });

for (const [what, input, says] of [
  ["a window that closes", { kind: "gfxcapture", window: 42 }, /window .* is closed\. Open it again/],
  ["a window with a title that closes", { kind: "gfxcapture", window: "Saga" }, /window .* is closed\. Open it again/],
  ["a monitor that is unplugged", { kind: "gfxcapture", window: null, monitor: 9 }, /monitor .* is gone\. Connect it/],
  ["the only monitor, unplugged", { kind: "gfxcapture", window: null }, /monitor .* is gone\. Connect it/],
  ["another input", { kind: "ddagrab" }, /^ffmpeg ended with 0$/],
] as const)
  test(`the recorder says what the end of ffmpeg without an error means for ${what}`, { skip }, async () => {
    const ffmpeg = join(folder, "ffmpeg-that-ends");
    writeFileSync(ffmpeg, "#!/bin/sh\n", { mode: 0o755 });
    const args = captureArgs({ ...syntheticChoice().spec, input, inputSize: null });
    assert.match(textOf(await reasonOfRun(ffmpeg, args)), says);
  });

test("what ffmpeg prints about anything else stays as it is", { skip }, async () => {
  const ffmpeg = standIn(cases.length, ofDdagrab("Failed to create D3D11VA device."));
  assert.match(textOf(await reasonOfRun(ffmpeg)), /^ffmpeg ended with 171.*Terminating thread/);
});

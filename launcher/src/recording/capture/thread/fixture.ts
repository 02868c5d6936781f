// What the tests of the capture share: a picture without a screen, programs that only pretend to be ffmpeg, and waiting.
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type RecorderState, recorderDefaults } from "@kit/contract";
import type { Choice } from "../probe/choice.ts";
import type { FfmpegBackendNeeds } from "./ffmpeg-backend.ts";
import { type Patience, patience } from "./watchdogs.ts";

export const quickPatience: Patience = {
  ...patience,
  firstFragmentMs: 3_000,
  silenceMs: 1_000,
  backOffFirstMs: 50,
  backOffMostMs: 200,
};

type Picture = { readonly frameRate?: number; readonly source?: string; readonly fragmentMs?: number };

/** A moving picture with the time of each frame taken from the clock, encoded as a screen would be. */
export function madeUpChoice({ frameRate = 15, source = "testsrc2", fragmentMs = 250 }: Picture = {}): Choice {
  const width = 320;
  const height = 240;
  const clock = "realtime,settb=1/1000000,setpts=time(0)/TB";
  const args = [
    ...["-v", "warning", "-nostats"],
    ...["-filter_complex", `${source}=s=${width}x${height}:r=${frameRate},${clock},format=yuv420p[v]`, "-map", "[v]"],
    ...["-fps_mode", "passthrough", "-enc_time_base", "1:90000"],
    ...["-c:v", "libx264", "-preset", "ultrafast", "-tune", "zerolatency", "-threads", "1", "-bf", "0", "-g", "120"],
    ...["-force_key_frames", "expr:if(isnan(prev_forced_t),1,gte(t,prev_forced_t+1))"],
    ...["-f", "mp4", "-movflags", "+frag_keyframe+empty_moov+default_base_moof+frag_discont+skip_trailer"],
    ...[
      "-frag_duration",
      String(fragmentMs * 1_000),
      "-flush_packets",
      "1",
      "-avoid_negative_ts",
      "disabled",
      "pipe:1",
    ],
  ];
  return {
    args,
    width,
    height,
    frameRate,
    source: "a made-up picture",
    encoder: "libx264 ultrafast",
    steady: true,
    sound: false,
    warnings: [],
    tried: [{ what: "made up", ok: true, why: "for a test" }],
    level: 0,
    degraded: null,
    order: {
      input: { kind: "x11-screen", display: ":0", x: 0, y: 0 },
      inputSize: { width, height },
      heightMax: height,
      frameRate,
      quality: "low",
      sound: null,
      encoder: { name: "libx264", preset: "ultrafast", device: null },
      fpsMode: true,
    },
  };
}

/** Everything a backend needs but its file; `ffmpeg` is the program that is run. */
export function madeUpNeeds(ffmpeg: string, folder: string): FfmpegBackendNeeds {
  const version = { major: 5, minor: 1, text: "5.1" };
  return {
    settings: () => ({ ...recorderDefaults, bufferSeconds: 20 }),
    ffmpeg: async () => ({ ffmpeg: { path: ffmpeg, version, from: "path", fpsMode: true }, says: "" }),
    system: { display: undefined, wayland: false },
    captureFile: join(folder, "capture.json"),
    probe: { choose: async () => madeUpChoice() },
    patience: quickPatience,
    onChanged: () => undefined,
    log: () => undefined,
  };
}

/**
 * A program in ffmpeg's place: it is the real one each even time it is started, and does `badly`, in the shell's words,
 * each odd time. The real one has its arguments in "$@" and is called $FFMPEG.
 */
export function badProgram(folder: string, badly: string, ffmpeg: string): string {
  const path = join(folder, "bad-ffmpeg");
  const script = `#!/bin/sh
FFMPEG='${ffmpeg}'
echo started >> '${path}.starts'
if [ $(($(wc -l < '${path}.starts') % 2)) -eq 1 ]; then exec "$FFMPEG" "$@"; fi
${badly}
`;
  writeFileSync(path, script);
  chmodSync(path, 0o755);
  return path;
}

/** Resolves when `holds` is true. Throws `what` after `withinMs`. */
export async function until(what: string, holds: () => boolean, withinMs = 240_000): Promise<void> {
  const deadlineMs = performance.now() + withinMs;
  while (!holds()) {
    if (performance.now() > deadlineMs) throw new Error(`waited ${withinMs} ms in vain: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

export const isRecording = (state: () => RecorderState) => () => state().state === "recording";

// Support for the capture tests: a synthetic picture, programs that replace ffmpeg, and waiting.

import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type RecorderState, recorderDefaults } from "@kit/contract";
import { message } from "@kit/contract/messages";
import type { CaptureChoice } from "../../probe/choice.ts";
import { noSound } from "../../sound/tracks.ts";
import type { FfmpegBackendDeps } from "../ffmpeg-backend.ts";
import { type CaptureTimeouts, captureTimeouts } from "../timeouts.ts";

export const shortTimeouts: CaptureTimeouts = {
  ...captureTimeouts,
  firstFragmentMs: 3_000,
  silenceMs: 1_000,
  backoffFirstMs: 50,
  backoffMaxMs: 200,
};

type Picture = { readonly frameRate?: number; readonly source?: string; readonly fragmentMs?: number };

/** A moving picture, stamped with the wall clock and encoded like a screen. */
export function syntheticChoice({
  frameRate = 15,
  source = "testsrc2",
  fragmentMs = 250,
}: Picture = {}): CaptureChoice {
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
    constantRate: true,
    sound: false,
    warnings: [],
    tried: [{ what: "made up", ok: true, why: "for a test" }],
    level: 0,
    degraded: null,
    spec: {
      input: { kind: "x11-screen", display: ":0", x: 0, y: 0 },
      inputSize: { width, height },
      heightMax: height,
      frameRate,
      quality: "low",
      sound: null,
      encoder: { name: "libx264", preset: "ultrafast", device: null },
      hasFpsMode: true,
    },
  };
}

/** The dependencies of a backend that runs the program `ffmpeg`. */
export function syntheticDeps(ffmpeg: string, folder: string): FfmpegBackendDeps {
  const version = { major: 5, minor: 1, text: "5.1" };
  return {
    settings: () => ({ ...recorderDefaults, bufferSeconds: 20 }),
    target: () => ({ kind: "screen", why: null }),
    sound: {
      start: () => undefined,
      stop: () => undefined,
      update: () => undefined,
      tracks: () => noSound,
      says: () => [],
    },
    ffmpeg: async () => ({
      ffmpeg: { path: ffmpeg, version, origin: "path", hasFpsMode: true },
      says: message("ffmpeg.found", { version: "5.1" }),
    }),
    system: { display: undefined, wayland: false },
    captureFile: join(folder, "capture.json"),
    probe: { choose: async () => syntheticChoice() },
    timeouts: shortTimeouts,
    onWindowRefused: () => undefined,
    onChanged: () => undefined,
    log: () => undefined,
  };
}

/**
 * Writes a program that replaces ffmpeg: every second start runs the shell command `badly`, the others run the real ffmpeg. In
 * `badly`, the real ffmpeg is $FFMPEG, and its arguments are "$@".
 */
export function writeFaultyFfmpeg(folder: string, badly: string, ffmpeg: string): string {
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

/** Resolves when `holds` returns true. Throws after `withinMs`. */
export async function until(what: string, holds: () => boolean, withinMs = 240_000): Promise<void> {
  const deadlineMs = performance.now() + withinMs;
  while (!holds()) {
    if (performance.now() > deadlineMs) throw new Error(`waited ${withinMs} ms in vain: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

export const isRecording = (backend: { state(): RecorderState }) => () => backend.state().state === "recording";

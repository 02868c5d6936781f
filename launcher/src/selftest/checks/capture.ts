// Checks of what ffmpeg can do here: each encoder, and each source of pictures with the clock strip in front of it.
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { textOf } from "@kit/contract";
import { type CaptureSpec, type Encoder, encoderCandidates } from "../../recording/capture/probe/commands.ts";
import { tryEncoders } from "../../recording/capture/probe/encoder-trials.ts";
import { createDeviceLister } from "../../recording/capture/probe/sound-source.ts";
import { type CaptureSource, type CaptureSources, findCaptureSources } from "../../recording/capture/probe/source.ts";
import { captureStream } from "../../recording/capture/probe/stream-trial.ts";
import { listFeatures } from "../../recording/ffmpeg/features.ts";
import type { Ffmpeg } from "../../recording/ffmpeg/find.ts";
import { runFfmpeg } from "../../recording/ffmpeg/run.ts";
import type { Bench } from "../bench.ts";
import { failed, impossible, type Outcome, passed } from "../check.ts";
import { readClock } from "../clock/clock-reader.ts";
import { compareClocks } from "../clock/compare.ts";
import { openStrip, type Strip, stripTitle } from "../clock/strip.ts";

/** The picture of a new Kit. */
const format = { heightMax: 720, frameRate: 30, quality: "standard" } as const;
const testPicture = { size: { width: 1280, height: 720 }, frameRate: format.frameRate, quality: format.quality };

/** Tries every encoder. The first that works encodes the captures that follow. */
export async function checkEncoders({ ffmpeg, signal, noFfmpeg }: Bench): Promise<Outcome & { encoder?: Encoder }> {
  if (ffmpeg === undefined) return impossible(textOf(noFfmpeg));
  const figures: Record<string, string> = { ffmpeg: ffmpeg.version.text };
  let encoder: Encoder | undefined;
  let isLate = false;
  const urgently = { signal, urgent: true } as const;
  for await (const { tried, encoder: working } of tryEncoders(ffmpeg, process.platform, testPicture, urgently)) {
    const name = textOf(tried.what).split(" ")[0] ?? "";
    figures[name] = tried.ok ? "works" : textOf(tried.why);
    encoder ??= working ?? undefined;
    isLate ||= textOf(tried.why).includes("did not finish");
  }
  for (const name of encoderCandidates(process.platform)) figures[name] ??= "not needed";
  if (encoder !== undefined) return { ...passed(figures), encoder };
  if (isLate) return failed("An encoder did not finish in time: the computer is too busy. Try again later.", figures);
  return failed("This ffmpeg encodes no H.264. Install another one: `kit doctor` says how.", figures);
}

/** Returns the upper edge of a frame in the middle of the file, where the strip is: nothing else of the screen. */
export async function pictureOfStrip(ffmpeg: Ffmpeg, file: string, signal: AbortSignal): Promise<Buffer | undefined> {
  const filter = "select=gte(n\\,20),crop=iw:max(2\\,floor(iw/64)):0:0,scale=960:-2";
  const args = ["-v", "error", "-i", file, "-vf", filter, "-frames:v", "1", "-f", "image2", "-c:v", "png", "pipe:1"];
  const job = { outBytesMax: 2_000_000, timeoutMs: 15_000, signal };
  return runFfmpeg(ffmpeg, args, job).then(
    ({ stdout }) => (stdout.length > 0 ? stdout : undefined),
    () => undefined,
  );
}

async function tryStream(bench: Bench, spec: CaptureSpec, strip: Strip): Promise<Outcome> {
  const ffmpeg = bench.ffmpeg as Ffmpeg;
  const { signal } = bench;
  const stream = await captureStream(ffmpeg, spec, { signal, urgent: true });
  // A source that this build of ffmpeg or this graphics card has not is no fault, as long as another one works.
  if ("fault" in stream) return impossible(textOf(stream.fault));
  const file = join(bench.folder, `${spec.input.kind}.mp4`);
  writeFileSync(file, stream.file);
  try {
    const { figures, fault } = compareClocks(
      await readClock(ffmpeg.path, file, ffmpeg.hasFpsMode),
      await strip.takePainted(),
    );
    if (fault === undefined) return passed(figures, await pictureOfStrip(ffmpeg, file, signal));
    return failed(`The capture works, but ${fault}.`, figures);
  } finally {
    rmSync(file, { force: true });
  }
}

/** Where the strip is on the screen that the sources record. */
export function stripPlace({ config }: Bench, [first]: readonly CaptureSource[]) {
  const at = first?.input.kind === "x11-screen" ? first.input : { x: 0, y: 0 };
  return { display: config.display ?? "", x: at.x, y: at.y, width: first?.size?.width ?? 1_920 };
}

/** Finds the sources of the screen, or of the strip's window. */
export function findSources({ config, ffmpeg }: Bench, window: string | null): Promise<CaptureSources> {
  return findCaptureSources({
    platform: process.platform,
    display: config.display,
    wayland: config.isWayland,
    window,
    monitor: null,
    listDevices: createDeviceLister(ffmpeg as Ffmpeg),
    features: () => listFeatures(ffmpeg as Ffmpeg),
    // The strip has a title that no other window has.
    hasWindowHandles: false,
  });
}

/** Yields one outcome for each source of this system, with its name. */
export async function* checkSources(bench: Bench, encoder: Encoder | undefined): AsyncGenerator<[string, Outcome]> {
  const { ffmpeg, noFfmpeg } = bench;
  if (ffmpeg === undefined) return yield ["screen", impossible(textOf(noFfmpeg))];
  if (encoder === undefined) return yield ["screen", impossible("No encoder works.")];
  if (process.platform === "darwin")
    return yield ["screen", impossible("Kit has no test window for macOS yet. `kit recorder test` tries the capture.")];
  const screen = await findSources(bench, null);
  if ("refused" in screen) return yield ["screen", impossible(textOf(screen.refused))];
  let strip: Strip;
  try {
    strip = await openStrip(stripPlace(bench, screen.sources));
  } catch (error) {
    return yield ["screen", impossible(`The test window could not be shown: ${(error as Error).message}.`)];
  }
  try {
    const window = await findSources(bench, stripTitle);
    const sources = [...screen.sources, ...("refused" in window ? [] : window.sources)];
    let works = false;
    for (const { input, size } of sources) {
      if (bench.signal.aborted) return;
      const spec = { ...format, input, inputSize: size, sound: null, encoder, hasFpsMode: ffmpeg.hasFpsMode };
      const isWindow = "refused" in window ? false : window.sources.some((each) => each.input === input);
      const name = isWindow && !input.kind.includes("window") ? `${input.kind}-window` : input.kind;
      const outcome = await tryStream(bench, spec, strip);
      works ||= outcome.status === "passed";
      yield [name, outcome];
    }
    if (!works) yield ["screen", failed("No source records the screen as it is. `kit recorder test` says more.")];
    if ("refused" in window) yield ["window", failed(textOf(window.refused))];
  } finally {
    await strip.close();
  }
}

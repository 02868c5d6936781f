// Checks of what ffmpeg can do here: each encoder, and each source of pictures with the clock strip in front of it.
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { textOf } from "@kit/contract";
import { type CaptureSpec, type Encoder, encoderCandidates } from "../../recording/capture/probe/commands.ts";
import { tryEncoders } from "../../recording/capture/probe/encoder-trials.ts";
import { findSystemSources } from "../../recording/capture/probe/probe.ts";
import type { CaptureSource, CaptureSources } from "../../recording/capture/probe/source.ts";
import { captureStream } from "../../recording/capture/probe/stream-trial.ts";
import type { Ffmpeg } from "../../recording/ffmpeg/find.ts";
import { runFfmpeg } from "../../recording/ffmpeg/run.ts";
import {
  type Bench,
  failed,
  impossible,
  inSentence,
  lacksFfi,
  needsNewerNode,
  type Outcome,
  passed,
  reportIt,
  runAgain,
} from "../check.ts";
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
  for await (const { tried, encoder: working } of tryEncoders(ffmpeg, process.platform, testPicture, signal)) {
    const name = textOf(tried.what).split(" ")[0] ?? "";
    figures[name] = tried.ok ? "works" : textOf(tried.why);
    encoder ??= working ?? undefined;
    isLate ||= textOf(tried.why).includes("did not finish");
  }
  for (const name of encoderCandidates(process.platform)) figures[name] ??= "not needed";
  if (encoder !== undefined) return { ...passed(figures), encoder };
  if (isLate) return failed("No encoder works, and one did not finish in time.", runAgain, figures);
  return failed("No encoder for H.264 works here.", "Install an ffmpeg with libx264.", figures);
}

/** Returns the upper edge of a frame in the middle of the file, where the strip is: nothing else of the screen. */
export async function pictureOfStrip(ffmpeg: Ffmpeg, file: string, signal: AbortSignal): Promise<Buffer | undefined> {
  const filter = "select=gte(n\\,20),crop=iw:max(2\\,floor(iw/64)):0:0,scale=960:-2";
  const args = ["-v", "error", "-i", file, "-vf", filter, "-frames:v", "1", "-f", "image2", "-c:v", "png", "pipe:1"];
  const job = { outBytesMax: 2_000_000, signal };
  return runFfmpeg(ffmpeg, args, job).then(
    ({ stdout }) => (stdout.length > 0 ? stdout : undefined),
    () => undefined,
  );
}

async function tryStream(bench: Bench, spec: CaptureSpec, strip: Strip): Promise<Outcome> {
  const ffmpeg = bench.ffmpeg as Ffmpeg;
  const { signal } = bench;
  const stream = await captureStream(ffmpeg, spec, signal);
  // A source that this build of ffmpeg or this graphics card has not is no fault, as long as another one works.
  if ("fault" in stream) return impossible(`Kit leaves this source out. ${inSentence(textOf(stream.fault))}`);
  const file = join(bench.folder, "source.mp4");
  writeFileSync(file, stream.file);
  try {
    const { figures, fault, poor } = compareClocks(
      await readClock(ffmpeg.path, file, ffmpeg.hasFpsMode),
      await strip.takePainted(),
    );
    if (fault === undefined) return passed(figures, await pictureOfStrip(ffmpeg, file, signal), poor);
    return failed(`This source records, but ${fault.what}.`, fault.toDo, figures);
  } finally {
    rmSync(file, { force: true });
  }
}

/** Where the strip is on the screen that the sources record. */
export function stripPlace({ config }: Bench, [first]: readonly CaptureSource[]) {
  const at = first?.input.kind === "x11-screen" ? first.input : { x: 0, y: 0 };
  return { display: config.display ?? "", x: at.x, y: at.y, width: first?.size?.width ?? 1_920 };
}

type Wish = { readonly window: string | null; readonly monitor: string | null };
const wholeScreen: Wish = { window: null, monitor: null };

/** Finds the sources as the recorder does with these settings. */
export function findSources(
  { config, ffmpeg, windowsDesktop }: Bench,
  settings = wholeScreen,
): Promise<CaptureSources> {
  const { display, isWayland: wayland } = config;
  return findSystemSources({ ffmpeg: ffmpeg as Ffmpeg, settings, display, wayland, windowsDesktop });
}

/** The sources of the primary monitor by its name, as a person can choose it on Windows. The strip is on that monitor. */
async function findMonitorSources(bench: Bench): Promise<readonly CaptureSource[]> {
  const monitors = (await bench.windowsDesktop?.listMonitors().catch(() => [])) ?? [];
  const monitor = monitors.find(({ isPrimary }) => isPrimary)?.name;
  if (monitor === undefined) return [];
  const found = await findSources(bench, { ...wholeScreen, monitor });
  return "refused" in found ? [] : found.sources;
}

type NamedSource = CaptureSource & { readonly id: string };

/** Each source once, by the first name that it has. */
function nameSources(bySubject: Readonly<Record<string, readonly CaptureSource[]>>): readonly NamedSource[] {
  const named = Object.entries(bySubject).flatMap(([subject, sources]) =>
    sources.map((source): NamedSource => {
      const { kind } = source.input;
      return { ...source, id: kind.includes(subject) ? kind : `${kind}-${subject}` };
    }),
  );
  return [...new Map(named.toReversed().map((each) => [JSON.stringify(each.input), each])).values()].toReversed();
}

/** Yields one outcome for each source of this system, with its name. */
export async function* checkSources(bench: Bench, encoder: Encoder | undefined): AsyncGenerator<[string, Outcome]> {
  const { ffmpeg, noFfmpeg } = bench;
  if (ffmpeg === undefined) return yield ["screen", impossible(textOf(noFfmpeg))];
  if (encoder === undefined)
    return yield [
      "screen",
      impossible("Nothing can be recorded without an encoder: the check `encoders` says why none works."),
    ];
  if (process.platform === "darwin")
    return yield ["screen", impossible("Kit has no test window for macOS yet. `kit recorder test` tries the capture.")];
  if (lacksFfi) return yield ["screen", needsNewerNode];
  const screen = await findSources(bench);
  if ("refused" in screen) return yield ["screen", impossible(textOf(screen.refused))];
  let strip: Strip;
  try {
    strip = await openStrip(stripPlace(bench, screen.sources));
  } catch (error) {
    return yield ["screen", impossible(`The test window could not be shown: ${(error as Error).message}.`)];
  }
  try {
    const window = await findSources(bench, { ...wholeScreen, window: stripTitle });
    const sources = nameSources({
      screen: screen.sources,
      monitor: await findMonitorSources(bench),
      window: "refused" in window ? [] : window.sources,
    });
    let works = false;
    for (const { id, input, size } of sources) {
      if (bench.signal.aborted) return;
      const spec = { ...format, input, inputSize: size, sound: null, encoder, hasFpsMode: ffmpeg.hasFpsMode };
      const outcome = await tryStream(bench, spec, strip);
      works ||= outcome.status === "passed";
      yield [id, outcome];
    }
    if (!works)
      yield ["screen", failed("No source records the screen as it is.", "Run `kit recorder test`, which says more.")];
    if ("refused" in window) yield ["window", failed(textOf(window.refused), reportIt)];
  } finally {
    await strip.close();
  }
}

// `kit doctor --record`: makes a test recording, and reports it for an issue. The report is in English, for whoever reads the issue, and
// without the names and paths of the user.
import { release } from "node:os";
import {
  type Client,
  getDiskUsage,
  getRecorder,
  type MessageOrText,
  type RecordedFile,
  type RecorderReport,
  type TestRecording,
  testRecorder,
  textOf,
} from "@kit/contract";
import type { Config } from "../../../config.ts";
import { createScrub, currentPerson, type Person } from "../../../monitor/forwarding/scrub.ts";
import {
  createFieldPrinter,
  createProgressLine,
  escapeInvisible,
  formatBytes,
  print,
  withStyle,
} from "../../output.ts";
import type { DoctorCheck } from "./check.ts";

export type Facts = {
  readonly version: string;
  readonly ffmpeg: RecorderReport["ffmpeg"];
  readonly settings: RecorderReport["settings"];
  /** Folders of the user. */
  readonly folders: readonly string[];
  readonly person: Person;
  /** The other checks of `kit doctor`. */
  readonly checks: readonly DoctorCheck[];
  readonly result: TestRecording;
};

const lengthOffMaxSeconds = 0.5;

function faultsOf(
  { seconds, width, height, isBlack, soundTracks, expected }: RecordedFile,
  { sound }: Facts["settings"],
): string[] {
  const isOff = Math.abs(seconds - expected.seconds) > lengthOffMaxSeconds;
  const isOtherSize = width !== expected.width || height !== expected.height;
  return [
    ...(isBlack ? ["Every picture is black."] : []),
    ...(isOff ? [`It has ${seconds.toFixed(1)} s instead of ${expected.seconds.toFixed(1)} s.`] : []),
    ...(isOtherSize
      ? [`Its picture has ${width} × ${height} pixels instead of ${expected.width} × ${expected.height}.`]
      : []),
    ...(soundTracks === 0 && sound !== "off" ? ["It has no sound, although the settings ask for it."] : []),
  ];
}

const describeFile = ({ seconds, width, height, frameRate, bytes, soundTracks }: RecordedFile): string =>
  `${seconds.toFixed(1)} s, ${width} × ${height}, ${frameRate.toFixed(1)} frames a second, ${formatBytes(bytes)}, sound tracks: ${soundTracks}`;

/** The titles of windows, games and paths among the values of a message. */
function privateWords(message: MessageOrText): string[] {
  if (typeof message === "string") return [];
  return Object.entries(message.values ?? {}).flatMap(([name, value]) => {
    if (typeof value === "object") return privateWords(value);
    const title = name === "source" ? /^window "(.*)"$/su.exec(String(value))?.[1] : undefined;
    return title ?? (["title", "game", "path"].includes(name) ? String(value) : []);
  });
}

/** Matches the word in any case, and a path with either slash, also doubled as in JSON. */
function patternOf(word: string): RegExp {
  const parts = word.split(/[\\/]+/u).map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/gu, "\\$&"));
  return new RegExp(parts.join("[\\\\/]+"), "giu");
}

function createCleaner({ ffmpeg, settings, folders, person, result }: Facts): (message: MessageOrText) => string {
  const messages = [result.says, ...result.tried.flatMap(({ what, why }) => [what, why])];
  const words = [...folders, ffmpeg?.path ?? "", settings.window ?? "", ...messages.flatMap(privateWords)];
  const patterns = [...new Set(words)]
    .filter((word) => /[\p{L}\p{N}]/u.test(word))
    .sort((one, other) => other.length - one.length)
    .map(patternOf);
  const scrub = createScrub(person);
  return (message) => scrub(patterns.reduce((text, pattern) => text.replace(pattern, "…"), textOf(message)));
}

export function makeReport(facts: Facts) {
  const { version, ffmpeg, settings, checks, result } = facts;
  const clean = createCleaner(facts);
  const { when, backend, picture, frameRate, height, quality, sound, microphone } = settings;
  const { node, sqlite } = process.versions;
  const faults = result.file === null ? [] : faultsOf(result.file, settings);
  const failedChecks = checks.filter(({ ok }) => !ok).map(({ name }) => name);
  return {
    ok: result.ok && faults.length === 0 && failedChecks.length === 0,
    versions: `Kit ${version}, Node.js ${node}, SQLite ${sqlite}, ${process.platform} ${release()} ${process.arch}`,
    ffmpeg: ffmpeg === null ? null : `${ffmpeg.version} (${ffmpeg.from})`,
    settings: { when, backend, picture, frameRate, height, quality, sound, microphone },
    failedChecks,
    tried: result.tried.map(({ what, ok, why }) => ({ what: clean(what), ok, why: clean(why) })),
    recorded: result.ok,
    says: clean(result.says),
    file: result.file === null ? null : describeFile(result.file),
    faults,
  };
}

export function printReport({
  versions,
  ffmpeg,
  settings,
  failedChecks,
  tried,
  recorded,
  says,
  file,
  faults,
}: ReturnType<typeof makeReport>): void {
  const line = createFieldPrinter(9);
  const verdict = (ok: boolean) => withStyle(ok ? "green" : "red", ok ? "works" : "fails");
  const settingsInWords = Object.entries(settings).map(([name, value]) => `${name} ${value}`);
  line("versions", versions);
  line("ffmpeg", ffmpeg ?? "not found");
  line("settings", settingsInWords.join(", "));
  for (const name of failedChecks) line("mend", `${name}: \`kit doctor\` says what is wrong, and what to do`);
  for (const { what, ok, why } of tried) print(`tried     ${verdict(ok)}  ${escapeInvisible(`${what}: ${why}`)}`);
  print(`result    ${verdict(recorded)}  ${escapeInvisible(says)}`);
  line("file", file);
  for (const fault of faults) line("mend", fault);
}

/** Waits for a test recording, and shows for how long. */
async function record(client: Client): Promise<TestRecording> {
  const progress = createProgressLine();
  const beganMs = performance.now();
  const show = () => {
    const seconds = Math.round((performance.now() - beganMs) / 1_000);
    progress.update(`Kit makes a test recording, which can take half a minute … ${seconds} s`);
  };
  show();
  const timer = setInterval(show, 1_000);
  try {
    return await client.call(testRecorder);
  } finally {
    clearInterval(timer);
    progress.end();
  }
}

export async function reportRecording(client: Client, config: Config, checks: readonly DoctorCheck[]) {
  const [{ settings }, { dataDir, clipsDir }] = await Promise.all([
    client.call(getRecorder),
    client.call(getDiskUsage),
  ]);
  const result = await record(client);
  // Known for certain once it recorded.
  const { ffmpeg } = await client.call(getRecorder);
  const folders = [dataDir, clipsDir];
  return makeReport({
    version: config.version,
    ffmpeg,
    settings,
    folders,
    person: currentPerson(),
    checks,
    result,
  });
}

// `kit doctor`: checks everything the launcher needs, and suggests a fix for each problem.

import { accessSync, constants, existsSync, readdirSync, statfsSync, statSync } from "node:fs";
import { isBuiltin } from "node:module";
import { isAbsolute, join, relative } from "node:path";
import {
  type Client,
  formatCount,
  getDiskUsage,
  getRecorder,
  type IgnoreReason,
  type KitEvent,
  listEvents,
  listRefusals,
  type Refusal,
} from "@kit/contract";
import { message } from "@kit/contract/messages";
import { type Config, oneDriveFolders } from "../../config.ts";
import { readInstallSecret } from "../../own-files.ts";
import type { Ffmpeg } from "../../recording/ffmpeg/find.ts";
import { type DataDir, dataDirAt } from "../../storage/data-dir.ts";
import { findReadersOf, findReadersOnWindows, isReadableByOthers } from "../../storage/permissions.ts";
import { placeOfFolder } from "../../storage/place.ts";
import type { readersOnWindows } from "../../storage/windows-permissions.ts";
import { answer, command, toggleFlag } from "../command.ts";
import { connectionTo, identifyLauncher, type LauncherIdentity, Unreachable } from "../connection.ts";
import { exitCodes } from "../exit-codes.ts";
import { escapeInvisible, kit, print, say, withStyle } from "../output.ts";
import { setExitCode, terminal } from "../terminal.ts";
import { type DoctorCheck, failed, passed } from "./doctor/check.ts";
import { checkPort, checkProxy } from "./doctor/port.ts";

/** Short, so that the first check soon says that a launcher does not respond. */
const answerWithinMs = 3_000;

/** The launcher on the port, as it was found. It has a client if it is that of this data directory. */
type FoundLauncher = { readonly identity: LauncherIdentity; readonly client?: Client };

async function findLauncher(given: Config): Promise<FoundLauncher> {
  const config = { ...given, answerWithinMs };
  const identity = await identifyLauncher(config);
  return identity.who === "own" ? { identity, client: connectionTo(config, identity).client } : { identity };
}

function ignoreUnreachable(error: unknown): undefined {
  if (!(error instanceof Unreachable)) throw error;
}

/** Returns what the launcher answers. If there is no such launcher, passes and says so. */
async function askLauncher(
  name: string,
  { identity, client }: FoundLauncher,
  ask: (client: Client) => Promise<DoctorCheck>,
  afterStart = "",
): Promise<DoctorCheck> {
  const notAsked = passed(name, "not checked, because Kit does not respond");
  if (client === undefined)
    return identity.who === "silent" ? notAsked : passed(name, `Kit is not running${afterStart}`);
  try {
    return await ask(client);
  } catch (error) {
    if (error instanceof Unreachable) return notAsked;
    throw error;
  }
}

/** The year of the oldest ffmpeg that passes the check. An older one lacks years of security fixes. */
const yearMin = 2021;

/** Says how to replace an ffmpeg that is too old. Undefined if it is recent enough. */
export function outdatedFfmpegAdvice(
  { year, origin }: Pick<Ffmpeg, "year" | "origin">,
  install: string,
): string | undefined {
  if (year === undefined || year >= yearMin) return undefined;
  const what = `It is from ${year} and lacks the fixes made since.`;
  if (origin === "setting") return `${what} Set KIT_FFMPEG to a newer one, or unset it and ${install}.`;
  return `${what} To get a newer one, ${install}. Kit prefers an ffmpeg on PATH to the packaged one.`;
}

/** Says what this ffmpeg cannot record. Empty if it lacks nothing, or on other systems than Windows. */
async function describeMissingInput(ffmpeg: Ffmpeg, platform = process.platform): Promise<string> {
  if (platform !== "win32") return "";
  const { listFeatures } = await import("../../recording/ffmpeg/features.ts");
  const features = await listFeatures(ffmpeg).catch(() => undefined);
  if (features === undefined || features.filters.has("gfxcapture")) return "";
  return ` ${say(message("ffmpeg.lacks_gfxcapture"))}`;
}

async function checkFfmpeg({ ffmpeg: chosen, searchPath }: Config): Promise<DoctorCheck> {
  const { findFfmpeg, installMessage } = await import("../../recording/ffmpeg/find.ts");
  const { ffmpeg, says } = await findFfmpeg({ chosen, searchPath });
  if (ffmpeg === undefined)
    return failed("ffmpeg", "no working ffmpeg was found, so moments become markers without video", say(says));
  const detail = `${say(says)} (${ffmpeg.path})${await describeMissingInput(ffmpeg)}`;
  const renew = outdatedFfmpegAdvice(ffmpeg, say(installMessage()));
  return renew === undefined ? passed("ffmpeg", detail) : failed("ffmpeg", detail, renew);
}

const freeBytesMin = 200 * 1024 * 1024;

async function checkStorage({ migrations }: Config, dir: DataDir): Promise<DoctorCheck> {
  const { passesDatabaseCheck } = await import("../../storage/backup.ts");
  if (!existsSync(dir.path)) return passed("storage", "no data yet");
  const { assertKnownData } = await import("../../storage/schema.ts");
  try {
    assertKnownData(dir, migrations);
  } catch (error) {
    return failed(
      "storage",
      (error as Error).message,
      "Start the version of Kit that wrote the data, or use another --data-dir.",
    );
  }
  const { bavail, bsize } = statfsSync(dir.path);
  const free = bavail * bsize;
  const freeText = `${formatCount(Math.round(free / 1_048_576))} MiB free`;
  if (free < freeBytesMin) return failed("storage", freeText, "Free up space on this disk, or use another --data-dir.");
  if (!existsSync(dir.database)) return passed("storage", `no events yet, ${freeText}`);
  if (!passesDatabaseCheck(dir.database)) {
    return failed(
      "storage",
      "the database is damaged",
      "Restart Kit. It moves the damaged file to quarantine and restores a backup.",
    );
  }
  const size = Math.ceil(statSync(dir.database).size / 1_048_576);
  const { newestSalvageReport } = await import("../../storage/salvage/salvage.ts");
  const report = newestSalvageReport(dir.quarantine);
  const damaged =
    report === undefined ? "" : `; a damaged database was moved to quarantine as ${report.name}. ${report.says}`;
  return passed("storage", `the database is intact (${size} MiB), ${freeText}${damaged}`);
}

/** The launcher runs in any place. In these two, it says so. */
function checkPlace(folder: string): DoctorCheck {
  const place = placeOfFolder(folder, { synchronised: oneDriveFolders(terminal().env) });
  if (place === "local")
    return passed("place", `${folder} is in no network folder, and in no synchronised one that Kit knows`);
  const what =
    place === "network"
      ? "is on another computer, where SQLite can lose what is being written when the connection breaks"
      : "is in a folder that another program synchronises, which can lock or replace the database while Kit writes";
  return failed(
    "place",
    `${folder} ${what}`,
    "Stop Kit, move the folder to a disk of this computer, and start Kit with --data-dir.",
  );
}

const checkRecorder = (launcher: FoundLauncher): Promise<DoctorCheck> =>
  askLauncher(
    "recorder",
    launcher,
    async (client) => {
      const { state } = await client.call(getRecorder);
      if (state.state !== "broken") return passed("recorder", `${state.state}: ${say(state.detail)}`);
      return failed("recorder", "recording failed", say(state.detail));
    },
    `; after starting it, try \`${kit("doctor --record")}\``,
  );

/** Checks whether the keyring answers. Reads no secret. */
async function checkSecrets({ useKeyring }: Config, dir: DataDir): Promise<DoctorCheck> {
  const { createKeyring, probeSecrets } = await import("../../secrets/index.ts");
  const result = await probeSecrets(dir.credentials, useKeyring ? createKeyring() : undefined);
  return { name: "secrets", ...result };
}

/** Elsewhere than on Linux, only Node.js with node:ffi can ask the system about other programs. */
export function checkVersions(
  { version }: Pick<Config, "version">,
  platform = process.platform,
  hasFfi = isBuiltin("node:ffi"),
): DoctorCheck {
  const { node, sqlite } = process.versions;
  const detail = `Kit ${version}, Node.js ${node}, SQLite ${sqlite}, ${platform} ${process.arch}`;
  if (hasFfi || (platform !== "win32" && platform !== "darwin")) return passed("versions", detail);
  return failed(
    "versions",
    `${detail}: with this Node.js, Kit cannot see which program sends an event or which windows are open`,
    "Use Node.js 26.10 or newer, or install Kit from its archive or setup, which contain it.",
  );
}

// The checks of permissions: only the user may read Kit's files, also those in a clips folder outside the data directory.

/**
 * Matches what Kit writes into the clips folder: its own folders, unfinished files, and clips, whose names begin with a time.
 */
const ownNames = /^\.(media|bin|aside)$|\.part$|^\d{4}-\d\d-\d\d \d\d-\d\d-\d\d /;
const listedMax = 3;

function clipFilesReadableByOthers(folder: string): string[] {
  // In a private folder, the permissions of the files do not matter.
  if (!existsSync(folder) || !isReadableByOthers(folder)) return [];
  return readdirSync(folder)
    .filter((name) => ownNames.test(name))
    .map((name) => join(folder, name))
    .filter(isReadableByOthers);
}

/** Claims only what Windows said. */
export function checkReadersOnWindows(folders: readonly string[], read?: typeof readersOnWindows): DoctorCheck {
  const {
    readable: [first],
    unknown,
  } = findReadersOnWindows(folders, read);
  if (first !== undefined)
    return failed("permissions", `${first.path} can be read by ${first.by.join(", ")}`, first.repair);
  if (unknown.length === 0)
    return passed("permissions", `only you and administrators can read ${folders.join(" and ")}`);
  return passed(
    "permissions",
    `${unknown.join(" and ")}: Windows did not say who may read it, so this was not checked`,
  );
}

async function checkPermissions(config: Config, { client }: FoundLauncher, dir: DataDir): Promise<DoctorCheck> {
  if (!existsSync(dir.path)) return passed("permissions", `${dir.path} does not exist yet; Kit will create it`);
  try {
    accessSync(dir.path, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    return failed(
      "permissions",
      `${dir.path} cannot be written`,
      "Change its owner, or start with another --data-dir.",
    );
  }
  if (existsSync(dir.secret) && readInstallSecret(dir.secret) === undefined) {
    return failed("permissions", `${dir.secret} contains no secret`, "Delete the file; Kit makes a new one.");
  }
  // The running launcher is asked, because it may have been started with another --clips-dir.
  const usage = await client?.call(getDiskUsage).catch(ignoreUnreachable);
  const clipsDir = usage?.clipsDir ?? config.clipsDir;
  const inside = relative(dir.path, clipsDir);
  const isElsewhere = inside.startsWith("..") || isAbsolute(inside);
  if (process.platform === "win32")
    return checkReadersOnWindows([dir.path, ...(isElsewhere && existsSync(clipsDir) ? [clipsDir] : [])]);
  const open = [
    ...findReadersOf(dir).readable.map(({ path }) => path),
    ...(isElsewhere ? clipFilesReadableByOthers(clipsDir) : []),
  ];
  if (open.length > 0) {
    const more = open.length > listedMax ? ` and ${open.length - listedMax} more` : "";
    const words = open.map((path) => `'${path.replaceAll("'", "'\\''")}'`).join(" ");
    return failed(
      "permissions",
      `other users can read ${open.slice(0, listedMax).join(", ")}${more}`,
      `chmod go-rwx ${words}`,
    );
  }
  return passed("permissions", `only you can read ${dir.path}${isElsewhere ? ` and the clips in ${clipsDir}` : ""}`);
}

const formatTime = (iso: string) => new Date(iso).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "medium" });

/**
 * Returns the text if it is safe in a shell, otherwise `fallback`: the text comes from a game, and people paste the command.
 */
const shellWord = (text: string | null, fallback: string) =>
  text !== null && /^\w[\w.:/-]*$/.test(text) ? text : fallback;

const switchHints: Record<IgnoreReason, (event: KitEvent) => { why: string; back: string }> = {
  service_off: ({ kind }) => ({ why: `${kind} is switched off`, back: kit(`api switchServices ${kind}=true`) }),
  game_off: ({ kind, game }) => ({
    why: `${kind} is switched off for this game`,
    back: kit(`api registerGame game=${shellWord(game, "GAME")} switches.${kind}=true`),
  }),
  event_off: ({ kind, eventId }) => ({
    why: "this event is switched off",
    back: kit(`api changeEventIdRule kind=${kind} eventId=${shellWord(eventId, "ID")} enabled=true`),
  }),
};

function refusalCheck({ at, status, code, detail, origin }: Refusal, count: number): DoctorCheck {
  const others = count > 1 ? `, and ${count - 1} more since the last accepted event` : "";
  const says = `a request was refused at ${formatTime(at)} (${status})${others}: ${say(detail)}`;
  if (code === "consent_needed" && origin !== null)
    return failed(
      "events",
      says,
      `If you trust it: ${kit(`api decideConsent origin=${shellWord(origin, "ORIGIN")} decision=30-days`)}`,
    );
  return failed("events", says, `Fix the request in the game. \`${kit("tail")}\` shows each request as it arrives.`);
}

function eventCheck(event: KitEvent): DoctorCheck {
  const says = `the newest event of ${event.game ?? "no game"} arrived at ${formatTime(event.receivedAt)}`;
  if (event.reason === undefined) return passed("events", says);
  const { why, back } = switchHints[event.reason](event);
  return failed("events", `${says} and was ignored: ${why}`, back);
}

/** Reports the requests that were refused since the newest event. If there are none, reports that event. */
function newestCheck([newest]: readonly KitEvent[], refusals: readonly Refusal[]): DoctorCheck {
  const since = refusals.filter(({ at }) => newest === undefined || at > newest.receivedAt);
  const [refusal] = since;
  if (refusal !== undefined) return refusalCheck(refusal, since.length);
  if (newest !== undefined) return eventCheck(newest);
  return passed("events", `no event has arrived yet; send one with \`${kit("fire recording my_first_event")}\``);
}

/** Whether any events arrive, and why the newest was refused or ignored. */
const checkRecentEvents = (launcher: FoundLauncher): Promise<DoctorCheck> =>
  askLauncher("events", launcher, async (client) => {
    const [{ events }, { refusals }] = await Promise.all([
      client.call(listEvents, { query: { limit: 1 } }),
      client.call(listRefusals),
    ]);
    return newestCheck(events, refusals);
  });

async function* runChecks(config: Config): AsyncGenerator<DoctorCheck> {
  const dir = dataDirAt(config.dataDir);
  const launcher = await findLauncher(config);
  yield checkPort(launcher.identity);
  const proxy = checkProxy(terminal().env);
  if (proxy !== undefined) yield proxy;
  yield checkPermissions(config, launcher, dir);
  yield checkPlace(dir.path);
  yield checkStorage(config, dir);
  yield checkFfmpeg(config);
  yield checkRecorder(launcher);
  yield checkSecrets(config, dir);
  yield checkRecentEvents(launcher);
  yield checkVersions(config);
}

function printCheck({ name, ok, detail, fix }: DoctorCheck): void {
  print(`${withStyle(ok ? "green" : "red", ok ? "ok  " : "mend")}  ${name.padEnd(11)}  ${escapeInvisible(detail)}`);
  if (fix !== "") print(`                   → ${escapeInvisible(fix)}`);
}

export const doctorCommand = command("doctor", "Check everything that Kit needs, and say how to mend it", {
  flags: {
    record: toggleFlag("--record", "make a test recording, and print a report without names and paths, for an issue"),
  },
  async run({ connect, config, flags, json }) {
    const connection = flags.record ? await connect() : undefined;
    const checks: DoctorCheck[] = [];
    for await (const check of runChecks(config)) {
      checks.push(check);
      // At once, because a later check can take long. Not in the report, because they name folders and games.
      if (!json && connection === undefined) printCheck(check);
    }
    if (connection !== undefined) {
      const { printReport, reportRecording } = await import("./doctor/record.ts");
      const report = await reportRecording(connection.client, config, checks);
      if (!report.ok) setExitCode(exitCodes.unwell);
      return answer(report, printReport);
    }
    const isWell = checks.every(({ ok }) => ok);
    if (!isWell) setExitCode(exitCodes.unwell);
    return answer({ ok: isWell, checks }, () => undefined);
  },
});

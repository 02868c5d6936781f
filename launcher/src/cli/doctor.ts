// `kit doctor`: looks at everything the launcher needs and says what to do about what is wrong.
import { existsSync, statfsSync, statSync } from "node:fs";
import { getRecorder } from "@kit/contract";
import type { Command } from "commander";
import type { Config } from "../config.ts";
import type { Ffmpeg } from "../recording/ffmpeg/ffmpeg.ts";
import { type DataDir, dataDirAt } from "../storage/data-dir.ts";
import { bad, type Check, good } from "./check.ts";
import { checkArrivals } from "./check-arrivals.ts";
import { checkPermissions } from "./check-permissions.ts";
import { connect, Unreachable, whoAnswers } from "./connection.ts";
import { exitCodes } from "./exit-codes.ts";
import { type CommonFlags, command, configOf } from "./options.ts";
import { print, printJson, styled } from "./output.ts";
import { holderOf } from "./port-holder.ts";
import { visible } from "./visible.ts";

// Which ffmpeg `kit doctor` finds, where, and what to do about none or an old one.

/** Older builds have had no fixes for years. */
const yearMin = 2021;

/** What to do about one that is too old; undefined for any other. */
export function howToRenew({ year, from }: Pick<Ffmpeg, "year" | "from">, install: string): string | undefined {
  if (year === undefined || year >= yearMin) return undefined;
  const what = `It is of ${year}: what was found wrong in it since is not mended.`;
  if (from === "setting") return `${what} Have KIT_FFMPEG name a newer one, or unset it and ${install}.`;
  return `${what} For a newer one, ${install}; Kit prefers any on PATH to the packaged one.`;
}

async function checkFfmpeg({ ffmpeg: chosen, searchPath }: Config): Promise<Check> {
  const { findFfmpeg, installOn } = await import("../recording/ffmpeg/find.ts");
  const { ffmpeg, says } = await findFfmpeg({ chosen, searchPath });
  if (ffmpeg === undefined) return bad("ffmpeg", "none runs here: moments are kept as markers, without video", says);
  const detail = `${says} (${ffmpeg.path})`;
  const renew = howToRenew(ffmpeg, installOn());
  return renew === undefined ? good("ffmpeg", detail) : bad("ffmpeg", detail, renew);
}

const freeBytesMin = 200 * 1024 * 1024;

async function checkPort(config: Config): Promise<Check> {
  const standing = await whoAnswers(config);
  if (standing.who === "own") {
    const { state, detail = "" } = standing.health.storage;
    if (state === "failing") return bad("port", `Kit runs on port ${standing.port} and cannot store events`, detail);
    return good("port", `Kit ${standing.health.version} runs on port ${standing.port}`);
  }
  if (standing.who === "nobody") return good("port", `port ${standing.port} is free; Kit does not run`);
  const holder = await holderOf(standing.port);
  const named = holder === undefined ? "another program" : `${holder.name} (process ${holder.pid})`;
  if (standing.who === "other-kit") {
    const held = `port ${standing.port} is held by a Kit with another data directory: ${named}`;
    return bad("port", held, "Give its --data-dir to look at that one, or start another with --port N.");
  }
  const fix = "Close it, or start Kit with --port N and set the same address in the game.";
  return bad("port", `port ${standing.port} is held by ${named}`, fix);
}

async function checkStorage({ migrations }: Config, dir: DataDir): Promise<Check> {
  const { isSound } = await import("../storage/backup.ts");
  if (!existsSync(dir.path)) return good("storage", "nothing is stored yet");
  const { assertKnownData } = await import("../storage/schema-version.ts");
  try {
    assertKnownData(dir, migrations);
  } catch (error) {
    return bad(
      "storage",
      (error as Error).message,
      "Start the Kit that wrote it, or this one with another --data-dir.",
    );
  }
  const { bavail, bsize } = statfsSync(dir.path);
  const free = bavail * bsize;
  const freeText = `${Math.round(free / 1_048_576).toLocaleString("en")} MiB free`;
  if (free < freeBytesMin)
    return bad("storage", freeText, "Free space on this disk, or start with another --data-dir.");
  if (!existsSync(dir.database)) return good("storage", `no events yet, ${freeText}`);
  if (!isSound(dir.database)) {
    return bad(
      "storage",
      "the database does not pass its check",
      "Restart Kit: it sets the file aside and restores a backup.",
    );
  }
  const size = Math.ceil(statSync(dir.database).size / 1_048_576);
  const { newestReport } = await import("../storage/salvage/says.ts");
  const report = newestReport(dir.quarantine);
  const damaged = report === undefined ? "" : `; a damaged one was set aside as ${report.name}. ${report.says}`;
  return good("storage", `the database is sound (${size} MiB), ${freeText}${damaged}`);
}

/** What a running launcher says of its recorder. */
async function checkRecorder(config: Config): Promise<Check> {
  try {
    const { client } = await connect(config);
    const { state } = await client.call(getRecorder);
    if (state.state !== "broken") return good("recorder", `${state.state}: ${state.detail}`);
    return bad("recorder", "it cannot record", state.detail);
  } catch (error) {
    if (error instanceof Unreachable) return good("recorder", "Kit does not run; `kit recorder test` tries it");
    throw error;
  }
}

/** Asks for no secret, only whether the keyring answers. */
async function checkSecrets({ keyring }: Config, dir: DataDir): Promise<Check> {
  const [{ createKeyring }, { probeSecrets: lookAtSecrets }] = await Promise.all([
    import("../secrets/keyring.ts"),
    import("../secrets/keyring-probe.ts"),
  ]);
  const look = await lookAtSecrets(dir.entrusted, keyring ? createKeyring() : undefined);
  return { name: "secrets", ...look };
}

function checkVersions(config: Config): Check {
  const { node, sqlite } = process.versions;
  return good(
    "versions",
    `Kit ${config.version}, Node.js ${node}, SQLite ${sqlite}, ${process.platform} ${process.arch}`,
  );
}

export function doctorCommand(): Command {
  return command(
    "doctor",
    "Check port, permissions, storage, ffmpeg, recorder, secrets, what games send, and versions",
  ).action(async (flags: CommonFlags) => {
    const config = configOf(flags);
    const dir = dataDirAt(config.dataDir);
    const checks = [
      await checkPort(config),
      await checkPermissions(config, dir),
      await checkStorage(config, dir),
      await checkFfmpeg(config),
      await checkRecorder(config),
      await checkSecrets(config, dir),
      await checkArrivals(config),
      checkVersions(config),
    ];
    if (checks.some(({ ok }) => !ok)) process.exitCode = exitCodes.unwell;
    if (flags.json) return printJson({ ok: checks.every(({ ok }) => ok), checks });
    for (const { name, ok, detail, fix } of checks) {
      print(`${styled(ok ? "green" : "red", ok ? "ok  " : "mend")}  ${name.padEnd(11)}  ${visible(detail)}`);
      if (fix !== "") print(`                   → ${visible(fix)}`);
    }
  });
}

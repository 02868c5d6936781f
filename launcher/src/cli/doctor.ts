// `kit doctor`: checks everything the launcher needs, and suggests a fix for each problem.
import { existsSync, statfsSync, statSync } from "node:fs";
import { getRecorder } from "@kit/contract";
import type { Command } from "commander";
import type { Config } from "../config.ts";
import type { Ffmpeg } from "../recording/ffmpeg/find.ts";
import { type DataDir, dataDirAt } from "../storage/data-dir.ts";
import { type Check, failed, passed } from "./check.ts";
import { checkPermissions } from "./check-permissions.ts";
import { checkRecentEvents } from "./check-recent-events.ts";
import { connect, identifyLauncher, Unreachable } from "./connection.ts";
import { escapeInvisible } from "./escape.ts";
import { exitCodes } from "./exit-codes.ts";
import { type CommonFlags, command, configFromFlags, helpGroups } from "./options.ts";
import { print, printJson, styled } from "./output.ts";
import { findPortHolder } from "./port-holder.ts";

/** Older ffmpeg builds lack years of security fixes. */
const yearMin = 2021;

/** How to replace an ffmpeg that is too old, or undefined if it is recent enough. */
export function howToRenew({ year, origin }: Pick<Ffmpeg, "year" | "origin">, install: string): string | undefined {
  if (year === undefined || year >= yearMin) return undefined;
  const what = `It is from ${year} and lacks the fixes made since.`;
  if (origin === "setting") return `${what} Set KIT_FFMPEG to a newer one, or unset it and ${install}.`;
  return `${what} To get a newer one, ${install}. Kit prefers an ffmpeg on PATH to the packaged one.`;
}

async function checkFfmpeg({ ffmpeg: chosen, searchPath }: Config): Promise<Check> {
  const { findFfmpeg, installOn } = await import("../recording/ffmpeg/find.ts");
  const { ffmpeg, says } = await findFfmpeg({ chosen, searchPath });
  if (ffmpeg === undefined)
    return failed("ffmpeg", "no working ffmpeg was found, so moments become markers without video", says);
  const detail = `${says} (${ffmpeg.path})`;
  const renew = howToRenew(ffmpeg, installOn());
  return renew === undefined ? passed("ffmpeg", detail) : failed("ffmpeg", detail, renew);
}

const freeBytesMin = 200 * 1024 * 1024;

async function checkPort(config: Config): Promise<Check> {
  const identity = await identifyLauncher(config);
  if (identity.who === "own") {
    const { state, detail = "" } = identity.health.storage;
    if (state === "failing") return failed("port", `Kit runs on port ${identity.port} but cannot store events`, detail);
    return passed("port", `Kit ${identity.health.version} runs on port ${identity.port}`);
  }
  if (identity.who === "nobody") return passed("port", `port ${identity.port} is free; Kit is not running`);
  const holder = await findPortHolder(identity.port);
  const named = holder === undefined ? "another program" : `${holder.name} (process ${holder.pid})`;
  if (identity.who === "other-kit") {
    const detail = `port ${identity.port} is used by a Kit with another data directory: ${named}`;
    return failed("port", detail, "Add its --data-dir to check that Kit, or start another one with --port N.");
  }
  const fix = "Close it, or start Kit with --port N and set the same address in the game.";
  return failed("port", `port ${identity.port} is used by ${named}`, fix);
}

async function checkStorage({ migrations }: Config, dir: DataDir): Promise<Check> {
  const { passesCheck } = await import("../storage/backup.ts");
  if (!existsSync(dir.path)) return passed("storage", "no data yet");
  const { assertKnownData } = await import("../storage/schema-version.ts");
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
  const freeText = `${Math.round(free / 1_048_576).toLocaleString("en")} MiB free`;
  if (free < freeBytesMin) return failed("storage", freeText, "Free up space on this disk, or use another --data-dir.");
  if (!existsSync(dir.database)) return passed("storage", `no events yet, ${freeText}`);
  if (!passesCheck(dir.database)) {
    return failed(
      "storage",
      "the database is damaged",
      "Restart Kit. It moves the damaged file to quarantine and restores a backup.",
    );
  }
  const size = Math.ceil(statSync(dir.database).size / 1_048_576);
  const { newestReport } = await import("../storage/salvage/report.ts");
  const report = newestReport(dir.quarantine);
  const damaged =
    report === undefined ? "" : `; a damaged database was moved to quarantine as ${report.name}. ${report.says}`;
  return passed("storage", `the database is intact (${size} MiB), ${freeText}${damaged}`);
}

/** Asks a running launcher about its recorder. */
async function checkRecorder(config: Config): Promise<Check> {
  try {
    const { client } = await connect(config);
    const { state } = await client.call(getRecorder);
    if (state.state !== "broken") return passed("recorder", `${state.state}: ${state.detail}`);
    return failed("recorder", "recording failed", state.detail);
  } catch (error) {
    if (error instanceof Unreachable)
      return passed("recorder", "Kit is not running; after starting it, try `kit recorder test`");
    throw error;
  }
}

/** Checks that the keyring answers, without reading any secret. */
async function checkSecrets({ useKeyring }: Config, dir: DataDir): Promise<Check> {
  const [{ createKeyring }, { probeSecrets }] = await Promise.all([
    import("../secrets/keyring.ts"),
    import("../secrets/keyring-probe.ts"),
  ]);
  const result = await probeSecrets(dir.credentials, useKeyring ? createKeyring() : undefined);
  return { name: "secrets", ...result };
}

function checkVersions(config: Config): Check {
  const { node, sqlite } = process.versions;
  return passed(
    "versions",
    `Kit ${config.version}, Node.js ${node}, SQLite ${sqlite}, ${process.platform} ${process.arch}`,
  );
}

export function doctorCommand(): Command {
  return command("doctor", "Check port, permissions, storage, ffmpeg, recorder, secrets, recent events and versions")
    .helpGroup(helpGroups.about)
    .action(async (flags: CommonFlags) => {
      const config = configFromFlags(flags);
      const dir = dataDirAt(config.dataDir);
      const checks = [
        await checkPort(config),
        await checkPermissions(config, dir),
        await checkStorage(config, dir),
        await checkFfmpeg(config),
        await checkRecorder(config),
        await checkSecrets(config, dir),
        await checkRecentEvents(config),
        checkVersions(config),
      ];
      if (checks.some(({ ok }) => !ok)) process.exitCode = exitCodes.unwell;
      if (flags.json) return printJson({ ok: checks.every(({ ok }) => ok), checks });
      for (const { name, ok, detail, fix } of checks) {
        print(`${styled(ok ? "green" : "red", ok ? "ok  " : "mend")}  ${name.padEnd(11)}  ${escapeInvisible(detail)}`);
        if (fix !== "") print(`                   → ${escapeInvisible(fix)}`);
      }
    });
}

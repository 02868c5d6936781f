// Support: runs games as separate processes, so that Kit can tell the senders apart, and reads what a data folder has of each.
import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { promisify } from "node:util";
import { ingestOperations } from "@kit/contract";
import type { OwnLauncher } from "../support/own-launcher.ts";
import { patienceMs, until } from "../support/until.ts";

/** The start of a launcher that must tell the games of `play` apart. */
export const findsSenders = { env: { KIT_SENDERS: "on" } };

/** Longer than any lookup of a sender takes. */
const lateSenderMsMax = 10_000;

/**
 * Runs a program that sends triggers and reports of a game over one connection. On a busy machine Kit may find the sender of a report
 * only later, or not at all, so the program waits for it, and repeats the report until it belongs to the game. Returns the game's
 * number of events.
 */
export async function play({ port, dataDir }: OwnLauncher, game: string): Promise<number> {
  const code = `
    import { setTimeout as pause } from "node:timers/promises";
    const secret = ${JSON.stringify(readFileSync(join(dataDir, "secret"), "utf8").trim())};
    const origin = "http://127.0.0.1:${port}";
    const send = async (path, body) => {
      const text = JSON.stringify({ ...body, timestamp: new Date().toISOString() });
      const sent = await fetch(origin + path, { method: "POST", headers: { "content-type": "application/json" }, body: text });
      const { id } = await sent.json();
      return async () => {
        const receipt = await fetch(origin + "/api/events/" + id, { headers: { authorization: "Bearer " + secret } });
        return (await receipt.json()).event.game === "${game}";
      };
    };
    await send("${ingestOperations.recording.path}", { eventId: "${game}_boss_defeated" });
    let events = 1;
    const report = async (message) => {
      const isOfGame = await send("${ingestOperations.monitor.path}", { message, stackTrace: "" });
      for (const endMs = Date.now() + ${lateSenderMsMax}; Date.now() < endMs; await pause(50)) if (await isOfGame()) return true;
      return false;
    };
    for (let isKnown = false; !isKnown; ) {
      await send("${ingestOperations.social.path}", { eventId: "${game}_secret_found" });
      isKnown = await report("Who am I?");
      events += isKnown ? 2 : 1;
    }
    for (const what of ["hero", "sword"]) events += Number(await report("${game} misses its " + what));
    console.log(events);`;
  const words = ["--input-type=module", "-e", code];
  const { stdout } = await promisify(execFile)(process.execPath, words, { timeout: patienceMs });
  return Number(stdout);
}

/** The content of a file; nothing for a folder, or for a file that a running launcher has removed meanwhile. */
function contentOf(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch (error) {
    if (!/^(EISDIR|ENOENT)$/.test((error as NodeJS.ErrnoException).code ?? "")) throw error;
    return "";
  }
}

/** The files in the folder that contain the text, in any case. */
export function filesWith(folder: string, text: string): string[] {
  const wanted = text.toLowerCase();
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => contentOf(path).toLowerCase().includes(wanted))
    .map((path) => relative(folder, path));
}

/** Sets the time of every planned wipe. No launcher may be running. */
export function setDue(dataDir: string, dueMs: number): void {
  const database = new DatabaseSync(join(dataDir, "kit.db"));
  database.prepare("UPDATE wipe SET due_ms = ?").run(dueMs);
  database.close();
}

const startsIn = (launcher: OwnLauncher): number =>
  launcher
    .output()
    .split("\n")
    .filter((line) => line.includes(`:${launcher.port}"`) && line.includes('"event":"started"')).length;

/** How often the launcher has opened its data. It answers before its output says so for the first time. */
export const startsOf = (launcher: OwnLauncher): Promise<number> =>
  until("the launcher says that it started", () => startsIn(launcher) || undefined);

/** Waits until the launcher has reopened its data. */
export async function reopenedOf(launcher: OwnLauncher, began: number): Promise<void> {
  await until("the launcher has reopened its data", () => startsIn(launcher) > began);
}

// Runs games as separate processes, so that Kit can tell the senders apart, and reads what a data folder holds of each.
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { ingestOperations } from "@kit/contract";
import type { OwnLauncher } from "../support/own-launcher.ts";
import { until } from "../support/until.ts";

/**
 * A program that sends triggers and reports with the game's own words, over one connection. A busy machine may not find the first
 * events' sender in time: it asks until its reports are filed. Says how many events are the game's.
 */
export function play({ port, dataDir }: OwnLauncher, game: string): number {
  const code = `
    const secret = ${JSON.stringify(readFileSync(join(dataDir, "secret"), "utf8").trim())};
    const origin = "http://127.0.0.1:${port}";
    const send = async (path, body) => {
      const said = JSON.stringify({ ...body, timestamp: new Date().toISOString() });
      const sent = await fetch(origin + path, { method: "POST", headers: { "content-type": "application/json" }, body: said });
      const { id } = await sent.json();
      const receipt = await fetch(origin + "/api/events/" + id, { headers: { authorization: "Bearer " + secret } });
      return (await receipt.json()).event.game === "${game}";
    };
    await send("${ingestOperations.recording.path}", { eventId: "${game}_boss_defeated" });
    let events = 1;
    const report = (message) => send("${ingestOperations.monitor.path}", { message, stackTrace: "" });
    for (let isKnown = false; !isKnown; ) {
      await send("${ingestOperations.social.path}", { eventId: "${game}_secret_found" });
      isKnown = await report("Who am I?");
      events += isKnown ? 2 : 1;
    }
    for (const what of ["hero", "sword"]) events += Number(await report("${game} misses its " + what));
    console.log(events);`;
  const ended = spawnSync(process.execPath, ["--input-type=module", "-e", code], { encoding: "utf8", timeout: 60_000 });
  if (ended.status !== 0) throw new Error(ended.stderr);
  return Number(ended.stdout);
}

/** Which files below the folder have the text in them, in any case. */
export function filesWith(folder: string, text: string): string[] {
  const wanted = text.toLowerCase();
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile() && readFileSync(path, "latin1").toLowerCase().includes(wanted))
    .map((path) => relative(folder, path));
}

/** Has what is about to be wiped be due then; to be called while no launcher runs. */
export function setDue(dataDir: string, dueMs: number): void {
  const database = new DatabaseSync(join(dataDir, "kit.db"));
  database.prepare("UPDATE wipe SET due_ms = ?").run(dueMs);
  database.close();
}

/** Waits until it closed and is there again. */
export async function reopenedOf(launcher: OwnLauncher, began: number): Promise<void> {
  await until("it is there again", () => startsOf(launcher) !== began);
}
export const startsOf = (launcher: OwnLauncher): number =>
  launcher.process().output().split('"event":"started"').length;

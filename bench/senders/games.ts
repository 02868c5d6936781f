// Runs three games that send at once, and checks that each report is assigned to the right game.
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Receipt } from "@kit/contract";
import type { OwnLauncher } from "../../launcher/test/support/own-launcher.ts";

/** Result of a run with three games. */
export type GameRun = {
  readonly reports: number;
  /** Reports assigned to the right game. */
  readonly right: number;
  /** Reports without a game, because the sender was not found in time. */
  readonly unknown: number;
  /** Reports assigned to another game. */
  readonly wrong: number;
};

const names = ["saga", "racer", "quest"];
const reportsEach = 5;

/** Sends a trigger, which identifies the game, and then many reports at once over separate connections. */
const script = `
  const { request } = require("node:http");
  const [port, name] = process.argv.slice(1);
  const send = (path, said) => new Promise((resolve, reject) => {
    const headers = { "content-type": "application/json", "user-agent": "TwinEngine/1.0" };
    const sent = request({ host: "127.0.0.1", port, path, method: "POST", headers, agent: false }, async (answer) => {
      resolve(JSON.parse(Buffer.concat(await answer.toArray())).id);
    });
    sent.once("error", reject);
    sent.end(JSON.stringify({ ...said, timestamp: new Date().toISOString() }));
  });
  process.stdin.once("data", async () => {
    await send("/api/recording/trigger", { eventId: name + "_began" });
    const reports = Array.from({ length: ${reportsEach} }, (_, n) =>
      send("/api/monitor/report", { message: "Error " + n + " of " + name, stackTrace: "" }));
    console.log(JSON.stringify(await Promise.all(reports)));
    process.stdin.pause();
  });
  console.log("ready");`;

type Game = { readonly name: string; readonly child: ChildProcessWithoutNullStreams; line(): Promise<string> };

function start(port: number, name: string): Game {
  const child = spawn(process.execPath, ["-e", script, String(port), name], { stdio: "pipe" });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const line = async () => {
    const { value } = await lines.next();
    if (value === undefined) throw new Error(`the game ${name} ended`);
    return value;
  };
  return { name, child, line };
}

async function gameOf(launcher: OwnLauncher, id: string): Promise<string | null> {
  return ((await launcher.receipt(id)) satisfies Receipt).event.game;
}

/** Runs all three games at the same time. */
export async function playThree(launcher: OwnLauncher): Promise<GameRun> {
  const games = names.map((name) => start(launcher.port, name));
  try {
    for (const { line } of games) await line();
    for (const { child } of games) child.stdin.write("go\n");
    const filed: { readonly wanted: string; readonly game: string | null }[] = [];
    for (const { name, line } of games) {
      const ids: string[] = JSON.parse(await line());
      for (const id of ids) filed.push({ wanted: name, game: await gameOf(launcher, id) });
    }
    const right = filed.filter(({ wanted, game }) => game === wanted).length;
    const unknown = filed.filter(({ game }) => game === null).length;
    return { reports: filed.length, right, unknown, wrong: filed.length - right - unknown };
  } finally {
    for (const { child } of games) if (child.kill("SIGKILL")) await once(child, "close");
  }
}

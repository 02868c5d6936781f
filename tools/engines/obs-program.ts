// Runs the real OBS on a virtual display with its own settings.
import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { openDisplay } from "./display.ts";
import { freePort } from "./free-port.ts";
import { pathOf } from "./locate.ts";
import { collection, profile, writeSettings } from "./obs-settings.ts";
import { endProcessesOf } from "./processes.ts";

export type ObsProgramOptions = {
  /** The captured display, which differs from OBS's own display. */
  readonly captures: string;
  readonly width: number;
  readonly height: number;
  readonly framesPerSecond: number;
  /** Length of the replay buffer in seconds, or null to disable it. */
  readonly replaySeconds: number | null;
};

export type ObsProgram = {
  readonly url: string;
  readonly password: string;
  /** Folder of the replays. */
  readonly replays: string;
  /** Resolves when the WebSocket server listens. Otherwise throws an error with OBS's output. */
  start(): Promise<void>;
  /** Kills OBS, like a crash. */
  kill(): Promise<void>;
  /** Kills all processes and removes all files. */
  close(): Promise<void>;
};

const startMs = 60_000;
/** Lines of OBS's output to keep for error messages. */
const linesMax = 40;

export async function prepareObs(options: ObsProgramOptions): Promise<ObsProgram> {
  const home = mkdtempSync(join(tmpdir(), "kit-obs-"));
  const replays = join(home, "replays");
  mkdirSync(replays);
  const display = await openDisplay();
  const port = await freePort();
  const password = randomBytes(12).toString("hex");
  writeSettings(home, { ...options, port, password, replays });

  /** Also kills OBS's muxer process, which has the same home folder. */
  const kill = () => endProcessesOf(home);

  return {
    url: `ws://127.0.0.1:${port}`,
    password,
    replays,
    async start() {
      const env = environment(home, display.name);
      await listening(spawn(pathOf("OBS"), words, { env, stdio: ["ignore", "pipe", "pipe"] }), port);
    },
    kill,
    async close() {
      await kill();
      await display.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

const words = [
  "--multi",
  "--minimize-to-tray",
  "--disable-missing-files-check",
  "--disable-updater",
  ...["--profile", profile, "--collection", collection],
];

/** Without XDG_CONFIG_HOME, which OBS prefers to HOME, and with software rendering. */
function environment(home: string, display: string): NodeJS.ProcessEnv {
  const { PATH, LANG = "C.UTF-8" } = process.env;
  return { PATH, LANG, HOME: home, DISPLAY: display, LIBGL_ALWAYS_SOFTWARE: "1", XDG_RUNTIME_DIR: home };
}

async function listening(child: ChildProcess, port: number): Promise<void> {
  const said: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (part: string) => said.splice(0, said.push(part) - linesMax));
  }
  const deadlineMs = performance.now() + startMs;
  while (!(await answers(port))) {
    const ended = child.exitCode !== null || child.signalCode !== null;
    if (ended || performance.now() > deadlineMs) throw new Error(`OBS does not listen: ${said.join("")}`);
    await pause(100);
  }
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => settle(true));
    const settle = (result: boolean) => {
      socket.destroy();
      resolve(result);
    };
    socket.on("error", () => settle(false));
  });
}

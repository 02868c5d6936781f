// The launcher of the self-test: a process of its own, on a free port, with a new data folder.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type Client, createClient, getHealth, stopLauncher } from "@kit/contract";
import { programEnvironment } from "../config.ts";

export type OwnLauncher = {
  readonly client: Client;
  readonly port: number;
  readonly dataDir: string;
  /** Asks it to end, as `kit stop` does. Resolves to whether it ended cleanly. */
  stop(): Promise<boolean>;
};

const startsWithinMs = 60_000;
const stopsWithinMs = 12_000;
const pollMs = 100;
const outputCharsMax = 2_000;

/** Finds a free port by listening on it for a moment. */
async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

type Start = {
  readonly ownCommand: readonly string[];
  readonly folder: string;
  readonly signal: AbortSignal;
};

const isRunning = ({ exitCode, signalCode }: ChildProcess) => exitCode === null && signalCode === null;

async function waitUntilReady(child: ChildProcess, port: number, said: () => string, signal: AbortSignal) {
  const address = `http://127.0.0.1:${port}${getHealth.path}`;
  const deadlineMs = performance.now() + startsWithinMs;
  for (;;) {
    signal.throwIfAborted();
    const answers = await fetch(address, { signal: AbortSignal.timeout(5_000) }).then(
      ({ ok }) => ok,
      () => false,
    );
    if (answers) return;
    if (!isRunning(child)) throw new Error(`the launcher ended with ${child.exitCode}: ${said()}`);
    if (performance.now() > deadlineMs)
      throw new Error(`the launcher did not answer within ${startsWithinMs / 1_000} s`);
    await pause(pollMs);
  }
}

/** Starts the launcher. Rejects with what it said, if it ends or does not answer. */
export async function startOwnLauncher({ ownCommand, folder, signal }: Start): Promise<OwnLauncher> {
  const port = await findFreePort();
  const dataDir = join(folder, "data");
  const [program = "", ...words] = ownCommand;
  const place = ["--port", String(port), "--data-dir", dataDir, "--clips-dir", join(dataDir, "clips")];
  let output = "";
  const child = spawn(program, [...words, "start", "--no-open", "--json", ...place], {
    stdio: ["ignore", "pipe", "pipe"],
    windowsHide: true,
    // Its passwords must not get into the keyring of the user.
    env: programEnvironment({ KIT_SECRETS: "file" }),
  });
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      output = (output + text).slice(-outputCharsMax);
    });
  const ended = once(child, "exit");
  ended.catch(() => undefined);
  try {
    await waitUntilReady(child, port, () => output.trim(), signal);
  } catch (error) {
    child.kill("SIGKILL");
    throw error;
  }
  const secret = readFileSync(join(dataDir, "secret"), "utf8").trim();
  const client = createClient(`http://127.0.0.1:${port}`, () => ({ authorization: `Bearer ${secret}` }));
  return {
    client,
    port,
    dataDir,
    async stop() {
      const asked = await client.call(stopLauncher).then(
        () => true,
        () => false,
      );
      const late = pause(stopsWithinMs, "late" as const, { ref: false });
      const isClean = asked && (await Promise.race([ended, late])) !== "late" && child.exitCode === 0;
      if (isRunning(child)) {
        child.kill("SIGKILL");
        await ended;
      }
      return isClean;
    },
  };
}

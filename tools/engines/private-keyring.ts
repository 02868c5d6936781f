// Starts gnome-keyring for a test, on a private session bus and in a private home folder.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathOf } from "./locate.ts";

export type PrivateKeyring = {
  /** Environment variables that make a program use this keyring. */
  readonly env: NodeJS.ProcessEnv;
  /** Makes the keyring hang without answering. */
  hang(): void;
  wake(): void;
  close(): Promise<void>;
};

const startWithinMs = 20_000;

/** A bus without activation, so that no other keyring is started. */
const busConfig = (home: string) => `<busconfig>
  <type>session</type>
  <listen>unix:path=${join(home, "bus")}</listen>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
</busconfig>`;

/** Waits for the first line of output. */
async function firstLine(child: ChildProcess, what: string): Promise<string> {
  if (child.stdout === null) throw new Error(`${what} has no output`);
  const lines = createInterface({ input: child.stdout });
  const [line] = (await once(lines, "line", { signal: AbortSignal.timeout(startWithinMs) })) as [string];
  return line;
}

/** Opens the keyring. Unlocks it with the password; without one it stays locked. It may take a moment to answer. */
export async function openPrivateKeyring(password?: string): Promise<PrivateKeyring> {
  const home = mkdtempSync(join(tmpdir(), "kit-keyring-"));
  const own = { PATH: process.env.PATH, HOME: home, XDG_RUNTIME_DIR: home, XDG_DATA_HOME: join(home, "data") };
  const config = join(home, "bus.conf");
  writeFileSync(config, busConfig(home));
  const bus = spawn("dbus-daemon", [`--config-file=${config}`, "--nofork", "--print-address"], {
    env: own,
    stdio: ["ignore", "pipe", "ignore"],
  });
  const env = { ...own, DBUS_SESSION_BUS_ADDRESS: await firstLine(bus, "dbus-daemon") };
  const unlock = password === undefined ? [] : ["--unlock"];
  const words = ["--foreground", "--components=secrets", `--control-directory=${home}`, ...unlock];
  const keyring = spawn(pathOf("GNOME Keyring"), words, { env, stdio: ["pipe", "pipe", "ignore"] });
  keyring.stdin.end(password ?? "");
  await firstLine(keyring, "gnome-keyring-daemon");
  return {
    env,
    hang: () => keyring.kill("SIGSTOP"),
    wake: () => keyring.kill("SIGCONT"),
    async close() {
      for (const child of [keyring, bus]) {
        const ended = once(child, "exit");
        if (child.exitCode === null && child.kill("SIGKILL")) await ended;
      }
      rmSync(home, { recursive: true, force: true });
    },
  };
}

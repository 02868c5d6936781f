// Starts gnome-keyring for a test, on a private session bus and in a private home folder.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathOf } from "./locate.ts";
import { endNow, firstLine, openPrivateBus } from "./private-bus.ts";

export type PrivateKeyring = {
  /** Environment variables that make a program use this keyring. */
  readonly env: NodeJS.ProcessEnv;
  /** Makes the keyring hang without answering. */
  hang(): void;
  wake(): void;
  close(): Promise<void>;
};

/** Opens the keyring. Unlocks it with the password; without one it stays locked. It may take a moment to answer. */
export async function openPrivateKeyring(password?: string): Promise<PrivateKeyring> {
  const home = mkdtempSync(join(tmpdir(), "kit-keyring-"));
  const own = { PATH: process.env.PATH, HOME: home, XDG_RUNTIME_DIR: home, XDG_DATA_HOME: join(home, "data") };
  const bus = await openPrivateBus(home, own);
  const env = { ...own, DBUS_SESSION_BUS_ADDRESS: bus.address };
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
      await endNow(keyring);
      await bus.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

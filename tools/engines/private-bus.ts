// Starts a D-Bus session bus for one test, with its socket in a given folder.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";

const startWithinMs = 20_000;

/** Without activation, so that nothing of the system is started. */
const configOf = (home: string) => `<busconfig>
  <type>session</type>
  <listen>unix:path=${join(home, "bus")}</listen>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
</busconfig>`;

/** Waits for the first line of output. */
export async function firstLine(child: ChildProcess, what: string): Promise<string> {
  if (child.stdout === null) throw new Error(`${what} has no output`);
  const lines = createInterface({ input: child.stdout });
  const [line] = (await once(lines, "line", { signal: AbortSignal.timeout(startWithinMs) })) as [string];
  return line;
}

/** Ends a program, also one that hangs. */
export async function endNow(child: ChildProcess): Promise<void> {
  const ended = once(child, "exit");
  if (child.exitCode === null && child.signalCode === null && child.kill("SIGKILL")) await ended;
}

/** `address` is the value for DBUS_SESSION_BUS_ADDRESS. */
export type PrivateBus = { readonly address: string; close(): Promise<void> };

export async function openPrivateBus(home: string, env: NodeJS.ProcessEnv): Promise<PrivateBus> {
  const config = join(home, "bus.conf");
  writeFileSync(config, configOf(home));
  const bus = spawn("dbus-daemon", [`--config-file=${config}`, "--nofork", "--print-address"], {
    env,
    stdio: ["ignore", "pipe", "ignore"],
  });
  return { address: await firstLine(bus, "dbus-daemon"), close: () => endNow(bus) };
}

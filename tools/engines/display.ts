// Opens virtual X displays. The server chooses a free number, so runs cannot collide.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { pathOf } from "./locate.ts";
import { patienceMs } from "./patience.ts";

export type Display = {
  readonly name: string;
  /** The process of the X server. */
  readonly pid: number;
  close(): Promise<void>;
};

/** Opens a display with a screen of `size` pixels, e.g. `1280x720`. */
export const openDisplay = (size = "1024x768"): Promise<Display> =>
  openServer(pathOf("Xvfb"), ["-screen", "0", `${size}x24`, "-noreset"]);

async function openServer(program: string, words: readonly string[]): Promise<Display> {
  const server = spawn(program, ["-displayfd", "3", ...words, "-nolisten", "tcp"], {
    stdio: ["ignore", "ignore", "ignore", "pipe"],
  });
  const ended = once(server, "exit");
  const numbers = createInterface({ input: server.stdio[3] as Readable });
  const number = await Promise.race([
    once(numbers, "line", { signal: AbortSignal.timeout(patienceMs) }).then(([line]) => line as string),
    ended.then(([code]) => Promise.reject(new Error(`${program} ended with ${code} before it had a display`))),
  ]);
  return {
    name: `:${number}`,
    pid: server.pid as number,
    async close() {
      server.kill();
      await ended;
    },
  };
}

export type Monitors = Display & {
  /** Connects or disconnects the second monitor, as a plug does. */
  plug(isConnected: boolean): void;
  /** Gives the only monitor another resolution, e.g. `800x600`. */
  resize(mode: string): void;
};

const monitorsConfig = `
Section "ServerFlags"
  Option "AutoAddDevices" "false"
  Option "AllowMouseOpenFail" "true"
  Option "DontVTSwitch" "true"
EndSection
Section "Device"
  Identifier "card"
  Driver "dummy"
  VideoRam 64000
EndSection
Section "Screen"
  Identifier "screen"
  Device "card"
  DefaultDepth 24
  SubSection "Display"
    Depth 24
    Virtual 2048 768
  EndSubSection
EndSection
`;

/** Opens a display with two monitors beside each other: DUMMY0, the primary one, with 1024x768 pixels, and DUMMY1 with 800x600. */
export async function openMonitors(): Promise<Monitors> {
  const program = pathOf("Xorg");
  const root = join(program, "../../../..");
  const folder = mkdtempSync(join(tmpdir(), "kit-xorg-"));
  const config = join(folder, "xorg.conf");
  writeFileSync(config, monitorsConfig);
  const modules = ["-modulepath", join(root, "usr/lib/xorg/modules"), "-logfile", join(folder, "log")];
  const own = ["-config", config, ...modules, "-noreset", "-novtswitch", "-sharevts"];
  const display = await openServer(program, own);
  const xrandr = (...words: string[]) => {
    const run = spawnSync(join(root, "usr/bin/xrandr"), ["-display", display.name, ...words], { encoding: "utf8" });
    if (run.status !== 0) throw new Error(`xrandr ${words.join(" ")}: ${run.stderr}`);
  };
  const plug = (isConnected: boolean) => {
    if (!isConnected) return xrandr("--output", "DUMMY1", "--off", "--fb", "1024x768");
    xrandr("--output", "DUMMY1", "--mode", "800x600", "--right-of", "DUMMY0");
  };
  xrandr("--addmode", "DUMMY1", "800x600");
  plug(true);
  return {
    ...display,
    plug,
    resize: (mode) => xrandr("--output", "DUMMY0", "--mode", mode, "--fb", mode),
    async close() {
      await display.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

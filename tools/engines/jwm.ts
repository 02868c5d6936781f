// Starts a window manager on a virtual display: windows get frames, and can be minimised and shown in full screen.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { pathOf } from "./locate.ts";
import { patienceMs } from "./patience.ts";

/** The height of the panel at the lower edge of the screen, in pixels. */
export const panelHeight = 32;

/** The window manager reads no settings of this computer. Its panel has nothing but a tray. */
const settingsWith = (tray: boolean) =>
  `<?xml version="1.0"?><JWM>${tray ? `<Tray x="0" y="-1" height="${panelHeight}"><Dock/></Tray>` : ""}</JWM>`;

type X = {
  InternAtom(onlyIfExists: boolean, name: string, reply: (error: unknown, atom: number) => boolean): void;
  GetProperty(
    ...words: [0, number, number, 0, 0, 1, (error: unknown, property: { data: Buffer } | undefined) => boolean]
  ): void;
  terminate(): void;
};

/** Resolves when the window manager has taken over the display. With `tray`, it has a panel with a tray for icons. */
export async function openJwm(display: string, { tray = false } = {}): Promise<{ close(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), "kit-jwm-"));
  const file = join(folder, "jwmrc");
  writeFileSync(file, settingsWith(tray));
  // Connects first: the display resets when its last program leaves, which would drop the window manager.
  const { x, root } = await connect(display);
  const child = spawn(pathOf("JWM"), ["-f", file, "-display", display], { stdio: "ignore" });
  const ended = once(child, "exit");
  const deadlineMs = performance.now() + patienceMs;
  while (!(await isManaged(x, root))) {
    if (child.exitCode !== null) throw new Error(`JWM ended with ${child.exitCode}`);
    if (performance.now() > deadlineMs) throw new Error("JWM did not take over the display");
    await setTimeout(50);
  }
  x.terminate();
  return {
    async close() {
      child.kill();
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function connect(display: string): Promise<{ x: X; root: number }> {
  const { createClient } = await import("x11");
  return new Promise((resolve, reject) => {
    createClient({ display }, (error, connected) => {
      if (error) return reject(error);
      // The package keeps the numbers of names for all servers together, but each server gives its own.
      const x = Object.assign(connected.client as unknown as X, { atoms: { ...connected.client.atoms } });
      resolve({ x, root: connected.screen[0]?.root ?? 0 });
    });
  });
}

/** Returns true if a window manager has named its window on the root window. */
function isManaged(x: X, root: number): Promise<boolean> {
  return new Promise((resolve) => {
    x.InternAtom(false, "_NET_SUPPORTING_WM_CHECK", (_, atom) => {
      x.GetProperty(0, root, atom, 0, 0, 1, (_error, property) => {
        resolve((property?.data.length ?? 0) > 0);
        return true;
      });
      return true;
    });
  });
}

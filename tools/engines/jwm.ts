// Starts a window manager on a virtual display: windows get frames, and can be minimised and shown in full screen.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { type OpenDisplay, openXDisplay, query } from "../../launcher/src/recording/x11/connection.ts";
import { pathOf } from "./locate.ts";
import { patienceMs } from "./patience.ts";

/** The height of the panel at the lower edge of the screen, in pixels. */
export const panelHeight = 32;

/** The window manager reads no settings of this computer. Its panel has nothing but a tray. */
const settingsWith = (tray: boolean) =>
  `<?xml version="1.0"?><JWM>${tray ? `<Tray x="0" y="-1" height="${panelHeight}"><Dock/></Tray>` : ""}</JWM>`;

/** Resolves when the window manager has taken over the display. With `tray`, it has a panel with a tray for icons. */
export async function openJwm(display: string, { tray = false } = {}): Promise<{ close(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), "kit-jwm-"));
  const file = join(folder, "jwmrc");
  writeFileSync(file, settingsWith(tray));
  // Connects first: the display resets when its last program leaves, which would drop the window manager.
  const opened = await openXDisplay(display);
  const child = spawn(pathOf("JWM"), ["-f", file, "-display", display], { stdio: "ignore" });
  const ended = once(child, "exit");
  const deadlineMs = performance.now() + patienceMs;
  while (!(await isManaged(opened))) {
    if (child.exitCode !== null) throw new Error(`JWM ended with ${child.exitCode}`);
    if (performance.now() > deadlineMs) throw new Error("JWM did not take over the display");
    await setTimeout(50);
  }
  opened.close();
  return {
    async close() {
      child.kill();
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Returns true if a window manager has named its window on the root window. */
async function isManaged({ x, screen: { root } }: OpenDisplay): Promise<boolean> {
  const atom = (await query<number>((reply) => x.InternAtom(false, "_NET_SUPPORTING_WM_CHECK", reply))) ?? 0;
  const property = await query<{ data: Buffer }>((reply) => x.GetProperty(0, root, atom, 0, 0, 1, reply));
  return (property?.data.length ?? 0) > 0;
}

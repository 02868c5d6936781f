// Tells whether a window fills the screen, so that nothing is shown over a game.

import { readXDisplay } from "../capture/probe/source.ts";
import { type Connection, isXwayland, type OpenDisplay, openXDisplay, query, type Size } from "../x11/connection.ts";
import { readVisibleSize } from "../x11/screen.ts";

const anyType = 0;
const wordsMax = 64;
const windowsMax = 500;

const covers = (window: Size | undefined, { width, height }: Size): boolean =>
  window !== undefined && window.width >= width && window.height >= height;

/** Returns the 32-bit values of a property; undefined if the window does not have it. */
async function readNumbers(x: Connection, window: number, property: string): Promise<readonly number[] | undefined> {
  const name = await query<number>((reply) => x.InternAtom(true, property, reply));
  if (!name) return undefined;
  const found = await query<{ data: Buffer }>((reply) => x.GetProperty(0, window, name, anyType, 0, wordsMax, reply));
  if (found === undefined || found.data.length < 4) return undefined;
  return Array.from({ length: Math.floor(found.data.length / 4) }, (_, index) => found.data.readUInt32LE(index * 4));
}

const sizeOf = (x: Connection, window: number) => query<Size>((reply) => x.GetGeometry(window, reply));

/** Without a window manager, any visible window may be the game. */
async function hasCoveringWindow({ x, screen: { root } }: OpenDisplay, monitor: Size): Promise<boolean> {
  const tree = await query<{ children: readonly number[] }>((reply) => x.QueryTree(root, reply));
  const windows = (tree?.children ?? []).slice(0, windowsMax);
  const sizes = await Promise.all(windows.map((window) => readVisibleSize(x, window)));
  return sizes.some((size) => covers(size, monitor));
}

async function findFullScreen(display: OpenDisplay, monitor: Size): Promise<boolean | undefined> {
  const { x } = display;
  const { root } = display.screen;
  if (await isXwayland(x)) return undefined;
  const active = await readNumbers(x, root, "_NET_ACTIVE_WINDOW");
  if (active === undefined) return hasCoveringWindow(display, monitor);
  const [window] = active;
  if (!window) return false;
  const [states, fullScreen, size] = await Promise.all([
    readNumbers(x, window, "_NET_WM_STATE"),
    query<number>((reply) => x.InternAtom(true, "_NET_WM_STATE_FULLSCREEN", reply)),
    sizeOf(x, window),
  ]);
  // Many games cover the screen with a window that has no frame, and do not call it full-screen.
  return Boolean(fullScreen && states?.includes(fullScreen)) || covers(size, monitor);
}

/** Resolves to whether the active window fills the screen, or to undefined if that is not known here. Never rejects. */
export async function isScreenFilled(display: string): Promise<boolean | undefined> {
  let opened: OpenDisplay | undefined;
  try {
    const { monitor } = await readXDisplay(display, null);
    if (monitor === undefined) return undefined;
    opened = await openXDisplay(display);
    return await findFullScreen(opened, monitor);
  } catch {
    return undefined;
  } finally {
    opened?.close();
  }
}

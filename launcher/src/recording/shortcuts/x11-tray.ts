// Kit's icon in the tray of an X11 desktop, after the System Tray Protocol of freedesktop.org: a small window that the tray embeds.

import { runFfmpeg } from "../ffmpeg/run.ts";
import { type Connection, isXwayland, type OpenDisplay, openXDisplay, query, type XEvent } from "../x11/connection.ts";
import type { ShowTrayIcon } from "./tray.ts";

/** The part of the x11 package that only a painted window needs. */
type Painting = Connection & {
  CreateGC(id: number, drawable: number, values: object): void;
  PutImage(
    format: number,
    drawable: number,
    context: number,
    ...rest: [width: number, height: number, x: number, y: number, leftPad: number, depth: number, data: Buffer]
  ): void;
  SendClientMessage(
    destination: number,
    window: number,
    type: number,
    format: number,
    data: readonly number[],
    eventMask: number,
  ): void;
  UnmapWindow(window: number): void;
};

const eventMasks = { buttonPress: 0x4, exposure: 0x8000, structureNotify: 0x2_0000 } as const;
const startSize = 24;
const sizeMax = 256;
const zPixmap = 2;
const requestDock = 0;
/** A message with no event mask goes to the program that owns the window. */
const toOwner = 0;
/** The tray shows the window; Kit only creates it. */
const xembedInfo = [0, 1];

/** Returns the pixels of the square icon, four bytes each: blue, green, red, alpha. */
export type IconPixels = (size: number) => Promise<Buffer>;

const words = (numbers: readonly number[]): Buffer => Buffer.from(new Uint32Array(numbers).buffer);

async function readAtoms(x: Connection) {
  const read = (name: string) => query<number>((reply) => x.InternAtom(false, name, reply)).then((atom) => atom ?? 0);
  const [tray, opcode, manager, xembed, title, utf8] = await Promise.all([
    read("_NET_SYSTEM_TRAY_S0"),
    read("_NET_SYSTEM_TRAY_OPCODE"),
    read("MANAGER"),
    read("_XEMBED_INFO"),
    read("_NET_WM_NAME"),
    read("UTF8_STRING"),
  ]);
  return { tray, opcode, manager, xembed, title, utf8 };
}

/** `onWayland` shows the icon where the display belongs to a Wayland desktop, which has no tray of this kind. */
export function showTrayIconOnX11(display: string, pixels: IconPixels, onWayland: ShowTrayIcon): ShowTrayIcon {
  return async (events) => {
    const opened = await openXDisplay(display);
    try {
      if (await isXwayland(opened.x)) {
        opened.close();
        return await onWayland(events);
      }
      return await embed(opened, pixels, events);
    } catch (error) {
      opened.close();
      throw error;
    }
  };
}

async function embed(
  opened: OpenDisplay,
  pixels: IconPixels,
  { clicked, changed, lost }: Parameters<ShowTrayIcon>[0],
): ReturnType<ShowTrayIcon> {
  const { root, root_depth: depth } = opened.screen;
  const x = opened.x as Painting;
  const atoms = await readAtoms(x);
  const id = x.AllocID();
  const context = x.AllocID();
  let owner = 0;
  let isClosed = false;
  const place = { width: startSize, height: startSize };

  const dock = async () => {
    owner = (await query<number>((reply) => x.GetSelectionOwner(atoms.tray, reply))) ?? 0;
    if (owner !== 0) {
      x.ChangeWindowAttributes(owner, { eventMask: eventMasks.structureNotify });
      x.SendClientMessage(owner, owner, atoms.opcode, 32, [0, requestDock, id, 0, 0], toOwner);
    }
    changed();
  };
  const draw = async () => {
    const { width, height } = place;
    const size = Math.min(width, height, sizeMax);
    const data = await pixels(size);
    const left = Math.floor((width - size) / 2);
    const top = Math.floor((height - size) / 2);
    if (!isClosed) x.PutImage(zPixmap, id, context, size, size, left, top, 0, depth, data);
  };
  const handle = (event: XEvent) => {
    if (event.name === "ClientMessage" && event.message_type === atoms.manager) void dock();
    if (event.name === "DestroyNotify" && event.wid === owner) {
      // Otherwise the icon would be a window of its own until the next tray comes.
      x.UnmapWindow(id);
      void dock();
    }
    if (event.wid !== id) return;
    if (event.name === "ButtonPress") clicked();
    if (event.name === "ConfigureNotify") Object.assign(place, { width: event.width, height: event.height });
    if (event.name === "Expose" || event.name === "ConfigureNotify") void draw();
  };
  // A tray that has gone meanwhile is no reason to fail.
  x.on("error", () => undefined);
  x.on("end", () => {
    if (!isClosed) lost();
  });
  x.on("event", handle);
  x.ChangeWindowAttributes(root, { eventMask: eventMasks.structureNotify });
  const { buttonPress, exposure, structureNotify } = eventMasks;
  const values = { backgroundPixel: 0, eventMask: buttonPress | exposure | structureNotify };
  x.CreateWindow(id, root, 0, 0, startSize, startSize, 0, 0, 1, 0, values);
  x.CreateGC(context, id, {});
  x.ChangeProperty(0, id, atoms.xembed, atoms.xembed, 32, words(xembedInfo));
  x.ChangeProperty(0, id, atoms.title, atoms.utf8, 8, Buffer.from("Kit"));
  await dock();
  return {
    hasTray: () => owner !== 0,
    close() {
      isClosed = true;
      opened.close();
    },
  };
}

/** The icon can wait for a busy machine; the plain square would stay. */
const timeoutMs = 60_000;
/** Kit's purple, for a tray without ffmpeg. */
const plain = [0xd6, 0x5b, 0x5b, 0xff] as const;

type FindFfmpeg = () => Promise<{ readonly path: string } | undefined>;

/** `icon` is the path of a PNG. Where it cannot be read, the icon is a plain square. */
export function createIconPixels(icon: string, findFfmpeg: FindFfmpeg): IconPixels {
  const known = new Map<number, Promise<Buffer>>();
  const read = async (size: number): Promise<Buffer> => {
    const bytes = size * size * plain.length;
    const ffmpeg = await findFfmpeg();
    const args = ["-v", "error", "-i", `file:${icon}`, "-vf", `scale=${size}:${size}:flags=area`, "-frames:v", "1"];
    const output = ["-pix_fmt", "bgra", "-f", "rawvideo", "pipe:1"];
    const job = { outBytesMax: bytes, timeoutMs };
    const made = ffmpeg && (await runFfmpeg(ffmpeg, [...args, ...output], job).catch(() => undefined));
    return made?.stdout.length === bytes ? made.stdout : Buffer.alloc(bytes, Buffer.from(plain));
  };
  return (size) => {
    // A tray has one size, rarely two.
    if (!known.has(size)) known.set(size, read(size));
    return known.get(size) as Promise<Buffer>;
  };
}

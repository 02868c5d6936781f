// Kit's icon in the tray of an X11 desktop, after the System Tray Protocol of freedesktop.org: a small window that the tray embeds.

import { type Connection, isXwayland, type OpenDisplay, openXDisplay, query, type XEvent } from "../x11/connection.ts";
import type { IconPixels } from "./icon-pixels.ts";
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
export function showTrayIconOnX11(
  display: string,
  icon: () => Promise<IconPixels>,
  onWayland: ShowTrayIcon,
): ShowTrayIcon {
  return async (events) => {
    const opened = await openXDisplay(display);
    try {
      if (await isXwayland(opened.x)) {
        opened.close();
        return await onWayland(events);
      }
      return await embed(opened, await icon(), events);
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
  const draw = () => {
    const { width, height } = place;
    const size = Math.min(width, height, sizeMax);
    const data = pixels(size);
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
    if (event.name === "Expose" || event.name === "ConfigureNotify") draw();
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

// Reads the monitors of an X display, and its windows: by their title, or by the process that made them.

import { type Connected, type Connection, query, type Reply, type Size } from "./connection.ts";

export type XWindow = Size & { readonly id: number; readonly title: string };

const wmName = 39;
const isViewable = 2;
const inputOutput = 1;
const anyType = 0;
const titleWordsMax = 128;
const windowsMax = 2_000;
const depthMax = 10;
/** Smaller windows are skipped: tooltips and tray icons have titles, too. A smaller monitor is none that a person sees. */
const sideMin = 64;

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
const clean = (text: string) => text.replaceAll(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, " ").trim();

const readAtom = async (x: Connection, name: string): Promise<number> =>
  (await query<number>((reply) => x.InternAtom(true, name, reply))) ?? 0;

/** Returns undefined if the window is gone, and an empty buffer if it lacks the property. */
async function readProperty(x: Connection, window: number, name: number, words: number): Promise<Buffer | undefined> {
  if (name === 0) return undefined;
  const property = await query<{ data: Buffer }>((reply) => x.GetProperty(0, window, name, anyType, 0, words, reply));
  return property?.data;
}

/** Reads the title of a window from _NET_WM_NAME, or from WM_NAME for old programs. */
export async function readTitle(x: Connection, window: number): Promise<string> {
  const netWmName = await readAtom(x, "_NET_WM_NAME");
  const [modern, old] = await Promise.all([
    readProperty(x, window, netWmName, titleWordsMax),
    readProperty(x, window, wmName, titleWordsMax),
  ]);
  return clean(modern?.toString("utf8") || old?.toString("latin1") || "");
}

/** Returns undefined if the window is hidden or gone, or has no pixels. */
export async function readVisibleSize(x: Connection, id: number): Promise<Size | undefined> {
  const [attributes, size] = await Promise.all([
    query<{ mapState: number; klass: number }>((reply) => x.GetWindowAttributes(id, reply)),
    query<Size>((reply) => x.GetGeometry(id, reply)),
  ]);
  if (attributes?.mapState !== isViewable || attributes.klass !== inputOutput || size === undefined) return undefined;
  return { width: size.width, height: size.height };
}

type VisibleWindow = Size & { readonly id: number; readonly parent: number };

/** Returns all visible windows below the root, at any depth: a window manager puts the window of a game into one of its own. */
async function listVisible({ x, screen }: Connected): Promise<VisibleWindow[]> {
  const found: VisibleWindow[] = [];
  let level = [screen.root];
  for (let depth = 0; depth < depthMax && level.length > 0 && found.length < windowsMax; depth += 1) {
    const trees = await Promise.all(
      level.map((id) => query<{ children: number[] }>((reply) => x.QueryTree(id, reply))),
    );
    const children = trees
      .flatMap((tree, index) => tree?.children.map((id) => ({ id, parent: level[index] ?? screen.root })) ?? [])
      .slice(0, windowsMax);
    const sizes = await Promise.all(children.map(({ id }) => readVisibleSize(x, id)));
    const visible = children.flatMap((child, index) => {
      const size = sizes[index];
      return size === undefined ? [] : [{ ...size, ...child }];
    });
    found.push(...visible);
    level = visible.map(({ id }) => id);
  }
  return found;
}

const area = ({ width, height }: Size) => width * height;

/** Returns the largest window; of equally large ones the first, which is the outermost. */
function largest<W extends Size>(windows: readonly W[]): W | undefined {
  return windows
    .filter(({ width, height }) => Math.min(width, height) >= sideMin)
    .reduce<W | undefined>((best, next) => (best === undefined || area(next) > area(best) ? next : best), undefined);
}

/** `pid` is the process of the window; null if it is not known. */
type OwnedXWindow = XWindow & { readonly pid: number | null };

/**
 * Returns the visible windows with a title, the largest first. Of a window and another inside it with the same title, only one is
 * there: with the process of the inner one, because a window manager makes the outer one.
 */
export async function readTitledWindows(connected: Connected): Promise<OwnedXWindow[]> {
  const [visible, ownerOf] = await Promise.all([listVisible(connected), readOwners(connected)]);
  const titles = await Promise.all(visible.map(({ id }) => readTitle(connected.x, id)));
  const owners = await Promise.all(visible.map(({ id }) => ownerOf(id)));
  const parents = new Map(visible.map(({ id, parent }) => [id, parent]));
  const isInside = (id: number | undefined, outer: number): boolean =>
    id !== undefined && (id === outer || isInside(parents.get(id), outer));
  const byTitle = new Map<string, OwnedXWindow>();
  for (const [index, { id, parent, width, height }] of visible.entries()) {
    const title = titles[index] ?? "";
    const pid = owners[index] ?? null;
    const outer = byTitle.get(title);
    if (outer !== undefined && pid !== null && isInside(parent, outer.id)) byTitle.set(title, { ...outer, pid });
    else if (title !== "" && outer === undefined && Math.min(width, height) >= sideMin)
      byTitle.set(title, { id, title, width, height, pid });
  }
  return [...byTitle.values()].toSorted((a, b) => area(b) - area(a));
}

/** Returns the largest window whose title contains the text in any case; of equally large ones, the outermost. */
export function findWindowByTitle(windows: readonly XWindow[], part: string): XWindow | undefined {
  const wanted = part.trim().toLowerCase();
  return largest(windows.filter(({ title }) => title.toLowerCase().includes(wanted)));
}

export async function readWindowByTitle(connected: Connected, part: string): Promise<XWindow | undefined> {
  const visible = await listVisible(connected);
  const titles = await Promise.all(visible.map(({ id }) => readTitle(connected.x, id)));
  const titled = visible.map(({ id, width, height }, index) => ({ id, title: titles[index] ?? "", width, height }));
  return findWindowByTitle(titled, part);
}

type ClientId = { readonly client: number; readonly value: readonly number[] };
type XResource = {
  QueryClientIds(
    specs: readonly { client: number; mask: number }[],
    reply: (error: Error | null, ids: ClientId[]) => void,
  ): void;
};
const localProcessId = 2;
const everyClient = 0;

/**
 * Returns a function that finds the process of a window. The server knows it for sure; _NET_WM_PID is what a program says of
 * itself, and wrong for one in a container, so it counts only where the server knows none.
 */
async function readOwners({ x, resourceMask }: Connected): Promise<(window: number) => Promise<number | undefined>> {
  const resource = (await query<unknown>((reply) => x.require("res", reply))) as XResource | undefined;
  const ids = await query<ClientId[]>((reply) =>
    resource === undefined
      ? reply(null, [])
      : resource.QueryClientIds([{ client: everyClient, mask: localProcessId }], reply),
  );
  const processes = new Map((ids ?? []).flatMap(({ client, value: [pid] }) => (pid ? [[client, pid] as const] : [])));
  const netWmPid = await readAtom(x, "_NET_WM_PID");
  return async (window) => {
    const known = processes.get((window & ~resourceMask) >>> 0);
    if (known !== undefined) return known;
    const said = await readProperty(x, window, netWmPid, 1);
    return said?.length === 4 ? said.readUInt32LE() : undefined;
  };
}

/** Returns the process of a window; undefined if it is not known. */
export const readOwner = async (connected: Connected, window: number): Promise<number | undefined> =>
  (await readOwners(connected))(window);

/** Returns the largest visible window of these processes. */
export async function readWindowOfProcesses(
  connected: Connected,
  processes: ReadonlySet<number>,
): Promise<VisibleWindow | undefined> {
  const [visible, ownerOf] = await Promise.all([listVisible(connected), readOwners(connected)]);
  const owners = await Promise.all(visible.map(({ id }) => ownerOf(id)));
  return largest(visible.filter((_, index) => processes.has(owners[index] ?? 0)));
}

/** A part of the screen. */
export type Area = Size & { readonly x: number; readonly y: number };
type XMonitor = Area & { readonly name: string };

type RandR = {
  SelectInput(window: number, mask: number): void;
  GetScreenResourcesCurrent(window: number, reply: Reply<{ outputs: number[] }>): void;
  GetOutputPrimary(window: number, reply: Reply<number>): void;
  GetOutputInfo(output: number, at: number, reply: Reply<{ crtc: number; name: string }>): void;
  GetCrtcInfo(crtc: number, at: number, reply: Reply<Area>): void;
};
const monitorsMax = 16;

async function readMonitor(randr: RandR, output: number): Promise<XMonitor | undefined> {
  const info = await query<{ crtc: number; name: string }>((reply) => randr.GetOutputInfo(output, 0, reply));
  if (!info?.crtc) return undefined;
  const area = await query<Area>((reply) => randr.GetCrtcInfo(info.crtc, 0, reply));
  if (area === undefined || area.width < sideMin || area.height < sideMin) return undefined;
  const { x, y, width, height } = area;
  return { name: info.name, x, y, width, height };
}

async function readRandR(x: Connection): Promise<RandR | undefined> {
  return (await query<unknown>((reply) => x.require("randr", reply))) as RandR | undefined;
}

const screenChange = 1;

/** Calls `onEvent` when the monitors may have changed. */
export async function selectMonitorEvents({ x, screen }: Connected, onEvent: () => void): Promise<void> {
  const randr = await readRandR(x);
  x.on("event", ({ name }) => name === "RRScreenChangeNotify" && onEvent());
  randr?.SelectInput(screen.root, screenChange);
}

/** Returns all monitors that show something, the primary one first. */
export async function readMonitors({ x, screen }: Connected): Promise<XMonitor[]> {
  const randr = await readRandR(x);
  if (randr === undefined) return [];
  const [resources, primary] = await Promise.all([
    query<{ outputs: number[] }>((reply) => randr.GetScreenResourcesCurrent(screen.root, reply)),
    query<number>((reply) => randr.GetOutputPrimary(screen.root, reply)),
  ]);
  const outputs = (resources?.outputs ?? []).toSorted((a, b) => Number(b === primary) - Number(a === primary));
  const monitors = await Promise.all(outputs.slice(0, monitorsMax).map((output) => readMonitor(randr, output)));
  return monitors.filter((monitor) => monitor !== undefined);
}

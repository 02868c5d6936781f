// Lists the monitors and windows that a person can choose, on Windows and on X11, each with a small picture of what it shows.

import type { listRecorderSources, RecorderSource, ReplyOf } from "@kit/contract";
import { message, reasonOf } from "@kit/contract/messages";
import { listFeatures } from "../ffmpeg/features.ts";
import type { Ffmpeg } from "../ffmpeg/find.ts";
import { runFfmpeg } from "../ffmpeg/run.ts";
import { type Composite, type Connected, connectToDisplay, query, redirectAutomatic } from "../x11/connection.ts";
import { readMonitors, readTitledWindows } from "../x11/screen.ts";
import { area, isLarge } from "./desktop-windows.ts";
import { type Size, stillArgs, type VideoInput } from "./probe/commands.ts";
import { hasWindowHandles, inputsInBuild, windowsInputs } from "./probe/source.ts";
import type { DesktopMonitor, DesktopWindow, WindowsDesktop } from "./window.ts";

/** GDI first: unlike the others, it shows no border around what it captures, and needs no graphics card. */
async function inputsFor(ffmpeg: Ffmpeg | undefined, what: Parameters<typeof windowsInputs>[0]) {
  if (ffmpeg === undefined) return [];
  return inputsInBuild(windowsInputs(what, hasWindowHandles(ffmpeg)), await listFeatures(ffmpeg)).toReversed();
}

function windowsToChooseFrom(all: readonly DesktopWindow[]): DesktopWindow[] {
  const windows = all.filter((window) => window.title !== "" && window.isShown && isLarge(window));
  const byTitle = new Map(windows.toReversed().map((window) => [window.title, window]));
  return [...byTitle.values()].toSorted((a, b) => area(b) - area(a)).slice(0, windowsMax);
}

/** Returns a function that lists the sources to choose from, or says why it cannot. */
export const createWindowsLister =
  (desktop: WindowsDesktop, findFfmpeg: () => Promise<Ffmpeg | undefined>) =>
  async (): Promise<ReplyOf<typeof listRecorderSources>> => {
    try {
      const [windows, monitors] = await Promise.all([desktop.listWindows(), desktop.listMonitors()]);
      const ffmpeg = await findFfmpeg();
      const primaryFirst = monitors.toSorted((a, b) => Number(b.isPrimary) - Number(a.isPrimary));
      const found = await Promise.all([
        ...primaryFirst.map(async (monitor: DesktopMonitor): Promise<PicturedSource> => {
          const { name, width, height } = monitor;
          return { kind: "monitor", name, width, height, pid: null, inputs: await inputsFor(ffmpeg, { monitor }) };
        }),
        ...windowsToChooseFrom(windows).map(async (window): Promise<PicturedSource> => {
          const { title, width, height, pid } = window;
          return { kind: "window", name: title, width, height, pid, inputs: await inputsFor(ffmpeg, { window }) };
        }),
      ]);
      return { sources: await takePictures(ffmpeg, found), why: null };
    } catch (error) {
      return { sources: [], why: message("source.windows_not_listed", { why: reasonOf(error) }) };
    }
  };

const windowsMax = 24;
/** The list must not wait for a window that hangs. Beside a game on every core, a picture takes a few seconds. */
const pictureTimeoutMs = 60_000;
const pictureBytesMax = 200_000;
/** Each picture takes a process for a moment. */
const picturesAtOnce = 3;
/** A smaller picture has one colour: probably the input sees nothing of what the graphics card draws. */
const plainBytesMax = 3_000;

/** `inputs` show the source, in the order in which to try them. */
type PicturedSource = Omit<RecorderSource, "picture"> & { readonly inputs: readonly VideoInput[] };
type Program = { readonly path: string };

async function takePicture(ffmpeg: Program, input: VideoInput, size: Size): Promise<Buffer | undefined> {
  const job = { outBytesMax: pictureBytesMax, timeoutMs: pictureTimeoutMs };
  return runFfmpeg(ffmpeg, stillArgs(input, size), job).then(
    ({ stdout }) => (stdout.length === 0 ? undefined : stdout),
    () => undefined,
  );
}

/** Returns the first picture that shows something, otherwise any; null if none can be taken. */
async function takeBestPicture(ffmpeg: Program, { inputs, width, height }: PicturedSource): Promise<string | null> {
  let best: Buffer | undefined;
  for (const input of inputs) {
    const picture = await takePicture(ffmpeg, input, { width, height });
    if (picture !== undefined && picture.length > (best?.length ?? 0)) best = picture;
    if (best !== undefined && best.length > plainBytesMax) break;
  }
  return best === undefined ? null : `data:image/jpeg;base64,${best.toString("base64")}`;
}

/** Without an ffmpeg, the sources have no pictures. */
async function takePictures(
  ffmpeg: Program | undefined,
  sources: readonly PicturedSource[],
): Promise<RecorderSource[]> {
  const pictures: (string | null)[] = [];
  const rest = [...sources.entries()];
  const takeRest = async () => {
    for (let next = rest.shift(); next !== undefined; next = rest.shift()) {
      const [index, source] = next;
      pictures[index] = ffmpeg === undefined ? null : await takeBestPicture(ffmpeg, source);
    }
  };
  await Promise.all(Array.from({ length: picturesAtOnce }, takeRest));
  return sources.map(({ inputs: _, ...source }, index) => ({ ...source, picture: pictures[index] ?? null }));
}

/** Covered parts of a window have no pixels until the program has painted them again. */
const repaintMs = 200;

async function findSources(connected: Connected, display: string): Promise<PicturedSource[]> {
  const [monitors, windows] = await Promise.all([readMonitors(connected), readTitledWindows(connected)]);
  return [
    ...monitors.map(({ name, width, height, x, y }): PicturedSource => {
      return { kind: "monitor", name, width, height, pid: null, inputs: [{ kind: "x11-screen", display, x, y }] };
    }),
    ...windows.slice(0, windowsMax).map(({ id, title, width, height, pid }): PicturedSource => {
      return { kind: "window", name: title, width, height, pid, inputs: [{ kind: "x11-window", display, window: id }] };
    }),
  ];
}

type FindFfmpeg = () => Promise<{ readonly path: string } | undefined>;

/** Returns a function that lists the sources, or says why it cannot. Calls at the same time share one list. */
export function createX11Lister(display: string | undefined, ffmpeg: FindFfmpeg) {
  let listing: Promise<RecorderSource[]> | undefined;
  return async (): Promise<ReplyOf<typeof listRecorderSources>> => {
    if (display === undefined || display === "") return { sources: [], why: message("sources.only_x11") };
    listing ??= ffmpeg()
      .then((found) => listX11Sources(display, found))
      .finally(() => {
        listing = undefined;
      });
    try {
      return { sources: await listing, why: null };
    } catch (error) {
      return { sources: [], why: message("source.display_not_opened", { display, why: reasonOf(error) }) };
    }
  };
}

/** Rejects if the display cannot be opened. A source whose picture cannot be taken has none. */
async function listX11Sources(
  display: string,
  ffmpeg: { readonly path: string } | undefined,
): Promise<RecorderSource[]> {
  const abort = new AbortController();
  try {
    const connected = await connectToDisplay(display, abort.signal);
    const found = await Promise.race([findSources(connected, display), connected.lost]);
    await redirect(connected, found);
    return await takePictures(ffmpeg, found);
  } finally {
    abort.abort();
  }
}

/** Without this, the picture of a covered window would show the window that covers it. Ends with the connection. */
async function redirect({ x }: Connected, found: readonly PicturedSource[]): Promise<void> {
  const composite = (await query<unknown>((reply) => x.require("composite", reply))) as Composite | undefined;
  if (composite === undefined) return;
  for (const { inputs } of found)
    for (const input of inputs)
      if (input.kind === "x11-window") composite.RedirectWindow(input.window, redirectAutomatic);
  await new Promise((resolve) => setTimeout(resolve, repaintMs));
}

// Lists the monitors and windows of an X display, each with a small picture of what it shows.

import type { listRecorderSources, RecorderSource, ReplyOf } from "@kit/contract";
import { message, reasonOf } from "@kit/contract/messages";
import { runFfmpeg } from "../ffmpeg/run.ts";
import { type Composite, type Connected, connectToDisplay, query, redirectAutomatic } from "../x11/connection.ts";
import { readMonitors } from "../x11/monitors.ts";
import { readTitledWindows } from "../x11/windows.ts";
import { type Size, stillArgs, type VideoInput } from "./probe/commands.ts";

const windowsMax = 24;
const pictureTimeoutMs = 5_000;
const pictureBytesMax = 200_000;
/** Each picture takes a process for a moment. */
const picturesAtOnce = 3;
/** Covered parts of a window have no pixels until the program has painted them again. */
const repaintMs = 200;

type Found = Size & { readonly kind: RecorderSource["kind"]; readonly name: string; readonly input: VideoInput };

async function findSources(connected: Connected, display: string): Promise<Found[]> {
  const [monitors, windows] = await Promise.all([readMonitors(connected), readTitledWindows(connected)]);
  return [
    ...monitors.map(({ name, width, height, x, y }): Found => {
      return { kind: "monitor", name, width, height, input: { kind: "x11-screen", display, x, y } };
    }),
    ...windows.slice(0, windowsMax).map(({ id, title, width, height }): Found => {
      return { kind: "window", name: title, width, height, input: { kind: "x11-window", display, window: id } };
    }),
  ];
}

async function takePicture(ffmpeg: { readonly path: string }, { input, width, height }: Found): Promise<string | null> {
  const job = { outBytesMax: pictureBytesMax, timeoutMs: pictureTimeoutMs };
  const { stdout } = await runFfmpeg(ffmpeg, stillArgs(input, { width, height }), job);
  return stdout.length === 0 ? null : `data:image/jpeg;base64,${stdout.toString("base64")}`;
}

type FindFfmpeg = () => Promise<{ readonly path: string } | undefined>;

/** Returns a function that lists the sources, or says why it cannot. Calls at the same time share one list. */
export function createSourceLister(display: string | undefined, ffmpeg: FindFfmpeg) {
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
    const pictures: (string | null)[] = [];
    const rest = [...found.entries()];
    const takeRest = async () => {
      for (let next = rest.shift(); next !== undefined; next = rest.shift()) {
        const [index, source] = next;
        pictures[index] = ffmpeg === undefined ? null : await takePicture(ffmpeg, source).catch(() => null);
      }
    };
    await Promise.all(Array.from({ length: picturesAtOnce }, takeRest));
    return found.map(({ input: _, ...source }, index) => ({ ...source, picture: pictures[index] ?? null }));
  } finally {
    abort.abort();
  }
}

/** Without this, the picture of a covered window would show the window that covers it. Ends with the connection. */
async function redirect({ x }: Connected, found: readonly Found[]): Promise<void> {
  const composite = (await query<unknown>((reply) => x.require("composite", reply))) as Composite | undefined;
  if (composite === undefined) return;
  for (const { input } of found)
    if (input.kind === "x11-window") composite.RedirectWindow(input.window, redirectAutomatic);
  await new Promise((resolve) => setTimeout(resolve, repaintMs));
}

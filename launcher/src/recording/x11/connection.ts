// A connection to an X server without native code, and questions that may fail because a window is gone.

import { setTimeout as pause } from "node:timers/promises";
import { MessageError } from "@kit/contract";
import { message } from "@kit/contract/messages";

export type Size = { readonly width: number; readonly height: number };
export type Reply<T> = (error: Error | null, reply: T) => unknown;

/** Each event has only some of these. */
export type XEvent = {
  readonly name: string;
  readonly wid: number;
  readonly width?: number;
  readonly height?: number;
  readonly keycode?: number;
  readonly buttons?: number;
  readonly message_type?: number;
};

/** The part of the x11 package that Kit uses. The package has no types. */
export type Connection = {
  AllocID(): number;
  ChangeProperty(
    mode: number,
    window: number,
    ...rest: [name: number, type: number, format: number, data: Buffer | readonly number[]]
  ): void;
  ChangeWindowAttributes(window: number, values: { eventMask: number }, reply?: Reply<unknown>): void;
  CreateWindow(
    id: number,
    parent: number,
    ...rest: [x: number, y: number, width: number, height: number, ...more: (number | object)[]]
  ): void;
  GetGeometry(drawable: number, reply: Reply<Size>): void;
  GetKeyboardMapping(from: number, count: number, reply: Reply<readonly (readonly number[])[]>): void;
  GetProperty(
    remove: number,
    window: number,
    ...rest: [name: number, type: number, offset: number, words: number, reply: Reply<{ data: Buffer }>]
  ): void;
  GetSelectionOwner(selection: number, reply: Reply<number>): void;
  GetWindowAttributes(window: number, reply: Reply<{ mapState: number; klass: number }>): void;
  GrabKey(window: number, ownerEvents: number, modifiers: number, keycode: number, pointer: number, keys: number): void;
  InternAtom(onlyIfExists: boolean, name: string, reply: Reply<number>): void;
  QueryExtension(name: string, reply: Reply<{ present: number }>): void;
  QueryTree(window: number, reply: Reply<{ children: number[] }>): void;
  UngrabKey(window: number, keycode: number, modifiers: number): void;
  require(extension: string, reply: Reply<unknown>): void;
  /** Resolves when the server has processed all earlier requests. */
  sync(): Promise<void>;
  on(event: "event", listener: (event: XEvent) => void): void;
  on(event: "error" | "end", listener: (error: Error) => void): void;
  readonly atoms: Readonly<Record<string, number>>;
  /** Undefined until connected. */
  stream?: { destroy(): void; unref?(): void };
};

/** The Composite extension. */
export type Composite = {
  RedirectWindow(window: number, update: number): void;
  UnredirectWindow(window: number): void;
};
/** The server goes on painting a redirected window to the screen by itself. */
export const redirectAutomatic = 0;

type Screen = {
  readonly root: number;
  readonly pixel_width: number;
  readonly pixel_height: number;
  /** Bits of a pixel. */
  readonly root_depth: number;
};
/** `resourceMask` has the bits of an id that differ between windows of one program. `lost` rejects when the connection ends. */
export type Connected = {
  readonly x: Connection;
  readonly screen: Screen;
  readonly keycodes: { readonly min: number; readonly max: number };
  readonly resourceMask: number;
  readonly lost: Promise<never>;
};

/** Sends a request. Resolves to undefined if it fails, for example because the window is gone. */
export function query<T>(question: (reply: Reply<T>) => void): Promise<T | undefined> {
  return new Promise((resolve) => {
    // Returning true marks the error as handled.
    question((error, reply) => {
      resolve(error ? undefined : reply);
      return true;
    });
  });
}

/** Returns the keys that have this symbol: usually one. */
export async function findKeycodes({ x, keycodes: { min, max } }: Connected, symbol: number): Promise<number[]> {
  const mapping = await query<readonly (readonly number[])[]>((reply) =>
    x.GetKeyboardMapping(min, max - min + 1, reply),
  );
  return (mapping ?? []).flatMap(([plain], index) => (plain === symbol ? [min + index] : []));
}

/** Xwayland passes neither all keys nor all windows. */
export const isXwayland = async (x: Connection): Promise<boolean> =>
  Boolean((await query<{ present: number }>((reply) => x.QueryExtension("XWAYLAND", reply)))?.present);

/** True for the X server's answer that a request failed. The connection goes on. */
const isRefusedRequest = (error: Error) => typeof (error as { error?: unknown }).error === "number";

type Answer = {
  readonly screen: readonly Screen[];
  readonly min_keycode: number;
  readonly max_keycode: number;
  readonly resource_mask?: number;
};

async function connectOnce(display: string, abort: AbortSignal): Promise<Connected> {
  // Loaded only when needed, because the package is large.
  const { createClient } = await import("x11");
  const { promise: lost, reject } = Promise.withResolvers<never>();
  lost.catch(() => undefined);
  return new Promise<Connected>((resolve, rejectConnect) => {
    const client = createClient({ display }, (error, answer) => {
      if (error) return rejectConnect(error);
      // Later connection errors reject `lost`.
      const { screen, min_keycode: min, max_keycode: max, resource_mask = 0x1fffff } = answer as unknown as Answer;
      const x = client as unknown as Connection;
      // The package keeps the numbers of names for all servers together, but each server gives its own.
      Object.assign(client, { atoms: { ...x.atoms } });
      resolve({ x, screen: screen[0] as Screen, keycodes: { min, max }, resourceMask: resource_mask, lost });
    });
    client.on("error", (error) => {
      if (isRefusedRequest(error)) return;
      rejectConnect(error);
      reject(error);
    });
    client.on("end", () => reject(new MessageError(message("display.closed_connection"))));
    abort.addEventListener("abort", () => (client as unknown as Connection).stream?.destroy(), { once: true });
  });
}

/** Connects. Retries, because an X server resets when its last client leaves, and then drops a connection made at that moment. */
export async function connectToDisplay(display: string, abort: AbortSignal, triesMax = 3): Promise<Connected> {
  try {
    return await connectOnce(display, abort);
  } catch (error) {
    const isDropped = error instanceof Error && error.message.includes("closed before setup");
    if (!isDropped || triesMax <= 1 || abort.aborted) throw error;
    await pause(100);
    return connectToDisplay(display, abort, triesMax - 1);
  }
}

export type OpenDisplay = Connected & { close(): void };

const answerWithinMs = 5_000;

/** Connects until `close`. Rejects if the display cannot be opened or does not answer in time. */
export async function openXDisplay(display: string, timeoutMs = answerWithinMs): Promise<OpenDisplay> {
  const abort = new AbortController();
  const close = () => abort.abort();
  const answered = new AbortController();
  const tooLate = pause(timeoutMs, undefined, { signal: answered.signal }).then(() => {
    close();
    throw new MessageError(message("display.no_answer"));
  });
  tooLate.catch(() => undefined);
  const connecting = connectToDisplay(display, abort.signal);
  connecting.catch(() => undefined);
  try {
    return { ...(await Promise.race([connecting, tooLate])), close };
  } finally {
    answered.abort();
  }
}

// A connection to an X server for hotkeys, the tray icon, and the question whether a window fills the screen. Without native code.

import { MessageError } from "@kit/contract";
import { message } from "@kit/contract/messages";

/** The part of the x11 package that hotkeys use. The package has no types. */
type Reply<T> = (error: Error | null, reply: T) => unknown;
type XEvent = { readonly name?: string; readonly keycode?: number; readonly buttons?: number };
export type XConnection = {
  GrabKey(window: number, ownerEvents: number, modifiers: number, keycode: number, pointer: number, keys: number): void;
  UngrabKey(window: number, keycode: number, modifiers: number): void;
  GetKeyboardMapping(from: number, count: number, reply: Reply<readonly (readonly number[])[]>): void;
  QueryExtension(name: string, reply: Reply<{ present: number }>): void;
  QueryTree(window: number, reply: Reply<{ children: readonly number[] }>): void;
  GetWindowAttributes(window: number, reply: Reply<{ mapState: number; klass: number }>): void;
  GetGeometry(window: number, reply: Reply<{ width: number; height: number }>): void;
  InternAtom(onlyIfExists: boolean, name: string, reply: Reply<number>): void;
  GetProperty(
    remove: number,
    window: number,
    ...rest: [name: number, type: number, offset: number, words: number, reply: Reply<{ data: Buffer }>]
  ): void;
  /** Resolves when the server has processed all earlier requests. */
  sync(): Promise<void>;
  on(event: "error", listener: (error: Error & { error?: number }) => void): void;
  on(event: "end", listener: () => void): void;
  on(event: "event", listener: (event: XEvent) => void): void;
  /** Undefined until connected. */
  readonly stream?: { destroy(): void; unref?(): void };
};

export type OpenDisplay = {
  readonly x: XConnection;
  readonly root: number;
  readonly width: number;
  readonly height: number;
  /** Bits of a pixel. */
  readonly depth: number;
  readonly keycodes: { readonly min: number; readonly max: number };
  close(): void;
};

type Answer = {
  readonly client: XConnection;
  readonly screen: readonly { root: number; pixel_width: number; pixel_height: number; root_depth: number }[];
  readonly min_keycode: number;
  readonly max_keycode: number;
};

const answerWithinMs = 5_000;

/** Rejects if the display cannot be opened or does not answer in time. */
export async function openXDisplay(display: string): Promise<OpenDisplay> {
  // Loaded only when needed, because the package is large.
  const { createClient } = await import("x11");
  const { promise, resolve, reject } = Promise.withResolvers<OpenDisplay>();
  const client = createClient({ display }, (error, connected) => {
    if (error) return reject(error);
    const { client: x, screen, min_keycode: min, max_keycode: max } = connected as unknown as Answer;
    const [first] = screen;
    if (first === undefined) return reject(new MessageError(message("display.no_answer")));
    const { root, pixel_width: width, pixel_height: height, root_depth: depth } = first;
    resolve({ x, root, width, height, depth, keycodes: { min, max }, close: () => x.stream?.destroy() });
  }) as unknown as XConnection;
  client.on("error", reject);
  client.on("end", () => reject(new MessageError(message("display.closed_connection"))));
  const timer = setTimeout(() => {
    reject(new MessageError(message("display.no_answer")));
    client.stream?.destroy();
  }, answerWithinMs);
  return promise.finally(() => clearTimeout(timer));
}

/** Sends a request. Resolves to undefined if it fails, for example because the window is gone. */
export function queryX<T>(question: (reply: Reply<T>) => void): Promise<T | undefined> {
  return new Promise((resolve) => {
    // Returning true marks the error as handled.
    question((error, reply) => {
      resolve(error ? undefined : reply);
      return true;
    });
  });
}

/** Xwayland passes neither all keys nor all windows. */
export const isXwayland = async (x: XConnection): Promise<boolean> =>
  Boolean((await queryX<{ present: number }>((reply) => x.QueryExtension("XWAYLAND", reply)))?.present);

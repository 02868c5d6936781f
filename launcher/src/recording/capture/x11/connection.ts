// A connection to an X server without native code, and questions that may fail because a window is gone.

import { setTimeout } from "node:timers/promises";
import { MessageError } from "@kit/contract";
import { message } from "@kit/contract/messages";
import type { Size } from "../probe/commands.ts";

/** The part of the x11 package that the capture uses. The package has no types. */
export type Reply<T> = (error: Error | null, reply: T) => void;
export type XEvent = {
  readonly name: string;
  readonly wid: number;
  readonly width?: number;
  readonly height?: number;
};
export type Connection = {
  QueryTree(window: number, reply: Reply<{ children: number[] }>): void;
  GetWindowAttributes(window: number, reply: Reply<{ mapState: number; klass: number }>): void;
  ChangeWindowAttributes(window: number, values: { eventMask: number }, reply: Reply<unknown>): void;
  GetGeometry(drawable: number, reply: Reply<Size>): void;
  InternAtom(onlyIfExists: boolean, name: string, reply: Reply<number>): void;
  GetProperty(
    remove: number,
    window: number,
    ...rest: [name: number, type: number, offset: number, words: number, reply: Reply<{ data: Buffer }>]
  ): void;
  QueryExtension(name: string, reply: Reply<{ present: number }>): void;
  require(extension: string, reply: Reply<unknown>): void;
  on(event: "event", listener: (event: XEvent) => void): void;
  on(event: "error" | "end", listener: (error: Error) => void): void;
  /** Undefined until connected. */
  stream?: { destroy(): void };
};

/** The Composite extension. */
export type Composite = {
  RedirectWindow(window: number, update: number): void;
  UnredirectWindow(window: number): void;
};
/** The server goes on painting a redirected window to the screen by itself. */
export const redirectAutomatic = 0;

type Screen = { root: number; pixel_width: number; pixel_height: number };
/** `resourceMask` has the bits of an id that differ between windows of one program. `lost` rejects when the connection ends. */
export type Connected = {
  readonly x: Connection;
  readonly screen: Screen;
  readonly resourceMask: number;
  readonly lost: Promise<never>;
};

/** Sends a request. Resolves to undefined if it fails, for example because the window is gone. */
export function query<T>(question: (reply: Reply<T>) => void): Promise<T | undefined> {
  return new Promise((resolve) => {
    // Returning true marks the error as handled.
    question(((error: Error | null, reply: T) => {
      resolve(error ? undefined : reply);
      return true;
    }) as Reply<T>);
  });
}

/** True for the X server's answer that a request failed. The connection goes on. */
const isRefusedRequest = (error: Error) => typeof (error as { error?: unknown }).error === "number";

async function connectOnce(display: string, abort: AbortSignal): Promise<Connected> {
  // Loaded only when needed, because the package is large.
  const { createClient } = await import("x11");
  const { promise: lost, reject } = Promise.withResolvers<never>();
  lost.catch(() => undefined);
  return new Promise<Connected>((resolve, rejectConnect) => {
    const client = createClient({ display }, (error, answer) => {
      if (error) return rejectConnect(error);
      // Later connection errors reject `lost`.
      const { screen, resource_mask: resourceMask = 0x1fffff } = answer as typeof answer & { resource_mask?: number };
      const x = client as unknown as Connection;
      resolve({ x, screen: screen[0] as unknown as Screen, resourceMask, lost });
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
    await setTimeout(100);
    return connectToDisplay(display, abort, triesMax - 1);
  }
}

// Follows a window of an X display, and keeps its pixels apart from those of the windows that cover it.

import { MessageError } from "@kit/contract";
import { message, reasonOf } from "@kit/contract/messages";
import {
  type Composite,
  type Connected,
  connectToDisplay,
  query,
  redirectAutomatic,
  type XEvent,
} from "../x11/connection.ts";
import { readOwner, readTitle, readVisibleSize, readWindowByTitle, readWindowOfProcesses } from "../x11/screen.ts";
import type { CapturedWindow, FollowWindow, WindowEvents, WindowWish } from "./window.ts";

const structureNotify = 0x2_0000;
const substructureNotify = 0x8_0000;
/** Pause between two searches: opening a menu maps windows, too. */
const searchPauseMs = 100;
/** The same while there is no window yet: each moment counts, because the game may send its first event soon. */
const firstSearchPauseMs = 25;
/** Pause before the size is reported again: each step of dragging an edge is a new size, and each report restarts the capture. */
const resizePauseMs = 150;
const searchEvents = new Set(["MapNotify", "ReparentNotify"]);

class WindowFollower {
  readonly #wish: WindowWish;
  readonly #events: WindowEvents;
  readonly #abort = new AbortController();
  #connected: Connected | undefined;
  #composite: Composite | undefined;
  #window: CapturedWindow | undefined;
  #isSearching = false;
  #mustSearchAgain = false;
  #timers = new Map<() => unknown, NodeJS.Timeout>();

  constructor(display: string, wish: WindowWish, events: WindowEvents) {
    this.#wish = wish;
    this.#events = events;
    this.#follow(display).catch((error) => this.#lose(error));
  }

  stop(): void {
    this.#abort.abort();
    for (const timer of this.#timers.values()) clearTimeout(timer);
  }

  #lose(error: unknown): void {
    if (this.#abort.signal.aborted) return;
    this.stop();
    this.#events.onLost(reasonOf(error));
  }

  async #follow(display: string): Promise<void> {
    const connected = await connectToDisplay(display, this.#abort.signal);
    const { x, screen, lost } = connected;
    lost.catch((error) => this.#lose(error));
    this.#composite = (await query<unknown>((reply) => x.require("composite", reply))) as Composite | undefined;
    if (this.#composite === undefined) throw new MessageError(message("window.no_composite"));
    this.#connected = connected;
    x.on("event", (event) => this.#handle(event));
    await query((reply) => x.ChangeWindowAttributes(screen.root, { eventMask: substructureNotify }, reply));
    await this.#search();
  }

  #handle(event: XEvent): void {
    const isOwn = event.wid === this.#window?.id;
    if (isOwn && event.name === "DestroyNotify") {
      this.#report(undefined);
      this.#later(this.#search, 0);
    } else if (isOwn && event.name === "UnmapNotify") {
      this.#change({ isShown: false });
      this.#later(this.#search, searchPauseMs);
    } else if (isOwn && event.name === "ConfigureNotify") {
      this.#later(this.#readSize, resizePauseMs, true);
    } else if (searchEvents.has(event.name)) {
      const pauseMs = this.#window === undefined ? firstSearchPauseMs : searchPauseMs;
      this.#later(isOwn ? this.#readSize : this.#search, isOwn ? 0 : pauseMs);
    }
  }

  /** Calls the function after the pause, once for all calls meanwhile. With `isFirstImmediate`, also at once if none is waiting. */
  #later(what: () => Promise<void>, pauseMs: number, isFirstImmediate = false): void {
    if (this.#timers.has(what)) return void this.#timers.get(what)?.refresh();
    const run = () => {
      this.#timers.delete(what);
      if (!this.#abort.signal.aborted) void what().catch((error) => this.#lose(error));
    };
    this.#timers.set(what, setTimeout(run, pauseMs).unref());
    if (isFirstImmediate) void what().catch((error) => this.#lose(error));
  }

  readonly #readSize = async (): Promise<void> => {
    const { id } = this.#window ?? {};
    if (id === undefined || this.#connected === undefined) return;
    const size = await readVisibleSize(this.#connected.x, id);
    if (this.#window?.id === id) this.#change(size === undefined ? { isShown: false } : { ...size, isShown: true });
  };

  readonly #search = async (): Promise<void> => {
    if (this.#isSearching) {
      this.#mustSearchAgain = true;
      return;
    }
    this.#isSearching = true;
    try {
      do {
        this.#mustSearchAgain = false;
        await this.#searchOnce();
      } while (this.#mustSearchAgain && !this.#abort.signal.aborted);
    } finally {
      this.#isSearching = false;
    }
  };

  async #searchOnce(): Promise<void> {
    if (this.#connected === undefined) return;
    const { x } = this.#connected;
    const found =
      "title" in this.#wish
        ? await readWindowByTitle(this.#connected, this.#wish.title)
        : await readWindowOfProcesses(this.#connected, this.#wish.processes());
    if (this.#abort.signal.aborted) return;
    // A hidden window is kept, because it comes back.
    if (found === undefined) return this.#window === undefined ? this.#events.onWindow(undefined) : undefined;
    if (found.id === this.#window?.id) return;
    await query((reply) => x.ChangeWindowAttributes(found.id, { eventMask: structureNotify }, reply));
    this.#composite?.RedirectWindow(found.id, redirectAutomatic);
    if (this.#window !== undefined) this.#composite?.UnredirectWindow(this.#window.id);
    const [title, size, pid] = await Promise.all([
      readTitle(x, found.id),
      readVisibleSize(x, found.id),
      readOwner(this.#connected, found.id),
    ]);
    if (this.#abort.signal.aborted) return;
    // The window closed or was hidden since the search.
    if (size === undefined) this.#mustSearchAgain = true;
    else this.#report({ ...size, id: found.id, title, pid, isShown: true });
  }

  #change(change: Partial<CapturedWindow>): void {
    if (this.#window === undefined) return;
    const next = { ...this.#window, ...change };
    if (JSON.stringify(next) !== JSON.stringify(this.#window)) this.#report(next);
  }

  #report(window: CapturedWindow | undefined): void {
    this.#window = window;
    if (!this.#abort.signal.aborted) this.#events.onWindow(window);
  }
}

export const createX11Follower =
  (display: string): FollowWindow =>
  (wish, events) =>
    new WindowFollower(display, wish, events);

// Notices that the monitors of an X display were rearranged: a capture of a part of the screen would go on with what is there now.

import { connectToDisplay } from "../x11/connection.ts";
import { readMonitors, selectMonitorEvents } from "../x11/screen.ts";
import type { MonitorWatch } from "./window.ts";

/** Pause before another attempt to connect. */
const againMs = 5_000;

/** Costs a connection, and nothing while nothing changes. */
export function watchX11Monitors(display: string, { onChanged }: MonitorWatch): { stop(): void } {
  const stopped = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  /** Kept while the connection is lost, so that what changed meanwhile is noticed. */
  let last: string | undefined;
  const follow = async () => {
    const connected = await connectToDisplay(display, stopped.signal);
    const read = async () => JSON.stringify(await readMonitors(connected));
    last ??= await read();
    const look = async () => {
      const next = await read();
      if (stopped.signal.aborted || next === last) return;
      last = next;
      onChanged();
    };
    await selectMonitorEvents(connected, () => void look());
    // What changed before the first event could come.
    await look();
    await connected.lost;
  };
  const followAgain = () => {
    follow().catch(() => {
      if (!stopped.signal.aborted) timer = setTimeout(followAgain, againMs).unref();
    });
  };
  followAgain();
  return {
    stop() {
      stopped.abort();
      clearTimeout(timer);
    },
  };
}

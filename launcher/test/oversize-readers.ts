// Readers of the live feed: one that keeps up, and ones that stop reading.
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { streamFeed } from "@kit/contract";
import { patienceMs } from "./until.ts";

const eventLine = "event: event\n";
const skippedLine = "event: skipped\n";

export type FeedReader = {
  readonly socket: Socket;
  /** Resolves when this many events in all have come down the feed, or when it is told that it missed some. */
  reads(events: number): Promise<{ readonly events: number; readonly toldOfMissed: boolean }>;
};

/** Opens the feed and reads all of it. */
export async function openFeed(port: number, secret: string): Promise<FeedReader> {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {});
  const head = [`GET ${streamFeed.path} HTTP/1.1`, `Host: 127.0.0.1:${port}`, `Authorization: Bearer ${secret}`];
  socket.write([...head, "\r\n"].join("\r\n"));
  let rest = "";
  let events = 0;
  let toldOfMissed = false;
  let onData = () => {};
  const take = (data: Buffer) => {
    // A line may be cut in two by a read: as much as a line less one character is looked at again.
    const text = rest + data.toString("latin1");
    const told = text.indexOf(skippedLine);
    if (!toldOfMissed) events += countNew(told < 0 ? text : text.slice(0, told), rest.length);
    toldOfMissed ||= told >= 0;
    rest = text.slice(1 - skippedLine.length);
    onData();
  };
  socket.on("data", take);
  const [first] = (await once(socket, "data", { signal: AbortSignal.timeout(patienceMs) })) as [Buffer];
  if (!first.toString("latin1").startsWith("HTTP/1.1 200 ")) throw new Error(`no feed: ${first.toString("latin1")}`);

  const reads: FeedReader["reads"] = (wanted) => {
    const { promise, resolve, reject } = Promise.withResolvers<{ events: number; toldOfMissed: boolean }>();
    const timer = setTimeout(() => reject(new Error(`only ${events} of ${wanted} events came`)), patienceMs);
    onData = () => {
      if (events < wanted && !toldOfMissed) return;
      clearTimeout(timer);
      resolve({ events, toldOfMissed });
    };
    onData();
    socket.resume();
    return promise;
  };
  return { socket, reads };
}

/** Event lines in `text` that end behind its first `seenChars` characters. */
function countNew(text: string, seenChars: number): number {
  let count = 0;
  for (let at = text.indexOf(eventLine); at >= 0; at = text.indexOf(eventLine, at + eventLine.length)) {
    if (at + eventLine.length > seenChars) count += 1;
  }
  return count;
}

// Tests of forwarding to Spotlight's sidecar, which accepts the envelope and returns it in its event stream.
import assert from "node:assert/strict";
import { createParser } from "eventsource-parser";
import { test } from "vitest";
import { startSubject } from "../../../bench/launcher.ts";
import { inFolder } from "../../../bench/machine.ts";
import { skipWithout } from "../../../tools/engines/locate.ts";
import { patienceMs } from "../support/until.ts";
import { key, openForwardFolder } from "./forwarding-folder.ts";
import { reportWith } from "./monitor-folder.ts";

const skip = skipWithout("Spotlight");

type Envelope = [{ event_id?: string }, [[{ type: string }, Record<string, unknown>]]];

/** Returns the first envelope for this event in the sidecar's stream. */
async function envelopeFrom(port: number, eventId: string): Promise<Envelope> {
  const signal = AbortSignal.timeout(patienceMs);
  const stream = await fetch(`http://127.0.0.1:${port}/stream`, { headers: { accept: "text/event-stream" }, signal });
  const found: Envelope[] = [];
  const parser = createParser({ onEvent: ({ data }) => void found.push(JSON.parse(data) as Envelope) });
  for await (const chunk of stream.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    parser.feed(chunk);
    const ours = found.find(([head]) => head.event_id === eventId);
    if (ours !== undefined) return ours;
  }
  throw new Error("the stream ended");
}

test("the sidecar reads a report with its frames and returns it", { skip }, async () => {
  await inFolder(async (home) => {
    const spotlight = await startSubject("Spotlight", home);
    try {
      await using folder = await openForwardFolder();
      const address = `http://${key}@127.0.0.1:${spotlight.port}/1`;
      const { id } = await folder.add({ kind: "sentry", address, game: null });
      assert.deepEqual([(await folder.test(id)).ok, (await folder.test(id)).status], [true, 200]);
      const stackTrace = "at: open (res://levels/door.gd:41)\nat: _ready (res://main.gd:5)";
      const entry = reportWith("The door of ana.lima has no key", { stackTrace, game: "saga" });
      await folder.take([entry]);
      await folder.target(({ delivered }) => delivered === 1);
      const [, [[header, event]]] = await envelopeFrom(spotlight.port, entry.event.id.replaceAll("-", ""));
      assert.equal(header.type, "event");
      assert.deepEqual(event.exception, {
        values: [
          {
            type: "Error",
            value: "The door of <user> has no key",
            mechanism: { type: "kit", handled: false },
            stacktrace: {
              frames: [
                { function: "_ready", in_app: true, filename: "res://main.gd", lineno: 5 },
                { function: "open", in_app: true, filename: "res://levels/door.gd", lineno: 41 },
              ],
            },
          },
        ],
      });
      assert.deepEqual([event.platform, event.extra], ["other", { count: 1 }]);
    } finally {
      await spotlight.end("SIGTERM");
    }
  });
});

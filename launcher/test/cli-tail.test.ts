// `kit tail` shows what arrives as it arrives, and goes on over restarts of the launcher without gap or double.
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";
import type { Acknowledgement, FeedItem } from "@kit/contract";
import { kitCommand } from "./launcher-process.ts";
import { type OwnLauncher, startOwnLauncher, timestamp } from "./own-launcher.ts";
import { until } from "./until.ts";

let launcher: OwnLauncher;
before(async () => {
  launcher = await startOwnLauncher();
});
after(() => launcher?.[Symbol.asyncDispose]());

type Tail = AsyncDisposable & {
  readonly items: FeedItem[];
  /** Event ids shown so far. */
  shown(): string[];
  /** Resolves when an item fits. */
  sees(what: string, fits: (item: FeedItem) => boolean): Promise<void>;
};

async function startTail(...flags: string[]): Promise<Tail> {
  const [program, ...words] = kitCommand(
    "tail",
    "--json",
    "--port",
    String(launcher.port),
    "--data-dir",
    launcher.dataDir,
    ...flags,
  );
  const child: ChildProcess = spawn(program, words, {
    env: { ...process.env, CI: "1" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const exited = once(child, "exit");
  const items: FeedItem[] = [];
  assert.ok(child.stdout);
  createInterface({ input: child.stdout }).on("line", (line) => items.push(JSON.parse(line) as FeedItem));
  return {
    items,
    shown: () => items.flatMap((item) => (item.type === "event" ? [item.event.id] : [])),
    sees: async (what, fits) => void (await until(what, () => items.some(fits))),
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await exited;
    },
  };
}

async function fire(eventId: string, kind: "recording" | "social" = "recording"): Promise<string> {
  return (await launcher.send(kind, { eventId, timestamp: timestamp() })).json<Acknowledgement>().id;
}
const isEvent = (id: string) => (item: FeedItem) => item.type === "event" && item.event.id === id;

test("it begins with the newest stored events, oldest first, and then shows each event that comes", async () => {
  const stored = [await fire("saga_1"), await fire("saga_2"), await fire("saga_3")];
  await using tail = await startTail("--last", "2");
  await tail.sees("the newest stored event", isEvent(stored[2] ?? ""));
  assert.deepEqual(tail.shown(), stored.slice(1));
  const id = await fire("saga_4");
  await tail.sees("the event that was just sent", isEvent(id));
  await tail.sees(
    "its receipt: nobody records here",
    (item) => item.type === "receipt" && item.id === id && item.entry.state === "marked",
  );
});

test("it shows what was refused, and why", async () => {
  await using tail = await startTail("--last", "0");
  await launcher.send("recording", { eventId: 7 });
  await tail.sees("the refusal", (item) => item.type === "refusal" && item.refusal.code === "payload_invalid");
});

test("it shows only the game or kind it was asked for", async () => {
  const first = await fire("other_first", "social");
  await using tail = await startTail("--last", "1", "--kind", "social", "--game", "other");
  await tail.sees("the newest stored event that fits", isEvent(first));
  await fire("other_a", "recording");
  await fire("saga_b", "social");
  const wanted = await fire("other_c", "social");
  await tail.sees("the wanted event", isEvent(wanted));
  assert.deepEqual(tail.shown(), [first, wanted]);
});

for (const signal of ["SIGTERM", "SIGKILL"] as const) {
  test(`after a ${signal} of the launcher it goes on without gap or double`, async () => {
    const fired = [await fire("saga_first")];
    await using tail = await startTail("--last", "1");
    await tail.sees("the first event", isEvent(fired[0] ?? ""));
    for (let restarts = 0; restarts < 3; restarts += 1) {
      for (let count = 0; count < 5; count += 1) fired.push(await fire(`saga_before_${restarts}`));
      await launcher.restart(signal);
      for (let count = 0; count < 5; count += 1) fired.push(await fire(`saga_after_${restarts}`));
      await tail.sees("the newest event", isEvent(fired.at(-1) ?? ""));
    }
    assert.deepEqual(tail.shown(), fired);
  });
}

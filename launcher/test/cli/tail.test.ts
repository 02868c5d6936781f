// Tests of `kit tail`: it prints events as they arrive, and neither skips nor repeats one when the launcher restarts.
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { FeedItem } from "@kit/contract";
import { test } from "vitest";
import { placeOf } from "../support/kit-command.ts";
import { kitCommand } from "../support/launcher-process.ts";
import { launcherOfFile, type OwnLauncher, startLauncherProcess } from "../support/own-launcher.ts";
import { until } from "../support/until.ts";

const launcher = await launcherOfFile();

type Tail = AsyncDisposable & {
  readonly items: FeedItem[];
  /** Event ids printed so far. */
  shown(): string[];
  /** Resolves when an item matches. */
  sees(what: string, fits: (item: FeedItem) => boolean): Promise<void>;
};

async function startTail(flags: readonly string[], of: OwnLauncher = launcher): Promise<Tail> {
  const [program, ...words] = kitCommand("tail", "--json", ...placeOf(of), ...flags);
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

const isEvent = (id: string) => (item: FeedItem) => item.type === "event" && item.event.id === id;

test("kit tail prints the newest stored events, oldest first, and then each new event", async () => {
  const stored = [await launcher.trigger("saga_1"), await launcher.trigger("saga_2"), await launcher.trigger("saga_3")];
  await using tail = await startTail(["--last", "2"]);
  await tail.sees("the newest stored event", isEvent(stored[2] ?? ""));
  assert.deepEqual(tail.shown(), stored.slice(1));
  const id = await launcher.trigger("saga_4");
  await tail.sees("the event that was just sent", isEvent(id));
  await tail.sees(
    "its receipt: nobody records here",
    (item) => item.type === "receipt" && item.id === id && item.entry.state === "marked",
  );
});

test("kit tail prints refused requests with the reason", async () => {
  await using tail = await startTail(["--last", "0"]);
  await launcher.send("recording", { eventId: 7 });
  await tail.sees("the refusal", (item) => item.type === "refusal" && item.refusal.code === "payload_invalid");
});

test("kit tail prints only events of the given game and kind", async () => {
  const first = await launcher.trigger("other_first", "social");
  await using tail = await startTail(["--last", "1", "--kind", "social", "--game", "other"]);
  await tail.sees("the newest stored event that fits", isEvent(first));
  await launcher.trigger("other_a", "recording");
  await launcher.trigger("saga_b", "social");
  const wanted = await launcher.trigger("other_c", "social");
  await tail.sees("the wanted event", isEvent(wanted));
  assert.deepEqual(tail.shown(), [first, wanted]);
});

async function assertTailContinues(restarted: OwnLauncher, restart: () => Promise<void>): Promise<void> {
  const fired = [await restarted.trigger("saga_first")];
  await using tail = await startTail(["--last", "1"], restarted);
  await tail.sees("the first event", isEvent(fired[0] ?? ""));
  for (let restarts = 0; restarts < 3; restarts += 1) {
    for (let count = 0; count < 5; count += 1) fired.push(await restarted.trigger(`saga_before_${restarts}`));
    await restart();
    for (let count = 0; count < 5; count += 1) fired.push(await restarted.trigger(`saga_after_${restarts}`));
    await tail.sees("the newest event", isEvent(fired.at(-1) ?? ""));
  }
  assert.deepEqual(tail.shown(), fired);
}

test("after a restart of the launcher kit tail continues without a gap or a repeat", () =>
  assertTailContinues(launcher, launcher.restart));

test("after a kill of the launcher kit tail continues without a gap or a repeat", async () => {
  await using killed = await startLauncherProcess();
  await assertTailContinues(killed, () => killed.restart("SIGKILL"));
});

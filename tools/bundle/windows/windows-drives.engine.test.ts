// Tests Kit for Windows with its data on a drive that is full, read-only or removed, under Wine: what it says, and that
// no acknowledged event is lost.
import assert from "node:assert/strict";
import { rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { type Acknowledgement, type Health, textOf } from "@kit/contract";
import { afterAll, beforeAll, test } from "vitest";
import { fill, notMounted, readOnly, smallDisk } from "../../../launcher/test/support/small-disk.ts";
import { until } from "../../../launcher/test/support/until.ts";
import { skipWithout } from "../../engines/locate.ts";
import type { WindowsProgram } from "../../engines/windows-computer.ts";
import { type OwnWindows, openOwnWindows, startKit } from "./own-windows.ts";

const skip = skipWithout("Wine", "Node.js for Windows");
let windows: OwnWindows;
beforeAll(async () => {
  if (skip === false) windows = await openOwnWindows();
});
afterAll(() => windows?.close());

/** The drive E: of Windows. Disposing it ends the launcher. */
function openDrive() {
  const disk = smallDisk(24);
  if (disk === undefined) return undefined;
  const link = join(windows.prefix, "dosdevices/e:");
  let launcher: WindowsProgram | undefined;
  const remove = () => {
    rmSync(link, { force: true });
    return () => symlinkSync(disk.path, link);
  };
  remove()();
  const end = async () => {
    if (launcher !== undefined) await windows.kill(launcher);
  };
  return {
    path: disk.path,
    remove,
    end,
    start() {
      const words = ["start", "--no-open", "--port", String(windows.port), "--data-dir", "E:\\data"];
      launcher = startKit(windows, words, { ...windows.settings, CI: "" });
      return launcher;
    },
    async [Symbol.asyncDispose]() {
      await end();
      rmSync(link, { force: true });
      // Wine's server holds the disk as long as a program of it has it open.
      windows.endAll();
      disk[Symbol.dispose]();
    },
  };
}

const storage = async () => ((await (await windows.health()).json()) as Health).storage;
const isWell = () => until("events are stored", async () => (await storage().catch(() => undefined))?.state === "ok");

/** Sends events until one is refused, and returns what the refusal and the health say, and the acknowledged ids. */
async function sendUntilRefused(acknowledged: string[]): Promise<readonly [answer: string, health: string]> {
  const answer = await until("an event is refused", async () => {
    const sent = await windows.trigger("drive_step");
    const text = await sent.text();
    if (sent.status === 202) acknowledged.push((JSON.parse(text) as Acknowledgement).id);
    else assert.equal(sent.status, 503, text);
    return sent.status === 503 && text;
  });
  const { detail } = await until("the health is known", () => storage().catch(() => undefined));
  return [answer, textOf(detail ?? "")];
}

async function assertStored(path: string, acknowledged: readonly string[]): Promise<void> {
  const stored = await windows.storedIds(join(path, "data"));
  assert.deepEqual(
    acknowledged.filter((id) => !stored.has(id)),
    [],
    `lost of ${acknowledged.length}`,
  );
}

/** Linux makes no disk read-only that a program writes to. Wine's server closes the files of a killed program a moment later. */
const untilReadOnly = (path: string) =>
  until("the disk is read-only", () => {
    try {
      return readOnly(path);
    } catch {
      return undefined;
    }
  });

/** Wine says of a read-only drive that it denies access; Windows says that the drive is protected. */
const cases = [
  ["full", /The disk is full\. Free up space/, ({ path }: { path: string }) => fill(path)],
  [
    "read-only",
    /Kit has no permission to write to the data directory\. Allow/,
    ({ path }: { path: string }) => untilReadOnly(path),
  ],
  [
    "removed",
    /Connect that disk again|not connected\. Connect it again/,
    ({ remove }: { remove: () => () => void }) => remove(),
  ],
] as const;

for (const [what, says, take] of cases)
  test(`while its drive is ${what}, the launcher refuses events in one sentence, and then goes on with all that it acknowledged`, {
    skip,
  }, async (t) => {
    await using drive = openDrive();
    if (drive === undefined) return t.skip(notMounted);
    drive.start();
    await isWell();
    const acknowledged: string[] = [];
    const kept = await windows.trigger("drive_begun");
    acknowledged.push(((await kept.json()) as Acknowledgement).id);
    if (what === "read-only") await drive.end();
    const giveBack = await take(drive);
    if (what === "read-only") drive.start();
    await until("the launcher answers", async () => (await storage().catch(() => undefined)) !== undefined);
    for (const said of await sendUntilRefused(acknowledged)) {
      console.log(said);
      assert.match(said, says);
    }
    giveBack();
    await isWell();
    acknowledged.push(((await (await windows.trigger("drive_back")).json()) as Acknowledgement).id);
    await drive.end();
    drive.start();
    await isWell();
    await assertStored(drive.path, acknowledged);
  });

for (const [what, says, take] of cases)
  test(`a first start on a ${what} drive says in one sentence why and what to do`, { skip }, async (t) => {
    await using drive = openDrive();
    if (drive === undefined) return t.skip(notMounted);
    const giveBack = await take(drive);
    const launcher = drive.start();
    const said = await until("the launcher says why", () => {
      const text = launcher.output();
      return (launcher.child.exitCode !== null || text.includes("Stop with")) && text;
    });
    console.log(said);
    assert.match(said, says);
    assert.doesNotMatch(said, /\n\s+at |\\n\s+at /, "the output for a person contains no stack");
    await drive.end();
    giveBack();
    drive.start();
    await isWell();
  });

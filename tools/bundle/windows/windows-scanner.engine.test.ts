// Tests under Wine that Kit for Windows starts and loses nothing while another program opens each new file for 300 ms and
// lets nobody rename or remove it meanwhile, as virus scanners and indexers do.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type Acknowledgement, changeRecorder, getRecorder, listClips } from "@kit/contract";
import { afterAll, beforeAll, test } from "vitest";
import { openStage, record, setRule } from "../../../launcher/test/recording/scene.ts";
import { until } from "../../../launcher/test/support/until.ts";
import { pathOf, skipWithout } from "../../engines/locate.ts";
import type { WindowsProgram } from "../../engines/windows-computer.ts";
import { type OwnWindows, openOwnWindows } from "./own-windows.ts";

const skip = skipWithout("Wine", "Node.js for Windows", "ffmpeg for Windows", "Xvfb");

/** Prints "ready", and then each file that it opens, without FILE_SHARE_DELETE. */
const scanner = `
  const { watch } = require("node:fs");
  const { functions } = require("node:ffi").dlopen("kernel32.dll", {
    CreateFileW: { arguments: ["buffer", "u32", "u32", "pointer", "u32", "u32", "pointer"], return: "u64" },
    CloseHandle: { arguments: ["u64"], return: "i32" },
  });
  const refused = 0xffffffffffffffffn;
  const held = new Set();
  const hold = (path) => {
    if (held.has(path)) return;
    const handle = functions.CreateFileW(Buffer.from(path + "\\0", "utf16le"), 0x80000000, 3, 0n, 3, 0, 0n);
    if (handle === refused) return; // It is gone, or a folder.
    held.add(path);
    console.log(path);
    setTimeout(() => {
      functions.CloseHandle(handle);
      held.delete(path);
    }, 300);
  };
  // Wine notices what happens in folders that are made meanwhile, but not in others below the watched ones.
  for (const folder of ["C:\\\\data", process.env.LOCALAPPDATA])
    watch(folder, { recursive: true }, (what, name) => what === "rename" && name && hold(folder + "\\\\" + name));
  console.log("ready");`;

let stage: Awaited<ReturnType<typeof openStage>>;
let windows: OwnWindows;
let scans: WindowsProgram;
beforeAll(async () => {
  if (skip !== false) return;
  stage = await openStage({ width: 320, height: 180, framesPerSecond: 15 });
  windows = await openOwnWindows(stage.display);
  windows.install("ffmpeg");
  writeFileSync(join(windows.drive, "scanner.cjs"), scanner);
  mkdirSync(join(windows.drive, "data"));
  scans = windows.start(pathOf("Node.js for Windows"), ["--disable-warning=ExperimentalWarning", "C:\\scanner.cjs"]);
  await until("the scanner watches", () => scans.output().includes("ready"));
});
afterAll(async () => {
  windows?.close();
  await stage?.[Symbol.asyncDispose]();
});

/** Sends triggers over several connections at once until it is told to end. Returns the ids that Kit has acknowledged. */
function sendEvents() {
  const acknowledged: string[] = [];
  let isOver = false;
  const send = async () => {
    while (!isOver) {
      const answer = await windows.trigger("scanned_wave").catch(() => undefined);
      // Nothing is concluded of an answer that was cut off.
      const said = answer?.status === 202 ? await answer.json().catch(() => undefined) : await pause(20);
      if (said !== undefined) acknowledged.push((said as Acknowledgement).id);
    }
  };
  const senders = Array.from({ length: 4 }, send);
  return {
    acknowledged,
    async end() {
      isOver = true;
      await Promise.all(senders);
    },
  };
}

const succeed = async (...words: string[]): Promise<string> => {
  const { code, output } = await windows.kit(...words);
  assert.equal(code, 0, `${words.join(" ")}: ${output}`);
  return output;
};
const scanned = (file: RegExp) =>
  scans
    .output()
    .split("\n")
    .filter((line) => file.test(line.trim())).length;

test("while each new file is held for 300 ms, Kit starts, stores events, makes a backup, and loses nothing when it is killed", {
  skip,
}, async (t) => {
  await windows.begin();
  const { acknowledged, end } = sendEvents();
  t.onTestFinished(end);
  for (let kill = 0; kill < 2; kill += 1) {
    const before = acknowledged.length;
    await until("events arrive", () => acknowledged.length >= before + 200);
    await succeed("api", "makeBackup");
    await windows.kill();
    await windows.begin();
  }
  await end();
  const stored = await windows.storedIds();
  const lost = acknowledged.filter((id) => !stored.has(id));
  assert.deepEqual(lost, [], `${lost.length} of ${acknowledged.length}`);
  console.log(`${acknowledged.length} events, ${scanned(/./)} files held`);
});

test("while each new file is held for 300 ms, Kit saves a clip", { skip }, async () => {
  const recorder = async () => (await windows.client.call(getRecorder)).state;
  const scene = { client: windows.client, recorder };
  const times = { preSeconds: 1, postSeconds: 1, mergeGapSeconds: 0, longestSeconds: 10, cooldownSeconds: 0 };
  await setRule(scene, "scanned_clip", times);
  await record(scene, {}, 2);
  assert.equal((await windows.trigger("scanned_clip")).status, 202);
  let last = "";
  await until(
    () => `the clip is saved; ${last}`,
    async () => {
      const { clips } = await windows.client.call(listClips, { query: {} });
      const clip = clips.find(({ events }) => events.some(({ eventId }) => eventId === "scanned_clip"));
      last = JSON.stringify([clip, await recorder()]);
      assert.notEqual(clip?.state, "failed", last);
      return clip?.state === "saved";
    },
  );
  await windows.client.call(changeRecorder, { body: { when: "never" } });
});

test("while each new file is held for 300 ms, Kit restores a backup and ends cleanly", { skip }, async () => {
  const before = await windows.storedIds();
  const name = /"name": "([^"]+)"/.exec(await succeed("api", "makeBackup"))?.[1] ?? "";
  await (await windows.trigger("scanned_after")).json();
  await succeed("restore", name, "--yes");
  await until("the backup is restored", async () => {
    const ids = await windows.storedIds().catch(() => undefined);
    return ids !== undefined && ids.size === before.size && [...ids].every((id) => before.has(id));
  });
  assert.equal(await succeed("stop"), "Kit has ended.");
  assert.equal(await windows.launcher()?.ended, 0);
  assert.ok(!existsSync(join(windows.drive, "data/open")), "the database was closed");
  for (const file of [/\\kit\.db$/, /\\running\.json$/, /\\open$/, /\\backups\\/, /\\incoming\\/, /\.mp4$/])
    assert.ok(scanned(file) > 0, `${file} was never held: ${scans.output()}`);
});

// Tests under Wine how Kit puts the files of clips on the clipboard: other programs paste them, and a copy that fails takes nothing
// away.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { changeRecorder, copyClipFiles, getRecorder, KitError, saveRecording, textOf } from "@kit/contract";
import { afterAll, beforeAll, type TestContext, test } from "vitest";
import { until } from "../../../launcher/test/support/until.ts";
import { type Display, openDisplay } from "../../engines/display.ts";
import { pathOf, skipWithout } from "../../engines/locate.ts";
import { repositoryRoot } from "../../repository.ts";
import { type OwnWindows, openOwnWindows } from "./own-windows.ts";

const skip = skipWithout("Wine", "Node.js for Windows", "ffmpeg for Windows", "Xvfb");

/** Begins a program that opens the clipboard. Wine itself has it open for a moment after each change. */
const opens = `
  const ffi = require("node:ffi");
  const { functions: user } = ffi.dlopen("user32.dll", {
    OpenClipboard: { arguments: ["pointer"], return: "i32" },
    CloseClipboard: { arguments: [], return: "i32" },
    GetClipboardData: { arguments: ["u32"], return: "pointer" },
  });
  while (user.OpenClipboard(0n) === 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);`;

/** A program that pastes: prints the files on the clipboard. */
const pastes = `${opens}
  const { functions: shell } = ffi.dlopen("shell32.dll", {
    DragQueryFileW: { arguments: ["pointer", "u32", "buffer", "u32"], return: "u32" },
  });
  const path = Buffer.alloc(2000);
  const list = user.GetClipboardData(15);
  const count = list === 0n ? 0 : shell.DragQueryFileW(list, 0xffffffff, path, 0);
  const nth = (index) => path.toString("utf16le", 0, 2 * shell.DragQueryFileW(list, index, path, 1000));
  console.log(JSON.stringify(Array.from({ length: count }, (_, index) => nth(index))));`;

/** A program that keeps the clipboard open until there is a file C:\\end, and then makes a file C:\\free. */
const keeps = `${opens}
  const { existsSync, writeFileSync } = require("node:fs");
  console.log("kept");
  const timer = setInterval(() => {
    if (!existsSync("C:\\\\end")) return;
    clearInterval(timer);
    user.CloseClipboard();
    writeFileSync("C:\\\\free", "");
  }, 5);`;

/** Copies a file. When Kit pauses because another program keeps the clipboard, lets that program end, and waits for it. */
const waits = `
  import { existsSync, writeFileSync } from "node:fs";
  import { openWindowsClipboard } from "file:///Z:${repositoryRoot}/launcher/src/process/windows-clipboard.ts";
  const sleep = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
  let hasPaused = false;
  const clipboard = openWindowsClipboard(() => {
    hasPaused = true;
    writeFileSync("C:\\\\end", "");
    while (!existsSync("C:\\\\free")) sleep();
    sleep();
  });
  console.log(clipboard.copyFiles(["C:\\\\one.mp4"]), hasPaused);`;

/** Copies a file, and when there is a file C:\\go, a list of files that needs 100 MB. */
const copiesMuch = `
  import { existsSync } from "node:fs";
  import { openWindowsClipboard } from "file:///Z:${repositoryRoot}/launcher/src/process/windows-clipboard.ts";
  const clipboard = openWindowsClipboard();
  const path = "a".repeat(50 * 2 ** 20);
  // V8 joins the parts of a text when its letters are read.
  path.charCodeAt(1);
  console.log(clipboard.copyFiles(["C:\\\\kept.mp4"]) === "taken" ? "ready" : "refused");
  const timer = setInterval(() => {
    if (!existsSync("C:\\\\go")) return;
    clearInterval(timer);
    console.log("many", clipboard.copyFiles([path]));
  }, 20);`;

let display: Display;
let windows: OwnWindows;
beforeAll(async () => {
  if (skip !== false) return;
  display = await openDisplay("640x360");
  windows = await openOwnWindows(display.name, { KIT_CLIPS_DIR: "C:\\Überraschung クリップ" });
  windows.install("ffmpeg");
  for (const [name, script] of Object.entries({
    "pastes.cjs": pastes,
    "keeps.cjs": keeps,
    "waits.mjs": waits,
    "much.mjs": copiesMuch,
  }))
    writeFileSync(join(windows.drive, name), script);
  await windows.begin();
});
afterAll(async () => {
  windows?.close();
  await display?.close();
});

const start = (script: string) =>
  windows.start(pathOf("Node.js for Windows"), ["--disable-warning=ExperimentalWarning", `C:\\${script}`]);
async function paste(): Promise<string[]> {
  const run = start("pastes.cjs");
  await run.ended;
  return JSON.parse(run.output()) as string[];
}
async function saveClip() {
  await until("there is enough footage", async () => {
    const { state } = await windows.client.call(getRecorder);
    return state.heldSeconds > 6 || undefined;
  });
  const clip = await windows.client.call(saveRecording, { body: { seconds: 5 } });
  assert.equal(clip.state, "saved", textOf(clip.reason ?? ""));
  return { id: clip.id, path: clip.path ?? assert.fail("a saved clip has no file") };
}

/** Starts a program that keeps the clipboard open until `letGo`. */
async function keepClipboard(t: TestContext) {
  for (const name of ["end", "free"]) rmSync(join(windows.drive, name), { force: true });
  const keeper = start("keeps.cjs");
  t.onTestFinished(() => void keeper.child.kill("SIGKILL"));
  await until("the clipboard is kept", () => keeper.output().includes("kept"));
  return {
    async letGo(): Promise<void> {
      writeFileSync(join(windows.drive, "end"), "");
      await keeper.ended;
    },
  };
}

test("another program pastes the files of the clips that Kit copied, and Kit says so if a third program uses the clipboard", {
  skip,
}, async (t) => {
  await windows.client.call(changeRecorder, { body: { when: "always", picture: "screen", sound: "off" } });
  const clips = [await saveClip(), await saveClip()];
  const [first, second] = clips.map(({ path }) => path);
  const copy = (...copied: typeof clips) =>
    windows.client.call(copyClipFiles, { body: { clips: copied.map(({ id }) => id) } });
  assert.match(first ?? "", /^C:\\Überraschung クリップ\\/);
  await copy(...clips);
  assert.deepEqual(await paste(), [first, second]);
  await copy(...clips.slice(1));
  assert.deepEqual(await paste(), [second], "the later copy replaces the earlier");
  const keeper = await keepClipboard(t);
  await assert.rejects(copy(...clips), (error) => {
    assert.ok(error instanceof KitError);
    assert.equal(error.message, "Another program is using the clipboard. Copy again in a moment.");
    return true;
  });
  await keeper.letGo();
  await copy(...clips);
  assert.deepEqual(await paste(), [first, second]);
});

test("a copy waits while another program has the clipboard open", { skip }, async (t) => {
  await keepClipboard(t);
  const run = start("waits.mjs");
  t.onTestFinished(() => void run.child.kill("SIGKILL"));
  assert.equal(await run.ended, 0, run.output());
  assert.match(run.output(), /^taken true$/m);
  assert.deepEqual(await paste(), ["C:\\one.mp4"]);
});

test("what was on the clipboard stays there if there is no memory for the files", { skip }, async (t) => {
  const run = start("much.mjs");
  t.onTestFinished(() => void run.child.kill("SIGKILL"));
  await until("the file is on the clipboard", () => run.output().includes("ready"));
  const pages = Number(readFileSync(`/proc/${run.child.pid}/statm`, "utf8").split(" ")[0]);
  // There is room for two copies of the list, which V8 needs to make it, but not for a third.
  const bytesMax = pages * 4_096 + 250 * 2 ** 20;
  execFileSync("prlimit", ["--pid", String(run.child.pid), `--as=${bytesMax}`]);
  writeFileSync(join(windows.drive, "go"), "");
  await run.ended;
  assert.match(run.output(), /^many refused$/m);
  assert.deepEqual(await paste(), ["C:\\kept.mp4"]);
});

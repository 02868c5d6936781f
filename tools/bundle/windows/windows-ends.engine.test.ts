// Tests under Wine that Kit for Windows ends cleanly when a person presses Ctrl-Break in its console, closes the console or
// signs out, and when another program asks it to close; and that `kit run` records a sign-out.
import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Acknowledgement, GameSession } from "@kit/contract";
import { afterAll, beforeAll, test } from "vitest";
import { until } from "../../../launcher/test/support/until.ts";
import { type Display, openDisplay } from "../../engines/display.ts";
import { pathOf, skipWithout } from "../../engines/locate.ts";
import { type OwnWindows, openOwnWindows, startKit } from "./own-windows.ts";

const skip = skipWithout("Wine", "Node.js for Windows", "Xvfb");

/**
 * Starts in a process the thread that Windows starts in each program of a console to tell it of a control event. The console of Wine 10
 * ends a thread of the program on Ctrl-Break instead, and says nothing when it is closed.
 */
const tellControlEvent = `
  const [event, pid] = process.argv.slice(2).map(Number);
  const { functions: kernel } = require("node:ffi").dlopen("kernel32.dll", {
    GetModuleHandleA: { arguments: ["string"], return: "pointer" },
    GetProcAddress: { arguments: ["pointer", "string"], return: "pointer" },
    OpenProcess: { arguments: ["u32", "i32", "u32"], return: "pointer" },
    CreateRemoteThread: { arguments: ["pointer", "pointer", "u64", "pointer", "u64", "u32", "pointer"], return: "pointer" },
  });
  const routine = kernel.GetProcAddress(kernel.GetModuleHandleA("kernelbase.dll"), "CtrlRoutine");
  if (routine === 0n) throw new Error("no routine");
  const everything = 0x1fffff;
  if (kernel.CreateRemoteThread(kernel.OpenProcess(everything, 0, pid), 0n, 0n, routine, BigInt(event), 0, 0n) === 0n)
    throw new Error("refused");`;
const controlEvents = { break: 1, close: 2 } as const;

let display: Display;
let windows: OwnWindows;
beforeAll(async () => {
  if (skip !== false) return;
  display = await openDisplay("800x600");
  windows = await openOwnWindows(display.name);
  writeFileSync(join(windows.drive, "tell.cjs"), tellControlEvent);
});
afterAll(async () => {
  windows?.close();
  await display?.close();
});

const isOpen = () => existsSync(join(windows.drive, "data/open"));
const running = () => JSON.parse(readFileSync(join(windows.drive, "data/running.json"), "utf8")) as { pid: number };

async function tell(event: keyof typeof controlEvents): Promise<void> {
  const words = [
    "--disable-warning=ExperimentalWarning",
    "C:\\tell.cjs",
    `${controlEvents[event]}`,
    `${running().pid}`,
  ];
  const { code, output } = await windows.run(pathOf("Node.js for Windows"), ...words);
  assert.equal(code, 0, output);
}

/** Runs a program of Windows until Kit has ended: its window opens a moment after its port. */
async function repeat(program: string, ...words: string[]): Promise<void> {
  const { child } = windows.launcher() ?? assert.fail();
  await until("Kit ended", async () => {
    await windows.run(program, ...words);
    return child.exitCode !== null || child.signalCode !== null;
  });
}

const acknowledged: string[] = [];

/** Starts Kit, lets it end in this way, and checks that it closed its data. */
async function assertEndsCleanly(end: () => Promise<void>): Promise<void> {
  await windows.begin();
  const { id } = (await (await windows.trigger("ends_last")).json()) as Acknowledgement;
  acknowledged.push(id);
  assert.ok(isOpen());
  const launcher = windows.launcher() ?? assert.fail();
  // It answers requests before it watches its console.
  await until("Kit says how to end it", () => launcher.output().includes("Stop with"));
  await end();
  assert.equal(await launcher.ended, 0, launcher.output());
  assert.match(launcher.output(), /"event":"stopped"\}\n$/);
  assert.ok(!isOpen(), "the database was closed");
}

test("Kit ends cleanly on Ctrl-Break in its console", { skip }, () => assertEndsCleanly(() => tell("break")));

test("Kit ends cleanly when its console is closed", { skip }, () => assertEndsCleanly(() => tell("close")));

test("Kit ends cleanly when its user signs out", { skip }, () =>
  assertEndsCleanly(() => repeat("wineboot", "--end-session")),
);

test("kit run records at a sign-out that Windows ended its game", { skip }, async () => {
  windows.installGame("quest");
  // Windows tells the launcher after other programs. Wine tells them in the order of their process ids, which begin again here.
  windows.endAll();
  const words = ["run", "--", "C:\\quest.exe", "-e", "setTimeout(() => undefined, 600000)"];
  const run = startKit(windows, words, windows.settings);
  await until("its start cannot be recorded", () => run.output().includes("start was not recorded"));
  await windows.begin();
  await repeat("wineboot", "--end-session");
  await run.ended;
  assert.doesNotMatch(run.output(), /this run was not recorded/);
  await windows.begin();
  const { sessions } = await windows.read<{ sessions: GameSession[] }>("/api/sessions");
  const { ending, signal } = sessions.find(({ program }) => program === "quest.exe") ?? assert.fail();
  assert.deepEqual([ending, signal], ["killed", "SIGTERM"]);
  await repeat("wineboot", "--end-session");
});

test("Kit ends cleanly when another program asks it to close", { skip }, async () => {
  await assertEndsCleanly(() => repeat("taskkill", "/im", "node.exe"));
  await windows.begin();
  const stored = await windows.storedIds();
  assert.deepEqual(
    acknowledged.filter((id) => !stored.has(id)),
    [],
  );
});

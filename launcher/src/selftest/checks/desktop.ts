// Checks of what Kit asks of the desktop: a notification, a hotkey, the clipboard.
import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { textOf } from "@kit/contract";
import { createDesktopNotifier } from "../../monitor/notices/desktop-notifier.ts";
import { clipboardFormats } from "../../recording/clips/clipboard.ts";
import { offerOnX11 } from "../../recording/clips/x11-clipboard.ts";
import { parseKeyCombination } from "../../recording/shortcuts/key-combination.ts";
import { grabHotkeysOnX11 } from "../../recording/shortcuts/x11-hotkeys.ts";
import { type Connection, type OpenDisplay, openXDisplay, query } from "../../recording/x11/connection.ts";
import type { Bench } from "../bench.ts";
import { failed, impossible, type Outcome, passed } from "../check.ts";

/** On Linux, the desktop accepts a notification or refuses it. The programs for other systems do not tell. */
export async function checkNotification({ config: { searchPath } }: Bench): Promise<Outcome> {
  const beganMs = performance.now();
  const notifier = createDesktopNotifier({ searchPath, onFailure: () => undefined });
  const failure = await notifier.show({ title: "Kit tests itself", body: "You should see this notification." });
  const figures = { acceptedAfterMs: Math.round(performance.now() - beganMs) };
  if (failure !== null) return impossible(textOf(failure));
  if (process.platform === "linux") return passed(figures);
  return impossible("It was sent, and this system does not tell whether it was shown: only you can say.", figures);
}

// The hotkey: taken on X11, and pressed by the self-test.

const hotkey = "Ctrl+Shift+F11";
const symbols = [0xffe3, 0xffe1, 0xffc8];
const pressedWithinMs = 3_000;

type XTest = {
  readonly KeyPress: number;
  readonly KeyRelease: number;
  FakeInput(type: number, keycode: number, time: number, window: number, x: number, y: number): void;
};

/** Presses the keys of the hotkey, and lets them go. Resolves to false if this display cannot. */
async function pressHotkey({ x, screen: { root }, keycodes: { min, max } }: OpenDisplay): Promise<boolean> {
  const mapping = await query<readonly (readonly number[])[]>((reply) =>
    x.GetKeyboardMapping(min, max - min + 1, reply),
  );
  const test = (await query<unknown>((reply) => x.require("xtest", reply))) as XTest | undefined;
  const codes = symbols.map((symbol) => min + (mapping ?? []).findIndex(([plain]) => plain === symbol));
  if (test === undefined || codes.some((code) => code < min)) return false;
  for (const code of codes) test.FakeInput(test.KeyPress, code, 0, root, 0, 0);
  for (const code of codes.toReversed()) test.FakeInput(test.KeyRelease, code, 0, root, 0, 0);
  await x.sync();
  return true;
}

export async function checkHotkey({ config: { display } }: Bench): Promise<Outcome> {
  const grab = grabHotkeysOnX11(display);
  const wanted = parseKeyCombination(hotkey);
  if (grab === undefined || display === undefined || wanted === undefined)
    return impossible("Kit takes hotkeys on X11 only.");
  const { promise: pressed, resolve } = Promise.withResolvers<"pressed">();
  const { refused, release } = await grab(new Map([["mark", wanted]]), {
    pressed: () => resolve("pressed"),
    lost: () => undefined,
  });
  const why = refused.get("mark");
  if (why !== undefined) return impossible(textOf(why), { hotkey });
  const keyboard = await openXDisplay(display);
  try {
    const beganMs = performance.now();
    if (!(await pressHotkey(keyboard)))
      return impossible("This display has no test keyboard.", { hotkey, taken: true });
    const noticed = await Promise.race([pressed, pause(pressedWithinMs, "late")]);
    const figures = { hotkey, taken: true, noticedAfterMs: Math.round(performance.now() - beganMs) };
    return noticed === "pressed" ? passed(figures) : failed("The launcher got no press of its hotkey.", figures);
  } finally {
    keyboard.close();
    release();
  }
}

// The clipboard: on X11 a selection of its own, so that the user's clipboard stays as it is.

const ownSelection = "KIT_SELFTEST";
const pastedWithinMs = 3_000;

type PastingConnection = Connection & {
  ConvertSelection(requestor: number, selection: number, target: number, property: number, time: number): void;
};

/** Asks the owner of the selection for one format, as a program does that pastes. Resolves to undefined if nobody answers. */
async function paste(opened: OpenDisplay, format: string): Promise<string | undefined> {
  const x = opened.x as PastingConnection;
  const names = [ownSelection, format, "KIT_PASTED"];
  const atoms = await Promise.all(
    names.map(async (name) => (await query<number>((reply) => x.InternAtom(false, name, reply))) ?? 0),
  );
  const [selection = 0, target = 0, property = 0] = atoms;
  const window = x.AllocID();
  x.CreateWindow(window, opened.screen.root, 0, 0, 1, 1);
  const answered = new Promise<void>((resolve) => {
    x.on("event", ({ name }) => name === "SelectionNotify" && resolve());
  });
  x.ConvertSelection(window, selection, target, property, 0);
  if ((await Promise.race([answered, pause(pastedWithinMs, "late" as const)])) === "late") return undefined;
  const found = await query<{ data: Buffer }>((reply) => x.GetProperty(0, window, property, 0, 0, 10_000, reply));
  return found?.data.toString();
}

async function checkClipboardOnX11(display: string, file: string): Promise<Outcome> {
  const formats = clipboardFormats([file]);
  const end = await offerOnX11(display, formats, ownSelection);
  const opened = await openXDisplay(display);
  try {
    const pasted = await paste(opened, "text/uri-list");
    if (pasted === formats["text/uri-list"]) return passed({ formats: Object.keys(formats).length });
    return failed("A program that pastes did not get the file that Kit copied.");
  } finally {
    opened.close();
    end();
  }
}

/** Copies a file, looks whether the clipboard has it, and puts back the text that was there. Other contents are left alone. */
const testWindowsClipboard = [
  "$ErrorActionPreference = 'Stop'",
  "$path = (New-Object IO.StreamReader([Console]::OpenStandardInput(), [Text.Encoding]::UTF8)).ReadToEnd()",
  "Add-Type -AssemblyName System.Windows.Forms",
  "$before = [Windows.Forms.Clipboard]::GetDataObject()",
  "$text = Get-Clipboard -Raw",
  "if ($before.GetFormats().Length -gt 0 -and $null -eq $text) { exit 3 }",
  "Set-Clipboard -LiteralPath $path",
  "$got = (Get-Clipboard -Format FileDropList).FullName",
  "if ($null -eq $text) { [Windows.Forms.Clipboard]::Clear() } else { Set-Clipboard -Value $text }",
  "if ($got -eq $path) { 'pasted' } else { exit 4 }",
].join("; ");

function checkClipboardOnWindows(file: string): Promise<Outcome> {
  const words = ["-NoProfile", "-NonInteractive", "-STA", "-Command", testWindowsClipboard];
  return new Promise((resolve) => {
    const child = execFile("powershell.exe", words, { timeout: 15_000, windowsHide: true }, (error, stdout) => {
      const code = error === null ? 0 : error.code;
      if (code === 0 && stdout.trim() === "pasted") return resolve(passed({ formats: 1 }));
      if (code === 3) return resolve(impossible("The clipboard holds something that Kit could not put back."));
      if (code === 4) return resolve(failed("The clipboard did not hold the file that Kit copied."));
      resolve(impossible("PowerShell could not be asked."));
    });
    child.stdin?.on("error", () => undefined).end(file);
  });
}

export async function checkClipboard({ config: { display = "" }, folder }: Bench): Promise<Outcome> {
  const file = join(folder, "copied.txt");
  writeFileSync(file, "Kit tests itself.\n");
  if (process.platform === "win32") return checkClipboardOnWindows(file);
  if (process.platform === "linux" && display !== "") return checkClipboardOnX11(display, file);
  return impossible("Kit could not put back here what is on the clipboard, so it does not try.");
}

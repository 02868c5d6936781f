// Checks of the desktop: whether a person sees it, and what Kit asks of it: a notification, a hotkey, the clipboard.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { getBuiltinModule } from "node:process";
import { setTimeout as pause } from "node:timers/promises";
import { textOf } from "@kit/contract";
import { message, reasonOf } from "@kit/contract/messages";
import { createDesktopNotifier } from "../../monitor/notices/desktop-notifier.ts";
import { hiddenWindowFunctions } from "../../process/hidden-window.ts";
import { openWindowsClipboard } from "../../process/windows-clipboard.ts";
import { clipboardFormats } from "../../recording/clips/clipboard.ts";
import { offerOnX11 } from "../../recording/clips/x11-clipboard.ts";
import type { GrabHotkeys } from "../../recording/shortcuts/hotkeys.ts";
import { parseKeyCombination } from "../../recording/shortcuts/key-combination.ts";
import { openWindowsShortcuts } from "../../recording/shortcuts/windows-shortcuts.ts";
import { grabHotkeysOnX11 } from "../../recording/shortcuts/x11-hotkeys.ts";
import {
  type Connection,
  findKeycodes,
  type OpenDisplay,
  openXDisplay,
  query,
} from "../../recording/x11/connection.ts";
import { type Bench, failed, impossible, lacksFfi, needsNewerNode, type Outcome, passed, reportIt } from "../check.ts";

/** Whether a person sees this desktop of Windows. A locked or remote one is no fault of Kit. */
type Session = { readonly locked: boolean; readonly remote: boolean };

const remoteSession = 0x1000;
const switchDesktop = 0x100;

/** Undefined where Kit cannot ask. */
export function readSession(): Session | undefined {
  const ffi = process.platform === "win32" ? getBuiltinModule("node:ffi") : undefined;
  if (ffi === undefined) return undefined;
  const { functions } = ffi.dlopen("user32.dll", {
    GetSystemMetrics: { arguments: ["i32"], return: "i32" },
    OpenInputDesktop: { arguments: ["u32", "i32", "u32"], return: "pointer" },
    CloseDesktop: { arguments: ["pointer"], return: "i32" },
  });
  // While the screen is locked, input goes to a desktop that no program of the user may open.
  const desktop = functions.OpenInputDesktop(0, 0, switchDesktop);
  if (desktop !== 0n) functions.CloseDesktop(desktop);
  return { locked: desktop === 0n, remote: functions.GetSystemMetrics(remoteSession) !== 0 };
}

function faultOf({ locked, remote }: Session): string | undefined {
  if (locked)
    return "The screen is locked, or this session has no desktop. Sign in at the computer, unlock it, and run the self-test again.";
  if (remote) return "This is a remote session: run the self-test at the computer itself.";
  return undefined;
}

export function checkSession(session: Session): Outcome {
  const fault = faultOf(session);
  return fault === undefined ? passed(session) : impossible(fault, session);
}

const needsDesktop = (id: string) => /^(clip|sound|own sound|source .*|hotkey|clipboard)$/.test(id);

/** Returns the outcome, or the session as the reason for what failed at a desktop that nobody sees. */
export function judgeInSession(id: string, outcome: Outcome, session: Session | undefined): Outcome {
  const fault = session && faultOf(session);
  if (outcome.status !== "failed" || fault === undefined || !needsDesktop(id)) return outcome;
  return impossible(fault, outcome.figures);
}

/** On Linux, the desktop accepts a notification or refuses it. The programs for other systems do not tell. */
export async function checkNotification({ config: { searchPath } }: Bench): Promise<Outcome> {
  const beganMs = performance.now();
  const notifier = createDesktopNotifier({ searchPath, onFailure: () => undefined });
  const failure = await notifier.show({ title: "Kit tests itself", body: "You should see this notification." });
  const figures = { acceptedAfterMs: Math.round(performance.now() - beganMs) };
  if (failure !== null) return impossible(textOf(failure));
  if (process.platform === "linux") return passed(figures);
  return impossible(
    "Kit sent it, but this system does not tell whether it was shown. Say in an issue if you saw none.",
    figures,
  );
}

// The hotkey: taken on X11 or Windows, and pressed by the self-test.

const hotkey = "Ctrl+Shift+F11";
const symbols = [0xffe3, 0xffe1, 0xffc8];
const windowsKeys = [0x11, 0x10, 0x7a];
const isReleased = 2;
const pressedWithinMs = 3_000;
const notNoticed = `The self-test pressed ${hotkey}, and Kit did not notice it.`;

type XTest = {
  readonly KeyPress: number;
  readonly KeyRelease: number;
  FakeInput(type: number, keycode: number, time: number, window: number, x: number, y: number): void;
};

type PressHotkey = () => Promise<boolean>;

/** Presses the keys of the hotkey, and lets them go. Resolves to false if this display cannot. */
async function pressOnX11(display: OpenDisplay): Promise<boolean> {
  const { x, screen } = display;
  const test = (await query<unknown>((reply) => x.require("xtest", reply))) as XTest | undefined;
  const keys = await Promise.all(symbols.map((symbol) => findKeycodes(display, symbol)));
  const codes = keys.flatMap((found) => found.slice(0, 1));
  if (test === undefined || codes.length < symbols.length) return false;
  for (const code of codes) test.FakeInput(test.KeyPress, code, 0, screen.root, 0, 0);
  for (const code of codes.toReversed()) test.FakeInput(test.KeyRelease, code, 0, screen.root, 0, 0);
  await x.sync();
  return true;
}

async function pressOnWindows(): Promise<boolean> {
  const { functions } = getBuiltinModule("node:ffi").dlopen("user32.dll", {
    keybd_event: { arguments: ["u8", "u8", "u32", "u64"], return: "void" },
  });
  for (const key of windowsKeys) functions.keybd_event(key, 0, 0, 0n);
  for (const key of windowsKeys.toReversed()) functions.keybd_event(key, 0, isReleased, 0n);
  return true;
}

const noWindow = impossible(
  "Windows opens no window for Kit here. Run the self-test in the session of a user who has a desktop.",
);

/** True if Windows opens a window for this process, which it does not in a session without a desktop. */
function opensWindow(): boolean {
  const { functions } = getBuiltinModule("node:ffi").dlopen("user32.dll", hiddenWindowFunctions);
  const ownClass = Buffer.from("STATIC\0", "utf16le");
  const window = functions.CreateWindowExW(0, ownClass, ownClass, 0, 0, 0, 0, 0, 0n, 0n, 0n, 0n);
  if (window !== 0n) functions.DestroyWindow(window);
  return window !== 0n;
}

/** Connects to the X display. Resolves to why that is not possible here, if it is not. */
async function openDisplayHere(display: string): Promise<OpenDisplay | Outcome> {
  if (display === "")
    return impossible("There is no X display here. Run the self-test from within a desktop with X11.");
  try {
    return await openXDisplay(display);
  } catch (error) {
    return impossible(textOf(message("source.display_not_opened", { display, why: reasonOf(error) })));
  }
}

export async function checkHotkey({ config: { display = "" } }: Bench): Promise<Outcome> {
  if (process.platform === "win32" && lacksFfi) return needsNewerNode;
  const windows = openWindowsShortcuts("");
  if (windows !== undefined) {
    if (opensWindow()) return tryHotkey(windows.grab, pressOnWindows);
    return noWindow;
  }
  if (process.platform !== "linux") return impossible("Kit takes hotkeys on X11 and Windows only.");
  const keyboard = await openDisplayHere(display);
  if ("status" in keyboard) return keyboard;
  const grab = grabHotkeysOnX11(display) as GrabHotkeys;
  try {
    return await tryHotkey(grab, () => pressOnX11(keyboard));
  } finally {
    keyboard.close();
  }
}

async function tryHotkey(grab: GrabHotkeys, press: PressHotkey): Promise<Outcome> {
  const wanted = parseKeyCombination(hotkey);
  if (wanted === undefined) throw new Error(`${hotkey} is no hotkey`);
  const { promise: pressed, resolve } = Promise.withResolvers<"pressed">();
  const { refused, release } = await grab(new Map([["mark", wanted]]), {
    pressed: () => resolve("pressed"),
    lost: () => undefined,
  });
  const why = refused.get("mark");
  if (why !== undefined) return impossible(textOf(why), { hotkey });
  try {
    const beganMs = performance.now();
    if (!(await press())) return impossible("This display lets no program press keys.", { hotkey, taken: true });
    const noticed = await Promise.race([pressed, pause(pressedWithinMs, "late")]);
    const figures = { hotkey, taken: true, noticedAfterMs: Math.round(performance.now() - beganMs) };
    return noticed === "pressed"
      ? passed(figures)
      : failed(notNoticed, "Close other programs that use hotkeys, and run the self-test again.", figures);
  } finally {
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
  const opened = await openDisplayHere(display);
  if ("status" in opened) return opened;
  const formats = clipboardFormats([file]);
  let end: () => void = () => undefined;
  try {
    end = await offerOnX11(display, formats, ownSelection);
    const pasted = await paste(opened, "text/uri-list");
    if (pasted === formats["text/uri-list"]) return passed({ formats: Object.keys(formats).length });
    return failed("A program that pastes did not get the file that Kit copied.", reportIt);
  } finally {
    opened.close();
    end();
  }
}

const endOtherPrograms = "Close other programs that use the clipboard, and run the self-test again.";
const clipboardBusy = impossible(`Kit could not open the clipboard. ${endOtherPrograms}`);

/** Copies a file as Kit does, reads it in this process, and puts back the text that was there. Other contents are left alone. */
async function checkClipboardOnWindows({ windowsDesktop }: Bench, file: string): Promise<Outcome> {
  if (lacksFfi) return needsNewerNode;
  if (!opensWindow()) return noWindow;
  const clipboard = openWindowsClipboard();
  const before = clipboard?.read();
  if (clipboard === undefined || before === undefined || windowsDesktop === undefined) return clipboardBusy;
  if (!before.isEmpty && before.text === undefined)
    return impossible(
      "The clipboard holds something that the self-test could not put back. Copy some text, and run it again.",
    );
  const outcome = await windowsDesktop.copyFiles([file]).catch(() => undefined);
  if (outcome === "busy") return clipboardBusy;
  const files = clipboard.read()?.files;
  const isBack = before.text === undefined ? clipboard.empty() : clipboard.putText(before.text) === "taken";
  if (!isBack) return failed("The self-test could not put back the text that was on the clipboard.", "Copy it again.");
  if (outcome === "taken" && files?.length === 1 && files[0] === file) return passed({ formats: 1 });
  return failed("The clipboard did not hold the file that Kit copied.", endOtherPrograms);
}

export async function checkClipboard(bench: Bench): Promise<Outcome> {
  const {
    config: { display = "" },
    folder,
  } = bench;
  const file = join(folder, "copied.txt");
  writeFileSync(file, "Kit tests itself.\n");
  if (process.platform === "win32") return checkClipboardOnWindows(bench, file);
  if (process.platform === "linux") return checkClipboardOnX11(display, file);
  return impossible("Kit could not put back here what is on the clipboard, so it does not try.");
}

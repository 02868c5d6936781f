// Hotkeys on X11: the server gives their presses to Kit alone, whichever window has the focus.

import type { Message } from "@kit/contract";
import { message } from "@kit/contract/messages";
import { findKeycodes, isXwayland, type OpenDisplay, openXDisplay } from "../x11/connection.ts";
import { type GrabbedHotkeys, type GrabHotkeys, type HotkeyName, hotkeyUnsupported } from "./hotkeys.ts";
import { formatKeyCombination, type KeyCombination, type Modifier } from "./key-combination.ts";

const masks: Readonly<Record<Modifier, number>> = { Shift: 1, Ctrl: 4, Alt: 8, Super: 64 };
const capsLock = 2;
const numLock = 16;
/** A hotkey works whether Caps Lock and Num Lock are on or off. */
const lockStates = [0, capsLock, numLock, capsLock | numLock];
const relevantModifiers = masks.Shift | masks.Ctrl | masks.Alt | masks.Super;
const asynchronous = 1;

const maskOf = ({ modifiers }: KeyCombination) => modifiers.reduce((mask, name) => mask | masks[name], 0);

/** Grabs one hotkey. Resolves to its keys, or to why another program has it. */
async function grabOne(display: OpenDisplay, hotkey: KeyCombination, errors: Error[]): Promise<number[] | Message> {
  const { x } = display;
  const { root } = display.screen;
  const name = formatKeyCombination(hotkey);
  const keycodes = await findKeycodes(display, hotkey.symbol);
  if (keycodes.length === 0) return message("hotkey.no_such_key", { hotkey: name });
  const combinations = keycodes.flatMap((keycode) => lockStates.map((locks) => [keycode, locks] as const));
  errors.length = 0;
  for (const [keycode, locks] of combinations)
    x.GrabKey(root, 0, maskOf(hotkey) | locks, keycode, asynchronous, asynchronous);
  await x.sync();
  if (errors.length === 0) return keycodes;
  for (const [keycode, locks] of combinations) x.UngrabKey(root, keycode, maskOf(hotkey) | locks);
  await x.sync();
  return message("hotkey.taken", { hotkey: name });
}

/** Returns undefined where there is no X display. */
export function grabHotkeysOnX11(display: string | undefined): GrabHotkeys | undefined {
  if (display === undefined || display === "" || process.platform !== "linux") return undefined;
  return async (wanted, { pressed, lost }) => {
    const opened = await openXDisplay(display);
    const errors: Error[] = [];
    const refused = new Map<HotkeyName, Message>();
    const names = new Map<string, HotkeyName>();
    let isReleased = false;
    const close = () => {
      isReleased = true;
      opened.close();
    };
    const { x } = opened;
    x.on("error", (error) => errors.push(error));
    x.on("end", () => {
      if (!isReleased) lost();
    });
    x.on("event", ({ name, keycode = 0, buttons = 0 }) => {
      if (name === "MappingNotify") return lost();
      const hotkey = names.get(`${keycode} ${buttons & relevantModifiers}`);
      if (name === "KeyPress" && hotkey !== undefined) pressed(hotkey);
    });
    try {
      const cannotGrab = await isXwayland(x);
      for (const [name, hotkey] of wanted) {
        const taken = cannotGrab ? hotkeyUnsupported(name) : await grabOne(opened, hotkey, errors);
        if (Array.isArray(taken)) for (const keycode of taken) names.set(`${keycode} ${maskOf(hotkey)}`, name);
        else refused.set(name, taken as Message);
      }
    } catch (error) {
      close();
      throw error;
    }
    if (names.size === 0 && !isReleased) close();
    return { refused, release: close } satisfies GrabbedHotkeys;
  };
}

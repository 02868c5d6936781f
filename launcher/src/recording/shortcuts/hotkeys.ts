// The hotkeys that a person set: keeps them grabbed, and says why one does not work. Systems differ only in `GrabHotkeys`.

import type { Message } from "@kit/contract";
import { message, reasonOf } from "@kit/contract/messages";
import { formatKeyCombination, type KeyCombination, parseKeyCombination } from "./key-combination.ts";

export type HotkeyName = "save" | "mark";

export type GrabbedHotkeys = {
  /** Why single hotkeys were not grabbed, and what to do. */
  readonly refused: ReadonlyMap<HotkeyName, Message>;
  release(): void;
};

/** Takes all hotkeys of Kit on a system. Rejects if none can be taken; the reason is for a person. */
export type GrabHotkeys = (
  wanted: ReadonlyMap<HotkeyName, KeyCombination>,
  on: {
    readonly pressed: (name: HotkeyName) => void;
    /** Called when all hotkeys are lost, or must be taken again because the keyboard changed. */
    readonly lost: () => void;
  },
) => Promise<GrabbedHotkeys>;

export type HotkeysDeps = {
  /** Undefined on a system without hotkeys of Kit. */
  readonly grab: GrabHotkeys | undefined;
  /** Returns the hotkeys that a person set, as text. */
  readonly wanted: () => Readonly<Record<HotkeyName, string | null>>;
  readonly onPressed: (name: HotkeyName) => void;
  /** Called when `trouble` may have changed. */
  readonly onChanged: () => void;
  readonly retryMs?: number;
  readonly now?: () => number;
};

const retryAfterMs = 10_000;
/** A key that is held repeats its press. So much time without one means that it was let go. */
const repeatMs = 1_000;

/** A change of the keyboard comes as several events. */
const changedMs = 200;

const commandOf = { save: "kit save", mark: "kit mark" } as const;

/** What a person can do where Kit takes no hotkeys: the system's own shortcut runs the command. */
export const hotkeyUnsupported = (name: HotkeyName): Message =>
  message("hotkey.unsupported", { command: commandOf[name] });

export function createHotkeys({ grab, wanted, onPressed, onChanged, ...deps }: HotkeysDeps) {
  const { now = () => performance.now(), retryMs = retryAfterMs } = deps;
  let grabbed: GrabbedHotkeys | undefined;
  let failure: Message | undefined;
  let applied = "";
  let applying: Promise<void> = Promise.resolve();
  let retry: NodeJS.Timeout | undefined;
  let isStopped = false;
  const lastPressMs = new Map<HotkeyName, number>();

  const pressed = (name: HotkeyName) => {
    const isRepeat = now() - (lastPressMs.get(name) ?? Number.NEGATIVE_INFINITY) < repeatMs;
    lastPressMs.set(name, now());
    if (!isRepeat) onPressed(name);
  };
  const combinations = () =>
    new Map(
      Object.entries(wanted()).flatMap(([name, text]) => {
        const parsed = text === null ? undefined : parseKeyCombination(text);
        return parsed === undefined ? [] : [[name as HotkeyName, parsed] as const];
      }),
    );
  const release = () => {
    clearTimeout(retry);
    grabbed?.release();
    grabbed = failure = undefined;
  };
  const takeAgain = (afterMs: number) => {
    applied = "";
    clearTimeout(retry);
    if (!isStopped) retry = setTimeout(apply, afterMs).unref();
  };
  const applyOnce = async () => {
    const all = combinations();
    const text = JSON.stringify([...all].map(([name, one]) => [name, formatKeyCombination(one)]));
    if (isStopped || text === applied) return;
    release();
    applied = text;
    if (all.size === 0 || grab === undefined) return onChanged();
    try {
      const taken = await grab(all, { pressed, lost: () => takeAgain(changedMs) });
      if (isStopped) taken.release();
      else grabbed = taken;
    } catch (error) {
      failure = message("hotkey.failed", { why: reasonOf(error) });
      takeAgain(retryMs);
    }
    onChanged();
  };
  /** Takes the hotkeys of the settings, and lets go of others. Cheap if nothing changed. */
  const apply = (): void => {
    applying = applying.then(applyOnce);
  };

  return {
    apply,
    /** Returns why a hotkey that is set does not work and what to do; null if it works or none is set. */
    trouble(name: HotkeyName): Message | null {
      if (wanted()[name] === null) return null;
      if (grab === undefined) return hotkeyUnsupported(name);
      return grabbed?.refused.get(name) ?? failure ?? null;
    },
    async stop(): Promise<void> {
      isStopped = true;
      release();
      await applying;
    },
  };
}

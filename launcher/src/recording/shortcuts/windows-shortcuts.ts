// Hotkeys and the icon in the taskbar on Windows: starts the process that Windows tells of them while one is wanted.
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { isBuiltin } from "node:module";
import { fileURLToPath } from "node:url";
import { type Message, MessageError } from "@kit/contract";
import { message } from "@kit/contract/messages";
import { startSeparateProcess } from "../../process/separate-process.ts";
import type { GrabHotkeys } from "./hotkeys.ts";
import { formatKeyCombination, type KeyCombination, type Modifier } from "./key-combination.ts";
import type { ShowTrayIcon } from "./tray.ts";
import type { WindowsReply, WindowsRequest } from "./windows-process.ts";
import type { RefusedHotkey, WantedOnWindows } from "./windows-window.ts";

const masks: Readonly<Record<Modifier, number>> = { Alt: 1, Ctrl: 2, Shift: 4, Super: 8 };
const cancelKey = 0x03;
const keyCodes: Readonly<Record<string, number>> = {
  Pause: 0x13,
  ScrollLock: 0x91,
  Print: 0x2c,
  Insert: 0x2d,
  Space: 0x20,
  Home: 0x24,
  End: 0x23,
  PageUp: 0x21,
  PageDown: 0x22,
};
const firstFunctionKey = 0x70;
const taken = 1_409;
/** Maximum wait for an answer. Explorer may be busy. */
const answerWithinMs = 15_000;
/** Pause after a fault of the process. */
const pauseMs = 10_000;
/** The process ends so long after nothing is wanted, because hotkeys that change are let go first. */
const endAfterMs = 1_000;
/** Maximum wait for the end of the process, which itself waits less. Windows waits 5 s for the launcher when a user signs out. */
const endsWithinMs = 3_000;

/** Returns the virtual key of Windows. */
export function windowsKeyOf({ key, modifiers }: KeyCombination): number {
  // With Ctrl, keyboards send another key.
  if (modifiers.includes("Ctrl") && (key === "Pause" || key === "ScrollLock")) return cancelKey;
  if (/^F\d+$/.test(key)) return firstFunctionKey + Number(key.slice(1)) - 1;
  return keyCodes[key] ?? key.charCodeAt(0);
}

export type WindowsShortcuts = {
  readonly grab: GrabHotkeys;
  readonly showTrayIcon: ShowTrayIcon;
  /** Resolves when the process has ended. What still waits for an answer of it is rejected. */
  stop(): Promise<void>;
};

type WindowsShortcutsDeps = {
  /** Path of Kit's icon, a PNG. */
  readonly icon: string;
  /** Path of the program of the process. */
  readonly program?: string;
  readonly now?: () => number;
};

const ownProgram = () => {
  const file = import.meta.url.endsWith(".ts") ? "./windows-process.ts" : "./windows-process.js";
  return fileURLToPath(new URL(file, import.meta.url));
};
const hasEnded = () => new MessageError(message("desktop.process_ended"));

/** Returns undefined on other systems, and if this Node cannot call functions of the system. */
export const openWindowsShortcuts = (icon: string): WindowsShortcuts | undefined =>
  process.platform === "win32" && isBuiltin("node:ffi") ? createWindowsShortcuts({ icon }) : undefined;

/** The process lets go of everything and ends when it is disconnected. A hanging function of Windows can keep it from that. */
async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  // A process that cannot be started or killed has no exit to wait for.
  const ended = once(child, "exit").catch(() => undefined);
  if (child.connected) child.disconnect();
  const late = setTimeout(() => child.kill("SIGKILL"), endsWithinMs);
  await ended;
  clearTimeout(late);
}

function refusalOf(combination: KeyCombination, error: number): Message {
  const values = { hotkey: formatKeyCombination(combination) };
  // Windows does not always say why; another program is then the only reason left.
  const isTaken = error === taken || error === 0;
  return isTaken ? message("hotkey.taken", values) : message("hotkey.refused", { ...values, error });
}

export function createWindowsShortcuts(deps: WindowsShortcutsDeps): WindowsShortcuts {
  const { icon, program = ownProgram(), now = () => performance.now() } = deps;
  const nothing: WantedOnWindows = { hotkeys: [], tray: null };
  const waiting = new Map<number, PromiseWithResolvers<readonly RefusedHotkey[]>>();
  let wanted = nothing;
  let child: ChildProcess | undefined;
  let hotkeyEvents: Parameters<GrabHotkeys>[1] | undefined;
  let trayEvents: Parameters<ShowTrayIcon>[0] | undefined;
  let hasTray = false;
  let lastId = 0;
  let startAgainAtMs = Number.NEGATIVE_INFINITY;
  let end: NodeJS.Timeout | undefined;
  let isStopped = false;

  function rejectAll(): void {
    for (const { reject } of waiting.values()) reject(hasEnded());
    waiting.clear();
  }
  function failed(which: ChildProcess): void {
    if (child !== which) return;
    child = undefined;
    which.kill("SIGKILL");
    wanted = nothing;
    hasTray = false;
    startAgainAtMs = now() + pauseMs;
    rejectAll();
    const using = [hotkeyEvents, trayEvents];
    hotkeyEvents = trayEvents = undefined;
    for (const events of using) events?.lost();
  }
  function receive(reply: WindowsReply): void {
    if ("id" in reply) {
      waiting.get(reply.id)?.resolve(reply.refused);
      waiting.delete(reply.id);
    } else if ("pressed" in reply) hotkeyEvents?.pressed(reply.pressed);
    else if ("clicked" in reply) trayEvents?.clicked();
    else if ("chosen" in reply) trayEvents?.menu[reply.chosen]?.choose();
    else {
      ({ hasTray } = reply);
      trayEvents?.changed();
    }
  }
  const start = () => startSeparateProcess<WindowsReply>(program, { received: receive, ended: failed });
  /** Tells the process what is wanted. Rejects if it has ended. */
  async function apply(change: Partial<WantedOnWindows>): Promise<readonly RefusedHotkey[]> {
    if (isStopped || (child === undefined && now() < startAgainAtMs)) throw hasEnded();
    wanted = { ...wanted, ...change };
    clearTimeout(end);
    const isIdle = wanted.hotkeys.length === 0 && wanted.tray === null;
    if (isIdle && child === undefined) return [];
    child ??= start();
    const asked = child;
    if (isIdle)
      end = setTimeout(() => {
        child = undefined;
        void endProcess(asked);
      }, endAfterMs).unref();
    lastId += 1;
    const answer = Promise.withResolvers<readonly RefusedHotkey[]>();
    waiting.set(lastId, answer);
    // Not unref(): a program that waits for this answer alone would end without it.
    const late = setTimeout(() => failed(asked), answerWithinMs);
    // A failed send is reported by the end of the process.
    asked.send({ id: lastId, wanted } satisfies WindowsRequest, () => undefined);
    return answer.promise.finally(() => clearTimeout(late));
  }
  /** What is let go is let go by the end of the process at the latest. */
  const letGo = (change: Partial<WantedOnWindows>) => void apply(change).catch(() => undefined);

  return {
    async grab(hotkeys, events) {
      const asked = [...hotkeys].map(([name, one]) => ({
        name,
        modifiers: one.modifiers.reduce((mask, modifier) => mask | masks[modifier], 0),
        key: windowsKeyOf(one),
      }));
      // A press may follow the answer at once.
      hotkeyEvents = events;
      const answer = await apply({ hotkeys: asked }).catch((error) => {
        hotkeyEvents = undefined;
        throw error;
      });
      const refused = answer.map(
        ({ name, error }) => [name, refusalOf(hotkeys.get(name) as KeyCombination, error)] as const,
      );
      return {
        refused: new Map(refused),
        release() {
          hotkeyEvents = undefined;
          letGo({ hotkeys: [] });
        },
      };
    },
    async showTrayIcon(events) {
      trayEvents = events;
      await apply({ tray: { icon, menu: events.menu.map(({ text }) => text) } }).catch((error) => {
        trayEvents = undefined;
        throw error;
      });
      return {
        hasTray: () => hasTray,
        close() {
          trayEvents = undefined;
          letGo({ tray: null });
        },
      };
    },
    async stop() {
      isStopped = true;
      clearTimeout(end);
      const last = child;
      child = undefined;
      rejectAll();
      if (last !== undefined) await endProcess(last);
    },
  };
}

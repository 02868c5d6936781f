// Reports whether the system starts the launcher at sign-in, and switches that on and off.

import {
  type Autostart as AutostartReport,
  fieldError,
  getAutostart,
  KitError,
  type Message,
  payloadInvalid,
  setAutostart,
} from "@kit/contract";
import { message } from "@kit/contract/messages";
import { type Route, route } from "../http/route.ts";
import { type AutostartEntries, findEntries, type SystemFacts } from "./entries.ts";
import type { AutostartEntry, AutostartEntryState } from "./entry.ts";

type AutostartDeps = {
  readonly system: SystemFacts;
  /** The command that starts the launcher. */
  readonly command: readonly string[];
};

export type Autostart = {
  state(): Promise<AutostartReport>;
  /** Throws KitError if an entry exists that Kit did not write. */
  set(on: boolean): Promise<AutostartReport>;
};

/** Matches a path in npx's cache, which npx deletes after a while. */
export const npxCache = /[\\/]_npx[\\/]/u;

const startMessages: Record<AutostartEntry["by"], Message> = {
  systemd: message("autostart.systemd"),
  xdg: message("autostart.desktop"),
  launchd: message("autostart.macos"),
  registry: message("autostart.windows"),
};

/** Creates the error for a switch that cannot be changed. */
export const createRefusal = (detail: Message) => payloadInvalid(detail, fieldError("/on", detail));

type ReadEntry = { readonly entry: AutostartEntry; readonly found: AutostartEntryState };

const readEntries = (all: readonly AutostartEntry[]): Promise<ReadEntry[]> =>
  Promise.all(all.map(async (entry) => ({ entry, found: await entry.readState() })));

function describeState(entries: AutostartEntries, shown: ReadEntry | undefined): Message {
  if (shown?.found.state === "changed") {
    return message("autostart.changed", { place: shown.entry.place });
  }
  if (shown?.found.isEnabled) {
    const words = startMessages[shown.entry.by];
    return shown.found.isCurrent ? words : message("autostart.other_copy", { words });
  }
  if (shown?.found.state === "own") return message("autostart.switched_off");
  return entries.chosen === undefined ? entries.why : message("autostart.off");
}

export function createAutostart({ system, command }: AutostartDeps): Autostart {
  const entries = async (): Promise<AutostartEntries> => {
    const found = await findEntries(system, command);
    if (!command.some((word) => npxCache.test(word))) return found;
    const why = message("autostart.downloaded");
    return { ...found, chosen: undefined, why };
  };
  const report = async (current: AutostartEntries): Promise<AutostartReport> => {
    const read = await readEntries(current.all);
    const existing = read.filter(({ found }) => found.state !== "none");
    const shown = existing.find(({ found }) => found.isEnabled) ?? existing[0];
    const entry = shown?.entry ?? current.chosen;
    return {
      on: shown?.found.isEnabled ?? false,
      can: current.chosen !== undefined && shown?.found.state !== "changed",
      by: entry?.by ?? null,
      place: entry?.place ?? null,
      command: [...command],
      detail: describeState(current, shown),
    };
  };
  const turnOn = async (current: AutostartEntries) => {
    if (current.chosen === undefined) throw createRefusal(current.why);
    const { all, chosen } = current;
    const read = await readEntries(all);
    const changedEntry = read.find(({ found }) => found.state === "changed");
    if (changedEntry !== undefined)
      throw createRefusal(message("autostart.changed_before", { place: changedEntry.entry.place }));
    for (const { entry, found } of read) if (entry !== chosen && found.state === "own") await entry.remove();
    if (!read.some(({ entry, found }) => entry === chosen && found.isCurrent)) await chosen.write();
  };
  const turnOff = async ({ all }: AutostartEntries) => {
    const read = await readEntries(all);
    for (const { entry, found } of read) if (found.state === "own") await entry.remove();
    const remaining = read.find(({ found }) => found.state === "changed" && found.isEnabled);
    if (remaining !== undefined)
      throw createRefusal(message("autostart.changed_after", { place: remaining.entry.place }));
  };
  return {
    state: async () => report(await entries()),
    async set(on) {
      const current = await entries();
      try {
        await (on ? turnOn(current) : turnOff(current));
      } catch (error) {
        if (error instanceof KitError) throw error;
        throw createRefusal(message("autostart.rejected", { problem: (error as Error).message }));
      }
      return report(current);
    },
  };
}

export const autostartRoutes = (autostart: Autostart): readonly Route[] => [
  route(getAutostart, autostart.state),
  route(setAutostart, ({ body }) => autostart.set(body.on)),
];

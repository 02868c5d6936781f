// Reports whether the system starts the launcher at sign-in, and switches that on and off.
import { type Autostart as AutostartReport, getAutostart, KitError, setAutostart } from "@kit/contract";
import { type Route, route } from "../http/route.ts";
import { type Entries, findEntries, type System } from "./entries.ts";
import type { Entry, EntryState } from "./entry.ts";

type AutostartDeps = {
  readonly system: System;
  /** The command that starts the launcher. */
  readonly command: readonly string[];
};

export type Autostart = {
  state(): Promise<AutostartReport>;
  /** Throws KitError if an entry exists that Kit did not write. */
  set(on: boolean): Promise<AutostartReport>;
};

/** npx deletes its downloads after a while. */
const npxCache = /[\\/]_npx[\\/]/u;

const startMessages: Record<Entry["by"], string> = {
  systemd: "systemd starts Kit when you sign in.",
  xdg: "Your desktop starts Kit when you sign in.",
  launchd: "macOS starts Kit when you sign in.",
  registry: "Windows starts Kit when you sign in. It runs in its own window; closing the window ends Kit.",
};

const createRefusal = (detail: string) => new KitError("payload_invalid", detail, [{ path: "/on", message: detail }]);

const changedMessage = ({ place }: Entry) =>
  `${place} was changed by another program or a person, so Kit leaves it unchanged.`;

type ReadEntry = { readonly entry: Entry; readonly found: EntryState };

const readEntries = (all: readonly Entry[]): Promise<ReadEntry[]> =>
  Promise.all(all.map(async (entry) => ({ entry, found: await entry.readState() })));

function describeState({ chosen, why }: Entries, shown: ReadEntry | undefined): string {
  if (shown?.found.state === "changed") {
    return `${changedMessage(shown.entry)} Remove it yourself to let Kit write it.`;
  }
  if (shown?.found.isEnabled) {
    const words = startMessages[shown.entry.by];
    return shown.found.isCurrent ? words : `${words} It starts another copy or version of Kit: switch it on again.`;
  }
  if (shown?.found.state === "own") return "It was switched off in the system settings: switch it on again.";
  return chosen === undefined ? why : "Kit starts when you start it.";
}

export function createAutostart({ system, command }: AutostartDeps): Autostart {
  const entries = async (): Promise<Entries> => {
    const found = await findEntries(system, command);
    if (!command.some((word) => npxCache.test(word))) return found;
    const why = "This Kit was downloaded by npx, which will delete it: install Kit, and start the installed one.";
    return { ...found, chosen: undefined, why };
  };
  const report = async (current: Entries): Promise<AutostartReport> => {
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
  const turnOn = async ({ chosen, all, why }: Entries) => {
    if (chosen === undefined) throw createRefusal(why);
    const read = await readEntries(all);
    const changedEntry = read.find(({ found }) => found.state === "changed");
    if (changedEntry !== undefined)
      throw createRefusal(`${changedMessage(changedEntry.entry)} Remove it yourself first.`);
    for (const { entry, found } of read) if (entry !== chosen && found.state === "own") await entry.remove();
    if (!read.some(({ entry, found }) => entry === chosen && found.isCurrent)) await chosen.write();
  };
  const turnOff = async ({ all }: Entries) => {
    const read = await readEntries(all);
    for (const { entry, found } of read) if (found.state === "own") await entry.remove();
    const remaining = read.find(({ found }) => found.state === "changed" && found.isEnabled);
    if (remaining !== undefined) throw createRefusal(`${changedMessage(remaining.entry)} Remove it yourself.`);
  };
  return {
    state: async () => report(await entries()),
    async set(on) {
      const current = await entries();
      try {
        await (on ? turnOn(current) : turnOff(current));
      } catch (error) {
        if (error instanceof KitError) throw error;
        throw createRefusal(`The system rejected the change: ${(error as Error).message}`);
      }
      return report(current);
    },
  };
}

export const autostartRoutes = (autostart: Autostart): readonly Route[] => [
  route(getAutostart, autostart.state),
  route(setAutostart, ({ body }) => autostart.set(body.on)),
];

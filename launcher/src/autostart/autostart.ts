// Whether the system starts the launcher, told as it is found; and the two ways to change that.
import { type Autostart as AutostartReport, KitError } from "@kit/contract";
import { type Entries, entriesOf, type System } from "./entries.ts";
import type { Entry, Found } from "./entry.ts";

type Needs = {
  readonly system: System;
  /** What is started. */
  readonly command: readonly string[];
};

export type Autostart = {
  state(): Promise<AutostartReport>;
  /** Throws KitError where something is in the way that Kit did not write. */
  set(on: boolean): Promise<AutostartReport>;
};

/** npx keeps what it fetched for a while only. */
const passing = /[\\/]_npx[\\/]/u;

const startWords: Record<Entry["by"], string> = {
  systemd: "systemd starts Kit when you sign in.",
  xdg: "Your desktop starts Kit when you sign in.",
  launchd: "macOS starts Kit when you sign in.",
  registry: "Windows starts Kit when you sign in. It runs in a window of its own; closing that ends it.",
};

const refused = (detail: string) => new KitError("payload_invalid", detail, [{ path: "/on", message: detail }]);

const changedWords = ({ place }: Entry) => `${place} is not as Kit wrote it, and is left as it is.`;

type Looked = { readonly entry: Entry; readonly found: Found };

const lookAt = (all: readonly Entry[]): Promise<Looked[]> =>
  Promise.all(all.map(async (entry) => ({ entry, found: await entry.look() })));

function detailOf({ chosen, why }: Entries, shown: Looked | undefined): string {
  if (shown?.found.state === "changed") {
    return `${changedWords(shown.entry)} Remove it yourself if Kit is to write it.`;
  }
  if (shown?.found.enabled) {
    const words = startWords[shown.entry.by];
    return shown.found.current ? words : `${words} What it starts is not this Kit as it is now: switch it on again.`;
  }
  if (shown?.found.state === "own") return "It was written, and then switched off in the system: switch it on again.";
  return chosen === undefined ? why : "Kit starts when you start it.";
}

export function createAutostart({ system, command }: Needs): Autostart {
  const entries = async (): Promise<Entries> => {
    const found = await entriesOf(system, command);
    if (!command.some((word) => passing.test(word))) return found;
    const why = "This Kit was fetched by npx, which removes it some day: install Kit, and start that one.";
    return { ...found, chosen: undefined, why };
  };
  const report = async (now: Entries): Promise<AutostartReport> => {
    const looked = await lookAt(now.all);
    const there = looked.filter(({ found }) => found.state !== "none");
    const shown = there.find(({ found }) => found.enabled) ?? there[0];
    const entry = shown?.entry ?? now.chosen;
    return {
      on: shown?.found.enabled ?? false,
      can: now.chosen !== undefined && shown?.found.state !== "changed",
      by: entry?.by ?? null,
      place: entry?.place ?? null,
      command: [...command],
      detail: detailOf(now, shown),
    };
  };
  const turnOn = async ({ chosen, all, why }: Entries) => {
    if (chosen === undefined) throw refused(why);
    const looked = await lookAt(all);
    const inTheWay = looked.find(({ found }) => found.state === "changed");
    if (inTheWay !== undefined) throw refused(`${changedWords(inTheWay.entry)} Remove it yourself first.`);
    for (const { entry, found } of looked) if (entry !== chosen && found.state === "own") await entry.remove();
    if (!looked.some(({ entry, found }) => entry === chosen && found.current)) await chosen.write();
  };
  const turnOff = async ({ all }: Entries) => {
    const looked = await lookAt(all);
    for (const { entry, found } of looked) if (found.state === "own") await entry.remove();
    const left = looked.find(({ found }) => found.state === "changed" && found.enabled);
    if (left !== undefined) throw refused(`${changedWords(left.entry)} Remove it yourself.`);
  };
  return {
    state: async () => report(await entries()),
    async set(on) {
      const now = await entries();
      try {
        await (on ? turnOn(now) : turnOff(now));
      } catch (error) {
        if (error instanceof KitError) throw error;
        throw refused(`The system did not let Kit write it: ${(error as Error).message}`);
      }
      return report(now);
    },
  };
}

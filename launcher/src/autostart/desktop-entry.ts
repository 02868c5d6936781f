// The entry of Kit in the menu of a Linux desktop: it opens the dashboard signed in, and starts the launcher if none runs.

import { join } from "node:path";
import {
  type DesktopEntry as DesktopEntryReport,
  getDesktopEntry,
  KitError,
  type Message,
  setDesktopEntry,
} from "@kit/contract";
import { message } from "@kit/contract/messages";
import { type Route, route } from "../http/route.ts";
import { createRefusal, npxCache } from "./autostart.ts";
import { controlCharacters, withSafePath } from "./entries.ts";
import { type AutostartEntry, type AutostartEntryState, createFileEntry } from "./entry.ts";
import { menuEntryText } from "./entry-texts.ts";

export type DesktopEntryDeps = {
  readonly platform: NodeJS.Platform;
  /** Folder of the user's program data, where desktops look for entries. */
  readonly dataHome: string;
  /** The command that opens the dashboard, and starts the launcher first if none runs. */
  readonly command: readonly string[];
  /** Path of a picture. */
  readonly icon: string;
};

export type DesktopEntry = {
  state(): Promise<DesktopEntryReport>;
  /** Throws KitError if a file exists that Kit did not write. */
  set(on: boolean): Promise<DesktopEntryReport>;
};

function whyImpossible({ platform, command, icon }: DesktopEntryDeps): Message | undefined {
  if (platform !== "linux") return message("desktop_entry.unsupported");
  if ([...command, icon].some((word) => controlCharacters.test(word))) return message("autostart.control_character");
  return command.some((word) => npxCache.test(word)) ? message("autostart.downloaded") : undefined;
}

function describe(entry: AutostartEntry, { state, isCurrent }: AutostartEntryState, why: Message | undefined): Message {
  if (state === "changed") return message("autostart.changed", { place: entry.place });
  const words = message("desktop_entry.on");
  if (state === "own") return isCurrent ? words : message("autostart.other_copy", { words });
  return why ?? message("desktop_entry.off");
}

export function createDesktopEntry(deps: DesktopEntryDeps): DesktopEntry {
  const { dataHome, command, icon } = deps;
  const entry = createFileEntry({
    by: "xdg",
    path: join(dataHome, "applications", "kit.desktop"),
    text: menuEntryText(withSafePath(command), icon),
  });
  const why = whyImpossible(deps);
  const report = async (): Promise<DesktopEntryReport> => {
    const found = await entry.readState();
    return {
      on: found.state !== "none",
      can: why === undefined && found.state !== "changed",
      place: deps.platform === "linux" ? entry.place : null,
      command: [...command],
      detail: describe(entry, found, why),
    };
  };
  const change = async (on: boolean) => {
    const { state, isCurrent } = await entry.readState();
    if (on && why !== undefined) throw createRefusal(why);
    if (state === "changed") throw createRefusal(message("autostart.changed_before", { place: entry.place }));
    if (on && !isCurrent) await entry.write();
    if (!on && state === "own") await entry.remove();
  };
  return {
    state: report,
    async set(on) {
      try {
        await change(on);
      } catch (error) {
        if (error instanceof KitError) throw error;
        throw createRefusal(message("autostart.rejected", { problem: (error as Error).message }));
      }
      return report();
    },
  };
}

export const desktopEntryRoutes = (entry: DesktopEntry): readonly Route[] => [
  route(getDesktopEntry, entry.state),
  route(setDesktopEntry, ({ body }) => entry.set(body.on)),
];

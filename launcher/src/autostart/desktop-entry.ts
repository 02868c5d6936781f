// The entry of Kit in the menu of a Linux desktop or of Windows: it opens the dashboard signed in, and starts the launcher if
// none runs.

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
import { type AutostartEntry, type AutostartEntryState, createFileEntry, type RunProgram } from "./entry.ts";
import { menuEntryText } from "./entry-texts.ts";
import { createShortcutEntry } from "./shortcut-entry.ts";

export type DesktopEntryDeps = {
  readonly platform: NodeJS.Platform;
  /** Folder of the user's program data, where the system looks for entries. */
  readonly dataHome: string;
  /** The command that opens the dashboard, and starts the launcher first if none runs. */
  readonly command: readonly string[];
  /** Path of a picture, for Linux. */
  readonly icon: string;
  /** Folder for temporary files. */
  readonly configHome: string;
  readonly run: RunProgram;
};

export type DesktopEntry = {
  state(): Promise<DesktopEntryReport>;
  /** Throws KitError if a file exists that Kit did not write. */
  set(on: boolean): Promise<DesktopEntryReport>;
};

function whyImpossible({ platform, command, icon }: DesktopEntryDeps): Message | undefined {
  if (platform !== "linux" && platform !== "win32") return message("desktop_entry.unsupported");
  if ([...command, icon].some((word) => controlCharacters.test(word))) return message("autostart.control_character");
  return command.some((word) => npxCache.test(word)) ? message("autostart.downloaded") : undefined;
}

function describe(entry: AutostartEntry, { state, isCurrent }: AutostartEntryState, why: Message | undefined): Message {
  if (state === "changed") return message("autostart.changed", { place: entry.place });
  const words = message("desktop_entry.on");
  if (state === "own") return isCurrent ? words : message("autostart.other_copy", { words });
  return why ?? message("desktop_entry.off");
}

function menuEntry({ platform, dataHome, configHome, command, icon, run }: DesktopEntryDeps): AutostartEntry {
  if (platform === "win32") {
    const path = join(dataHome, "Microsoft", "Windows", "Start Menu", "Programs", "Kit.lnk");
    return createShortcutEntry({ path, command, run, scratch: join(configHome, "kit-start-menu.reg") });
  }
  const path = join(dataHome, "applications", "kit.desktop");
  return createFileEntry({ by: "xdg", path, text: menuEntryText(withSafePath(command), icon) });
}

export function createDesktopEntry(deps: DesktopEntryDeps): DesktopEntry {
  const entry = menuEntry(deps);
  const why = whyImpossible(deps);
  const report = async (): Promise<DesktopEntryReport> => {
    const found = await entry.readState();
    return {
      on: found.state !== "none",
      can: why === undefined && found.state !== "changed",
      place: deps.platform === "linux" || deps.platform === "win32" ? entry.place : null,
      command: [...deps.command],
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

// The parts of the Settings page, in their order, and which of them an address asks for.

import { t } from "../../language/language.ts";
import { settingsAddress } from "../../ui/address.ts";

export const partNames = [
  "recorder",
  "accounts",
  "forwarding",
  "notices",
  "origins",
  "look",
  "start",
  "files",
] as const;
export type PartName = (typeof partNames)[number];

export function partTitle(name: PartName): string {
  const titles: Record<PartName, () => string> = {
    recorder: () => t("Recorder"),
    accounts: () => t("Accounts"),
    forwarding: () => t("Forwarding"),
    notices: () => t("Notices"),
    origins: () => t("Web pages"),
    look: () => t("Language and colours"),
    start: () => t("Start with the system"),
    files: () => t("Files and version"),
  };
  return titles[name]();
}

export const partId = (name: PartName): string => `settings-${name}`;
export const partAddress = (name: PartName): string => `${settingsAddress}?${new URLSearchParams({ at: name })}`;

/** The part an address asks to be shown, e.g. `#/settings?at=start`. */
export function partIn(fragment: string): PartName | undefined {
  const asked = new URLSearchParams(fragment.split("?", 2)[1] ?? "").get("at");
  return partNames.find((name) => name === asked);
}

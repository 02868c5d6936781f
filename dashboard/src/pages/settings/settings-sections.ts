// The sections of the Settings page in display order, with their titles and addresses.
import { fragmentQuery } from "../../api/address-filters.ts";
import { t } from "../../language/language.ts";
import { settingsAddress } from "../../ui/address.ts";

export const settingsSectionNames = [
  "recorder",
  "accounts",
  "forwarding",
  "notices",
  "origins",
  "look",
  "start",
  "files",
] as const;
export type SettingsSectionName = (typeof settingsSectionNames)[number];

export function settingsSectionTitle(name: SettingsSectionName): string {
  const titles: Record<SettingsSectionName, () => string> = {
    recorder: () => t("Recorder"),
    accounts: () => t("Accounts"),
    forwarding: () => t("Forwarding"),
    notices: () => t("Alerts"),
    origins: () => t("Web pages"),
    look: () => t("Language and colours"),
    start: () => t("Start at sign-in"),
    files: () => t("Storage and version"),
  };
  return titles[name]();
}

export const settingsSectionId = (name: SettingsSectionName): string => `settings-${name}`;
export const settingsSectionAddress = (name: SettingsSectionName): string =>
  `${settingsAddress}?${new URLSearchParams({ at: name })}`;

/** Returns the section that an address leads to, e.g. `start` for `#/settings?at=start`. */
export function sectionFromAddress(fragment: string): SettingsSectionName | undefined {
  const asked = fragmentQuery(fragment).get("at");
  return settingsSectionNames.find((name) => name === asked);
}

// Texts of the Storage page: for codes in the launcher's replies, and for counts.
import type { Backup, PreviousData, StoredAmounts } from "@kit/contract";
import { t } from "../../language/language.ts";
import { formatBytes, formatNumber } from "../../ui/format.ts";
import type { UsageCategory } from "../../ui/storage-usage.ts";

export function usagePartText(name: UsageCategory): string {
  const words: Record<UsageCategory, () => string> = {
    clips: () => t("Clips"),
    bin: () => t("Trash"),
    copies: () => t("Copies for posts"),
    database: () => t("Database"),
    backups: () => t("Backups"),
    aside: () => t("Previous data"),
  };
  return words[name]();
}

export const backupOriginText = (by: Backup["by"]): string => (by === "person" ? t("Made by you") : t("Made by Kit"));

export function previousDataReason(why: PreviousData["why"]): string {
  if (why === "restored") return t("Replaced by a backup");
  if (why === "replaced") return t("A file of another program, found in place of Kit's database");
  return why === "wiped" ? t("Set aside by a wipe") : t("Damaged: could not be read");
}

/** Returns one line for each kind of data of which something is stored. */
export function storedAmountLines({ events, clips, clipBytes, issues, posts, sessions }: StoredAmounts): string[] {
  const clipsLine = t("{{number}} clips, screenshots and markers, {{size}}", {
    count: clips,
    number: formatNumber(clips),
    size: formatBytes(clipBytes),
    defaultValue_one: "{{number}} clip, screenshot or marker, {{size}}",
  });
  const lines: readonly [number, string][] = [
    [
      events,
      t("{{number}} events", { count: events, number: formatNumber(events), defaultValue_one: "{{number}} event" }),
    ],
    [clips, clipsLine],
    [
      issues,
      t("{{number}} issues", { count: issues, number: formatNumber(issues), defaultValue_one: "{{number}} issue" }),
    ],
    [posts, t("{{number}} posts", { count: posts, number: formatNumber(posts), defaultValue_one: "{{number}} post" })],
    [
      sessions,
      t("{{number}} sessions", {
        count: sessions,
        number: formatNumber(sessions),
        defaultValue_one: "{{number}} session",
      }),
    ],
  ];
  return lines.filter(([count]) => count > 0).map(([, line]) => line);
}

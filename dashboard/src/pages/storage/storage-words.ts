// The Storage page's words for what the wire says in codes and counts.
import type { Aside, Backup, StoredAmounts } from "@kit/contract";
import { locale, t } from "../../language/language.ts";
import { sizeOf } from "../../ui/measures.ts";
import type { PartName } from "../../ui/storage-parts.ts";

export const numberOf = (value: number): string => value.toLocaleString(locale());

export const momentOf = (at: string): string =>
  new Date(at).toLocaleString(locale(), { dateStyle: "medium", timeStyle: "short" });

export function partWord(name: PartName): string {
  const words: Record<PartName, () => string> = {
    clips: () => t("Clips"),
    bin: () => t("Bin"),
    copies: () => t("Copies for posts"),
    database: () => t("Database"),
    backups: () => t("Backups"),
    aside: () => t("Set aside"),
  };
  return words[name]();
}

export const madeByWord = (by: Backup["by"]): string => (by === "person" ? t("Made by you") : t("Made by Kit"));

export function whyWord(why: Aside["why"]): string {
  if (why === "restored") return t("A backup took its place");
  if (why === "replaced") return t("It was put where Kit's own database was");
  return why === "wiped" ? t("Everything was wiped") : t("It could not be read");
}

/** A line for each kind of thing there is something of. */
export function holdingLines({ events, clips, clipBytes, issues, posts, sessions }: StoredAmounts): string[] {
  const clipsLine = t("{{number}} clips, screenshots and markers, {{size}}", {
    count: clips,
    number: numberOf(clips),
    size: sizeOf(clipBytes),
    defaultValue_one: "{{number}} clip, screenshot or marker, {{size}}",
  });
  const lines: readonly [number, string][] = [
    [events, t("{{number}} events", { count: events, number: numberOf(events), defaultValue_one: "{{number}} event" })],
    [clips, clipsLine],
    [issues, t("{{number}} issues", { count: issues, number: numberOf(issues), defaultValue_one: "{{number}} issue" })],
    [posts, t("{{number}} posts", { count: posts, number: numberOf(posts), defaultValue_one: "{{number}} post" })],
    [
      sessions,
      t("{{number}} sessions", { count: sessions, number: numberOf(sessions), defaultValue_one: "{{number}} session" }),
    ],
  ];
  return lines.filter(([count]) => count > 0).map(([, line]) => line);
}

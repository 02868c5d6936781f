// Describes the result of a salvage for the user, and stores it beside the quarantined file.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Salvaged } from "./salvage.ts";

const reportName = "recovered.txt";

function lostText({ events, isAtLeast, isTimeOver }: Salvaged["lost"]): string {
  if (isTimeOver)
    return `At least ${events} events are missing, because the recovery reached its time limit. They remain in the damaged file.`;
  if (isAtLeast) return `At least ${events} events are lost.`;
  return events === 0 ? "No event is lost." : `Lost events: ${events}.`;
}

export function salvageReport({ added, lost }: Salvaged): string {
  const { events, clips, issues, posts } = added;
  const rest =
    lost.tables.length === 0
      ? []
      : ["Some clips, issues, posts, sessions or settings could not be read; those of the backup are used instead."];
  return [
    `Recovered from the damaged database: ${events} events, ${clips} clips, ${issues} issues, ${posts} posts.`,
    lostText(lost),
    ...rest,
  ].join(" ");
}

/** Writes the report and returns its path. */
export function writeReport(place: string, says: string): string {
  const path = join(place, reportName);
  writeFileSync(path, `${says}\n`, { mode: 0o600 });
  return path;
}

/** The report on the most recently quarantined database. */
export function newestReport(quarantine: string): { readonly name: string; readonly says: string } | undefined {
  if (!existsSync(quarantine)) return undefined;
  const name = readdirSync(quarantine)
    .sort()
    .findLast((one) => existsSync(join(quarantine, one, reportName)));
  if (name === undefined) return undefined;
  return { name, says: readFileSync(join(quarantine, name, reportName), "utf8").trim() };
}

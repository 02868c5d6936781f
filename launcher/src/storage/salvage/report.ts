// Describes the result of a salvage for the user, and stores it beside the quarantined file.

import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Message } from "@kit/contract";
import { message } from "@kit/contract/messages";
import type { SalvageResult } from "./salvage.ts";

const reportName = "recovered.txt";

function lostMessage({ events, isAtLeast, isTimeOver }: SalvageResult["lost"]): Message {
  if (isTimeOver) return message("storage.recovery_too_long", { events });
  if (isAtLeast) return message("storage.lost_at_least", { events });
  return events === 0 ? message("storage.lost_none") : message("storage.lost", { events });
}

export function salvageReport({ added, lost }: SalvageResult): Message {
  const { events, clips, issues, posts } = added;
  const recovered = message("storage.recovered", { events, clips, issues, posts });
  const report = message("join.sentences", { first: recovered, second: lostMessage(lost) });
  if (lost.tables.length === 0) return report;
  return message("join.sentences", { first: report, second: message("storage.some_from_backup") });
}

/** Writes the report and returns its path. */
export function writeSalvageReport(place: string, report: Message): string {
  const path = join(place, reportName);
  writeFileSync(path, `${report.text}\n`, { mode: 0o600 });
  return path;
}

/** The report on the most recently quarantined database. */
export function newestSalvageReport(quarantine: string): { readonly name: string; readonly says: string } | undefined {
  if (!existsSync(quarantine)) return undefined;
  const name = readdirSync(quarantine)
    .sort()
    .findLast((one) => existsSync(join(quarantine, one, reportName)));
  if (name === undefined) return undefined;
  return { name, says: readFileSync(join(quarantine, name, reportName), "utf8").trim() };
}

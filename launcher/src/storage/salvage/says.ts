// What a person is told of a salvage, and where it is written down beside the file that was set aside.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Salvaged } from "./salvage.ts";

const reportName = "recovered.txt";

function lostSays({ events, isAtLeast, isTimeOver }: Salvaged["lost"]): string {
  if (isTimeOver)
    return `At least ${events} events are missing: a start must not take longer, and the rest stays in that file.`;
  if (isAtLeast) return `At least ${events} events are lost.`;
  return events === 0 ? "No event is lost." : `Lost events: ${events}.`;
}

export function salvagedSays({ added, lost }: Salvaged): string {
  const { events, clips, issues, posts } = added;
  const rest =
    lost.tables.length === 0
      ? []
      : [
          "Not all of the rest could be read: where clips, issues, posts, sessions or settings are missing, the backup's are used.",
        ];
  return [
    `Added from the damaged database to the backup: ${events} events, ${clips} clips, ${issues} issues, ${posts} posts.`,
    lostSays(lost),
    ...rest,
  ].join(" ");
}

/** Gives its path. */
export function writeReport(place: string, says: string): string {
  const path = join(place, reportName);
  writeFileSync(path, `${says}\n`, { mode: 0o600 });
  return path;
}

/** What was written of the newest database that was set aside. */
export function newestReport(quarantine: string): { readonly name: string; readonly says: string } | undefined {
  if (!existsSync(quarantine)) return undefined;
  const name = readdirSync(quarantine)
    .sort()
    .findLast((one) => existsSync(join(quarantine, one, reportName)));
  if (name === undefined) return undefined;
  return { name, says: readFileSync(join(quarantine, name, reportName), "utf8").trim() };
}

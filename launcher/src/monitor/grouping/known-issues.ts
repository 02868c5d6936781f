// What has to be known before a batch of reports is grouped: which kinds have an issue, and what room the lanes have.
import { identityOf, type KnownIssues, nameOf, overflowOf, type Report } from "./group.ts";
import type { GroupingStore } from "./grouping-store.ts";

export async function readKnownIssues(reports: readonly Report[], store: GroupingStore): Promise<KnownIssues> {
  const identities = reports.flatMap((report) => [identityOf(report), overflowOf(report)]);
  const distinct = new Map(identities.map((identity) => [nameOf(identity), identity]));
  const known = await store.known([...distinct.values()]);
  const strangers = reports.filter((report) => !known.has(nameOf(identityOf(report))));
  // Each lane as it was at its first one.
  const firsts = new Map<string, Report>();
  for (const report of strangers) if (!firsts.has(report.lane)) firsts.set(report.lane, report);
  const asked = [...firsts].map(async ([lane, { atMs }]) => [lane, await store.crowd(lane, atMs)] as const);
  return { known, crowds: new Map(await Promise.all(asked)) };
}

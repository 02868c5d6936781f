// Reads what the grouping of a batch needs: which fingerprints have an issue, and how much of each quota is used.
import { fingerprintIdOf, fingerprintName, type GroupableReport, type GroupingContext, overflowIdOf } from "./group.ts";
import type { GroupingStore } from "./grouping-store.ts";

export async function readGroupingContext(
  reports: readonly GroupableReport[],
  store: GroupingStore,
): Promise<GroupingContext> {
  const fingerprints = reports.flatMap((report) => [fingerprintIdOf(report), overflowIdOf(report)]);
  const distinct = new Map(fingerprints.map((fingerprint) => [fingerprintName(fingerprint), fingerprint]));
  const known = await store.knownIssues([...distinct.values()]);
  const unknown = reports.filter((report) => !known.has(fingerprintName(fingerprintIdOf(report))));
  // Reads the use of a quota as of the time of the first report that may need an issue.
  const firsts = new Map<string, GroupableReport>();
  for (const report of unknown) if (!firsts.has(report.quotaKey)) firsts.set(report.quotaKey, report);
  const loads = [...firsts].map(
    async ([quotaKey, { atMs }]) => [quotaKey, await store.issueLoad(quotaKey, atMs)] as const,
  );
  return { known, issueLoads: new Map(await Promise.all(loads)) };
}

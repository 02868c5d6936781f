// Keeps known errors known when the rules of grouping change: reads the stored reports of each fingerprint by the present rules,
// so that the next report of the same error finds its issue. Runs before the first report of a start.
import { rulesVersion } from "../fingerprint/fingerprint.ts";
import type { createGroupingStore } from "./grouping-store.ts";
import type { createReportAnalyser } from "./report-analysis.ts";

type KnownErrorsDeps = {
  readonly store: Pick<ReturnType<typeof createGroupingStore>, "readOutdated" | "writeKeys">;
  readonly analyse: ReturnType<typeof createReportAnalyser>;
};

/** At most this many fingerprints are in memory at once, with their newest reports. */
const fingerprintsAtOnce = 500;

export async function keepErrorsKnown({ store, analyse }: KnownErrorsDeps): Promise<void> {
  for (let after = 0; ; ) {
    const outdated = await store.readOutdated(rulesVersion, after, fingerprintsAtOnce);
    if (outdated.length === 0) return;
    await store.writeKeys(
      rulesVersion,
      outdated.map(({ seq, key, reports }) => {
        const keys = new Set(reports.map(([message, stackTrace]) => analyse(message, stackTrace).key));
        return { seq, keys: keys.size > 0 ? [...keys] : [key] };
      }),
    );
    after = outdated.at(-1)?.seq ?? after;
  }
}

// Limits how many fingerprints without an issue each quota key may bring into the journal in a minute.

/** Exceeds the quota for new issues, so a report that would create an issue is never held back. */
const newPerMinuteMax = 120;
const aMinuteMs = 60_000;
const quotaKeysMax = 64;

/** Fingerprints of the current minute by name. False means that grouping had no quota for an issue. */
type MinuteOfNewIssues = { readonly beganMs: number; readonly allowed: Map<string, boolean> };

export type NewIssueQuota = {
  /** Whether a fingerprint may enter the journal. A repeated fingerprint counts once. */
  allows(quotaKey: string, name: string, atMs: number): boolean;
  /** Makes `allows` return false for this fingerprint until the minute is over. */
  reject(quotaKey: string, name: string): void;
};

export function createNewIssueQuota(): NewIssueQuota {
  const minutes = new Map<string, MinuteOfNewIssues>();
  return {
    allows(quotaKey, name, atMs) {
      const before = minutes.get(quotaKey);
      const isOver = before === undefined || Math.abs(atMs - before.beganMs) >= aMinuteMs;
      const { beganMs, allowed } = isOver ? { beganMs: atMs, allowed: new Map<string, boolean>() } : before;
      minutes.delete(quotaKey);
      minutes.set(quotaKey, { beganMs, allowed });
      if (minutes.size > quotaKeysMax) minutes.delete(minutes.keys().next().value ?? quotaKey);
      const isAllowed = allowed.get(name) ?? allowed.size < newPerMinuteMax;
      if (isAllowed) allowed.set(name, true);
      return isAllowed;
    },
    reject: (quotaKey, name) => void minutes.get(quotaKey)?.allowed.set(name, false),
  };
}

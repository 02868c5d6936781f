// Limits the new issues of each game or sender, so that a flood of different messages does not create a flood of issues.

/** Maximum issues created in one minute. */
const issuesPerMinuteMax = 60;
const aMinuteMs = 60_000;
/** Maximum issues with a report within `recentMs`. */
export const recentIssuesMax = 2_000;
export const recentMs = 86_400_000;
/** Maximum issues of all games and senders together. */
export const issuesMax = 100_000;

/** The issues that a quota key already has. */
export type IssueLoad = {
  /** Creation times of its newest issues, at least those of the last minute. */
  readonly createdMs: readonly number[];
  readonly recent: number;
  /** Number of issues of all quota keys. */
  readonly issues: number;
};

export type IssueQuota = {
  /** Returns whether an issue may be created at that time, and counts it if so. */
  tryCreate(atMs: number): boolean;
};

/** Start of the interval that `createdMs` must cover. */
export const createdSinceMs = (atMs: number): number => atMs - aMinuteMs;

export function createIssueQuota({ createdMs, recent, issues }: IssueLoad): IssueQuota {
  let created = [...createdMs];
  let added = 0;
  return {
    tryCreate(atMs) {
      created = created.filter((ms) => ms > atMs - aMinuteMs);
      if (created.length >= issuesPerMinuteMax || recent + added >= recentIssuesMax || issues + added >= issuesMax)
        return false;
      created.push(atMs);
      added += 1;
      return true;
    },
  };
}

// Limits the new issues of each game or sender, so that a flood of different messages does not create a flood of issues.

/** Maximum issues that a game or sender creates in one minute. */
const issuesPerMinuteMax = 60;
const aMinuteMs = 60_000;
/** Maximum issues of a game or sender that have a report within `recentIssueMs`. */
export const recentIssuesMax = 2_000;
export const recentIssueMs = 86_400_000;
/** Maximum issues of all games and senders together. */
export const issuesMax = 100_000;

/** How much of a quota is used: the issues that its game or sender already has. */
export type IssueLoad = {
  /** When its newest issues were created (ms). Contains at least those since `createdSinceMs`. */
  readonly createdMs: readonly number[];
  readonly recent: number;
  /** Number of issues of all games and senders. */
  readonly issues: number;
};

export type IssueQuota = {
  /** Returns whether an issue may be created at that time. If so, counts it as created. */
  tryCreate(atMs: number): boolean;
};

/** `createdMs` must contain every issue created after this time. */
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

// Decides which alerts are shown one by one and which are summed up in a digest. Pure, so that launcher and dashboard
// behave alike.
import { formatCount } from "./counts.ts";
import type { Message } from "./message.ts";
import { joinClauses, message } from "./messages/index.ts";
import type { Notice, NoticeKind } from "./notices.ts";

export const singleAlertsMax = 6;
const singlesWithinMs = 60_000;
const digestEveryMs = 300_000;
/** Maximum games that a digest counts separately. All further games share one count. */
const gamesMax = 20;
const gamesNamed = 3;

type Sums = Readonly<Record<NoticeKind, number>>;
type GameSums = { readonly game: string | null; readonly sums: Sums };

export type ShownAlert =
  | { readonly kind: "single"; readonly notice: Notice }
  | { readonly kind: "digest"; readonly games: readonly GameSums[]; readonly others: Sums };

/** What `nextAlerts` remembers from one call to the next. */
export type DigestState = {
  /** When alerts were shown one by one, within the last minute. */
  readonly singlesMs: readonly number[];
  /** What the next digest will report, by game. */
  readonly games: readonly GameSums[];
  readonly others: Sums;
  /** When the next digest is due, or null if it is empty. */
  readonly dueMs: number | null;
  readonly digestMs: number | null;
};

const none: Sums = { new: 0, regressed: 0, woke: 0, times: 0 };
export const emptyDigestState: DigestState = { singlesMs: [], games: [], others: none, dueMs: null, digestMs: null };

const oneMore = (sums: Sums, kind: NoticeKind): Sums => ({ ...sums, [kind]: sums[kind] + 1 });

function addToDigest(state: DigestState, { kind, game }: Notice): DigestState {
  const known = state.games.some((each) => each.game === game);
  if (!known && state.games.length >= gamesMax) return { ...state, others: oneMore(state.others, kind) };
  const games = known ? state.games : [...state.games, { game, sums: none }];
  return {
    ...state,
    games: games.map((each) => (each.game === game ? { game, sums: oneMore(each.sums, kind) } : each)),
  };
}

/**
 * Leaves out times older than a minute. Treats future times as now, so that a clock that was set back does not suppress
 * alerts.
 */
const recent = (singlesMs: readonly number[], nowMs: number) =>
  singlesMs.map((ms) => Math.min(ms, nowMs)).filter((ms) => ms > nowMs - singlesWithinMs);

/** A digest is due one minute after its first alert, but at least five minutes after the last digest. */
const dueAfter = (nowMs: number, digestMs: number | null) =>
  Math.max(nowMs + singlesWithinMs, digestMs === null ? 0 : Math.min(digestMs, nowMs) + digestEveryMs);

/**
 * Returns the alerts to show now: at most six one by one in any minute, the rest in a digest at most every five
 * minutes. The caller must call again at `state.dueMs`, even without new notices.
 */
export function nextAlerts(
  before: DigestState,
  notices: readonly Notice[],
  nowMs: number,
): { readonly state: DigestState; readonly alerts: readonly ShownAlert[] } {
  let told: DigestState = { ...before, singlesMs: recent(before.singlesMs, nowMs) };
  const says: ShownAlert[] = [];
  for (const notice of notices) {
    if (told.singlesMs.length < singleAlertsMax) {
      says.push({ kind: "single", notice });
      told = { ...told, singlesMs: [...told.singlesMs, nowMs] };
    } else {
      told = { ...addToDigest(told, notice), dueMs: told.dueMs ?? dueAfter(nowMs, told.digestMs) };
    }
  }
  const { dueMs, games, others } = told;
  const waitsTooLong = dueMs !== null && dueMs - nowMs > digestEveryMs;
  if (dueMs === null || (dueMs > nowMs && !waitsTooLong)) return { state: told, alerts: says };
  says.push({ kind: "digest", games, others });
  return { state: { ...emptyDigestState, singlesMs: told.singlesMs, digestMs: nowMs }, alerts: says };
}

/** Returns the highest power of ten that a count has reached. */
export const powerOfTenReached = (count: number) => 10 ** (String(count).length - 1);

/** Returns the headline of an alert: what happened, without the title of the issue. */
export function noticeHeadline({ kind, count }: Pick<Notice, "kind" | "count">): Message {
  switch (kind) {
    case "new":
      return count === 1
        ? message("notice.new_error")
        : message("notice.new_error_many_times", { count: formatCount(count) });
    case "regressed":
      return message("notice.regressed");
    case "woke":
      return message("notice.woke");
    case "times":
      return message("notice.times", { count: formatCount(powerOfTenReached(count)) });
  }
}

/** Says where an alert comes from. `name` is that of the game, safe to show; undefined without a game. */
export const noticeOfGame = (what: Message, name: string | undefined): Message =>
  name === undefined ? message("notice.without_game", { what }) : message("notice.in_game", { what, game: name });

const sumPhrases = ({ new: fresh, regressed, woke, times }: Sums): Message[] => {
  const few = fresh === 1 ? message("notice.sum_one_new") : message("notice.sum_new", { count: formatCount(fresh) });
  return [
    ...(fresh === 0 ? [] : [few]),
    ...(regressed === 0 ? [] : [message("notice.sum_regressed", { count: formatCount(regressed) })]),
    ...(woke === 0 ? [] : [message("notice.sum_woke", { count: formatCount(woke) })]),
    ...(times === 0 ? [] : [message("notice.sum_times", { count: formatCount(times) })]),
  ];
};
const joinPhrases = (phrases: readonly Message[]): Message =>
  phrases.reduce((first, second) => message("join.phrases", { first, second }));
const addSums = (a: Sums, b: Sums): Sums => ({
  new: a.new + b.new,
  regressed: a.regressed + b.regressed,
  woke: a.woke + b.woke,
  times: a.times + b.times,
});
const totalOf = ({ new: fresh, regressed, woke, times }: Sums) => fresh + regressed + woke + times;

/** Returns a digest as one sentence. `named` must make the name of a game, which is untrusted, safe to show. */
export function digestMessage(
  { games, others }: Extract<ShownAlert, { kind: "digest" }>,
  named: (game: string) => string,
): Message {
  const byCount = games.toSorted((a, b) => totalOf(b.sums) - totalOf(a.sums));
  const rest = byCount.slice(gamesNamed).reduce((sum, { sums }) => addSums(sum, sums), others);
  const said = byCount
    .slice(0, gamesNamed)
    .map(({ game, sums }) => noticeOfGame(joinPhrases(sumPhrases(sums)), game === null ? undefined : named(game)));
  const elsewhere = totalOf(rest) === 0 ? [] : [message("notice.elsewhere", { what: joinPhrases(sumPhrases(rest)) })];
  const clauses = [...said, ...elsewhere];
  return joinClauses(clauses[0] as Message, ...clauses.slice(1));
}

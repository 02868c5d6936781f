// How notices are told, wherever that is: a few one by one, a flood in sums. Pure, so that every teller does the same.
import type { Notice, NoticeKind } from "./notices.ts";

export const singlesMax = 6;
const singlesWithinMs = 60_000;
const digestEveryMs = 300_000;
/** Games told apart in one digest; the others are added up. */
const gamesMax = 20;
const gamesSaid = 3;

type Sums = Readonly<Record<NoticeKind, number>>;
type GameSums = { readonly game: string | null; readonly sums: Sums };

export type Saying =
  | { readonly kind: "single"; readonly notice: Notice }
  | { readonly kind: "digest"; readonly games: readonly GameSums[]; readonly others: Sums };

/** How far a teller has come; plain data. */
export type DigestState = {
  /** When the newest singles were said. */
  readonly singlesMs: readonly number[];
  /** What waits for the next digest. */
  readonly games: readonly GameSums[];
  readonly others: Sums;
  /** When the next digest is due; null while nothing waits. */
  readonly dueMs: number | null;
  readonly digestMs: number | null;
};

const none: Sums = { new: 0, regressed: 0, woke: 0, times: 0 };
export const emptyDigest: DigestState = { singlesMs: [], games: [], others: none, dueMs: null, digestMs: null };

const oneMore = (sums: Sums, kind: NoticeKind): Sums => ({ ...sums, [kind]: sums[kind] + 1 });

function fold(told: DigestState, { kind, game }: Notice): DigestState {
  const known = told.games.some((each) => each.game === game);
  if (!known && told.games.length >= gamesMax) return { ...told, others: oneMore(told.others, kind) };
  const games = known ? told.games : [...told.games, { game, sums: none }];
  return {
    ...told,
    games: games.map((each) => (each.game === game ? { game, sums: oneMore(each.sums, kind) } : each)),
  };
}

/** A clock that was set back must not silence anything: what lies ahead counts as now. */
const recent = (singlesMs: readonly number[], nowMs: number) =>
  singlesMs.map((ms) => Math.min(ms, nowMs)).filter((ms) => ms > nowMs - singlesWithinMs);

/** A minute after the first one was folded, and never sooner than five minutes after the last digest. */
const dueAfter = (nowMs: number, digestMs: number | null) =>
  Math.max(nowMs + singlesWithinMs, digestMs === null ? 0 : Math.min(digestMs, nowMs) + digestEveryMs);

/**
 * What to say now, given what came since the last time: at most six singles in any minute, the rest in a digest at most
 * every five minutes. Call it again at `told.dueMs`, with nothing new if nothing came.
 */
export function digest(
  before: DigestState,
  notices: readonly Notice[],
  nowMs: number,
): { readonly told: DigestState; readonly says: readonly Saying[] } {
  let told: DigestState = { ...before, singlesMs: recent(before.singlesMs, nowMs) };
  const says: Saying[] = [];
  for (const notice of notices) {
    if (told.singlesMs.length < singlesMax) {
      says.push({ kind: "single", notice });
      told = { ...told, singlesMs: [...told.singlesMs, nowMs] };
    } else {
      told = { ...fold(told, notice), dueMs: told.dueMs ?? dueAfter(nowMs, told.digestMs) };
    }
  }
  const { dueMs, games, others } = told;
  const waitsTooLong = dueMs !== null && dueMs - nowMs > digestEveryMs;
  if (dueMs === null || (dueMs > nowMs && !waitsTooLong)) return { told, says };
  says.push({ kind: "digest", games, others });
  return { told: { ...emptyDigest, singlesMs: told.singlesMs, digestMs: nowMs }, says };
}

/** The power of ten that many reports have reached. */
const reached = (count: number) => 10 ** (String(count).length - 1);
const grouped = (n: number) => n.toLocaleString("en-US");

/** What happened, without the issue's own words. */
export function noticeSays({ kind, count }: Pick<Notice, "kind" | "count">): string {
  switch (kind) {
    case "new":
      return count === 1 ? "New error" : `New error, ${grouped(count)} times at once`;
    case "regressed":
      return "Came back after it was resolved";
    case "woke":
      return "Came again after its mute";
    case "times":
      return `Reported ${grouped(reached(count))} times`;
  }
}

const sumWords = ({ new: fresh, regressed, woke, times }: Sums): string[] => [
  ...(fresh === 0 ? [] : [`${grouped(fresh)} new ${fresh === 1 ? "error" : "errors"}`]),
  ...(regressed === 0 ? [] : [`${grouped(regressed)} came back`]),
  ...(woke === 0 ? [] : [`${grouped(woke)} came again after a mute`]),
  ...(times === 0 ? [] : [`${grouped(times)} became ten times as many`]),
];
const added = (a: Sums, b: Sums): Sums => ({
  new: a.new + b.new,
  regressed: a.regressed + b.regressed,
  woke: a.woke + b.woke,
  times: a.times + b.times,
});
const totalOf = ({ new: fresh, regressed, woke, times }: Sums) => fresh + regressed + woke + times;

/** One sentence for many. `named` says how a game is written; games come from outside. */
export function digestSays(
  { games, others }: Extract<Saying, { kind: "digest" }>,
  named: (game: string) => string,
): string {
  const byCount = games.toSorted((a, b) => totalOf(b.sums) - totalOf(a.sums));
  const rest = byCount.slice(gamesSaid).reduce((sum, { sums }) => added(sum, sums), others);
  const inGame = ({ game, sums }: GameSums) => {
    const [first = "", ...more] = sumWords(sums);
    return [`${first} ${game === null ? "without a game" : `in ${named(game)}`}`, ...more].join(", ");
  };
  const said = byCount.slice(0, gamesSaid).map(inGame);
  const elsewhere = totalOf(rest) === 0 ? [] : [`${sumWords(rest).join(", ")} elsewhere`];
  return [...said, ...elsewhere].join("; ");
}

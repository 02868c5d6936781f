// A few alerts are shown one by one, a flood as counts: never more than six in a minute, and none is left out.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  type DigestState,
  digestText,
  emptyDigest,
  type NoticeAlert,
  nextAlerts,
  noticeHeadline,
  singlesMax,
} from "./notice-digest.ts";
import { type Notice, type NoticeKind, noticeKinds } from "./notices.ts";

const aMinuteMs = 60_000;
const beganMs = Date.UTC(2026, 4, 3, 10);

let made = 0;
function noticeOf(kind: NoticeKind = "new", game: string | null = "saga"): Notice {
  made += 1;
  const at = new Date(beganMs).toISOString();
  return { number: made, kind, issue: `i${made}`, title: "No key", game, at, count: 1, seen: false, quiet: false };
}
const many = (count: number, kind?: NoticeKind, game?: string | null) =>
  Array.from({ length: count }, () => noticeOf(kind, game));
const totalOf = (saying: NoticeAlert): number => {
  if (saying.kind === "single") return 1;
  const sums = [...saying.games.map((each) => each.sums), saying.others];
  return sums.flatMap((each) => Object.values(each)).reduce((sum, n) => sum + n, 0);
};
const said = (saying: NoticeAlert | undefined) =>
  saying?.kind === "digest" ? digestText(saying, (game) => game) : undefined;

test("up to six are said at once, each by itself, and nothing is left to say", () => {
  const { state: told, alerts: says } = nextAlerts(emptyDigest, many(6), beganMs);
  assert.deepEqual([says.length, new Set(says.map(({ kind }) => kind)).size, told.dueMs], [6, 1, null]);
});

test("what is beyond six in a minute is said in one sentence a minute later, then at most every five minutes", () => {
  const flood = [...many(23), ...many(5, "regressed")];
  const first = nextAlerts(emptyDigest, [...many(6), ...flood], beganMs);
  assert.equal(first.alerts.length, 6);
  assert.equal(first.state.dueMs, beganMs + aMinuteMs);
  assert.deepEqual(nextAlerts(first.state, [], beganMs + aMinuteMs - 1).alerts, []);
  const second = nextAlerts(first.state, [], beganMs + aMinuteMs);
  assert.deepEqual(second.alerts.map(said), ["23 new errors in saga, 5 came back"]);
  const third = nextAlerts(second.state, many(7), beganMs + 2 * aMinuteMs);
  assert.deepEqual([third.alerts.length, third.state.dueMs], [6, beganMs + 6 * aMinuteMs]);
  assert.deepEqual(nextAlerts(third.state, [], beganMs + 6 * aMinuteMs).alerts.map(said), ["1 new error in saga"]);
});

test("whatever comes when: never more than six singles in a minute, digests five minutes apart, and each is in one", () => {
  const step = fc.record({
    afterMs: fc.oneof(fc.nat(5_000), fc.nat(400_000)),
    kinds: fc.array(fc.constantFrom(...noticeKinds), { maxLength: 40 }),
    game: fc.constantFrom("a", "b", "c", null),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      let nowMs = beganMs;
      let told: DigestState = emptyDigest;
      const all: { atMs: number; saying: NoticeAlert }[] = [];
      const say = (notices: readonly Notice[]) => {
        const { state: after, alerts: says } = nextAlerts(told, notices, nowMs);
        told = after;
        for (const saying of says) all.push({ atMs: nowMs, saying });
      };
      let sent = 0;
      for (const { afterMs, kinds, game } of steps) {
        const untilMs = nowMs + afterMs;
        while (told.dueMs !== null && told.dueMs <= untilMs) {
          nowMs = told.dueMs;
          say([]);
        }
        nowMs = untilMs;
        say(kinds.map((kind) => noticeOf(kind, game)));
        sent += kinds.length;
      }
      if (told.dueMs !== null) {
        nowMs = told.dueMs;
        say([]);
      }
      const times = (kind: NoticeAlert["kind"]) =>
        all.filter(({ saying }) => saying.kind === kind).map(({ atMs }) => atMs);
      const singles = times("single");
      for (const [index, atMs] of singles.entries()) {
        const later = singles[index + singlesMax];
        assert.ok(
          later === undefined || later - atMs >= aMinuteMs,
          `${singlesMax + 1} singles in ${Number(later) - atMs} ms`,
        );
      }
      const digests = times("digest");
      for (const [index, atMs] of digests.entries()) {
        assert.ok(index === 0 || atMs - (digests[index - 1] ?? 0) >= 5 * aMinuteMs);
      }
      assert.equal(
        all.reduce((sum, { saying }) => sum + totalOf(saying), 0),
        sent,
      );
      assert.equal(told.dueMs, null);
    }),
  );
});

test("a clock that is set back silences nothing for longer than before", () => {
  const { state: told } = nextAlerts(emptyDigest, many(10), beganMs);
  const back = nextAlerts(told, [], beganMs - 3_600_000);
  assert.deepEqual(back.alerts.map(totalOf), [4]);
  assert.equal(nextAlerts(back.state, many(1), beganMs - 3_600_000 + aMinuteMs).alerts.length, 1);
});

test("a digest of many games names three, and is bounded however many there are", () => {
  const games = Array.from({ length: 1_000 }, (_, index) => many(1 + (index % 4), "new", `game${index}`)).flat();
  const { state: told } = nextAlerts(emptyDigest, [...many(6), ...games, ...many(50, "times", null)], beganMs);
  assert.equal(told.games.length, 20);
  const [digested] = nextAlerts(told, [], beganMs + aMinuteMs).alerts;
  assert.equal(totalOf(digested as NoticeAlert), games.length + 50);
  assert.match(
    said(digested) ?? "",
    /^4 new errors in game\d+; 4 new errors in game\d+; 4 new errors in game\d+; [\d,]+ new errors, 50 became ten times as many elsewhere$/,
  );
});

test("each kind says what happened, and a count its power of ten", () => {
  const words = [
    noticeHeadline({ kind: "new", count: 1 }),
    noticeHeadline({ kind: "new", count: 45 }),
    noticeHeadline({ kind: "times", count: 10 }),
    noticeHeadline({ kind: "times", count: 1_204 }),
  ];
  assert.deepEqual(words, ["New error", "New error, 45 times at once", "Reported 10 times", "Reported 1,000 times"]);
});

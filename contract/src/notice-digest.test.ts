// Tests of alerts: a few are shown one by one, a flood as counts. At most six are shown in a minute, and none is left out.
import assert from "node:assert/strict";
import fc from "fast-check";
import { test } from "vitest";
import { textOf } from "./message.ts";
import {
  type DigestState,
  digestMessage,
  emptyDigestState,
  nextAlerts,
  noticeHeadline,
  type ShownAlert,
  singleAlertsMax,
} from "./notice-digest.ts";
import { type Notice, type NoticeKind, noticeKinds } from "./notices.ts";

const minuteMs = 60_000;
const startMs = Date.UTC(2026, 4, 3, 10);

let count = 0;
function noticeOf(kind: NoticeKind = "new", game: string | null = "saga"): Notice {
  count += 1;
  const at = new Date(startMs).toISOString();
  return { number: count, kind, issue: `i${count}`, title: "No key", game, at, count: 1, seen: false, quiet: false };
}
const many = (count: number, kind?: NoticeKind, game?: string | null) =>
  Array.from({ length: count }, () => noticeOf(kind, game));
const totalOf = (alert: ShownAlert): number => {
  if (alert.kind === "single") return 1;
  const sums = [...alert.games.map((each) => each.sums), alert.others];
  return sums.flatMap((each) => Object.values(each)).reduce((sum, n) => sum + n, 0);
};
const digestTextOf = (alert: ShownAlert | undefined) =>
  alert?.kind === "digest" ? textOf(digestMessage(alert, (game) => game)) : undefined;

test("up to six notices are each shown at once as an alert of their own", () => {
  const { state, alerts } = nextAlerts(emptyDigestState, many(6), startMs);
  assert.deepEqual([alerts.length, new Set(alerts.map(({ kind }) => kind)).size, state.dueMs], [6, 1, null]);
});

test("notices beyond six in a minute are summed up one minute later, then at most every five minutes", () => {
  const flood = [...many(23), ...many(5, "regressed")];
  const first = nextAlerts(emptyDigestState, [...many(6), ...flood], startMs);
  assert.equal(first.alerts.length, 6);
  assert.equal(first.state.dueMs, startMs + minuteMs);
  assert.deepEqual(nextAlerts(first.state, [], startMs + minuteMs - 1).alerts, []);
  const second = nextAlerts(first.state, [], startMs + minuteMs);
  assert.deepEqual(second.alerts.map(digestTextOf), ["23 new errors, 5 came back in saga"]);
  const third = nextAlerts(second.state, many(7), startMs + 2 * minuteMs);
  assert.deepEqual([third.alerts.length, third.state.dueMs], [6, startMs + 6 * minuteMs]);
  assert.deepEqual(nextAlerts(third.state, [], startMs + 6 * minuteMs).alerts.map(digestTextOf), [
    "1 new error in saga",
  ]);
});

test("whatever the order, at most six single alerts a minute, digests five minutes apart, and each notice counted", () => {
  const step = fc.record({
    afterMs: fc.oneof(fc.nat(5_000), fc.nat(400_000)),
    kinds: fc.array(fc.constantFrom(...noticeKinds), { maxLength: 40 }),
    game: fc.constantFrom("a", "b", "c", null),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      let nowMs = startMs;
      let state: DigestState = emptyDigestState;
      const shown: { atMs: number; alert: ShownAlert }[] = [];
      const addNotices = (notices: readonly Notice[]) => {
        const { state: after, alerts } = nextAlerts(state, notices, nowMs);
        state = after;
        for (const alert of alerts) shown.push({ atMs: nowMs, alert });
      };
      let sent = 0;
      for (const { afterMs, kinds, game } of steps) {
        const untilMs = nowMs + afterMs;
        while (state.dueMs !== null && state.dueMs <= untilMs) {
          nowMs = state.dueMs;
          addNotices([]);
        }
        nowMs = untilMs;
        addNotices(kinds.map((kind) => noticeOf(kind, game)));
        sent += kinds.length;
      }
      if (state.dueMs !== null) {
        nowMs = state.dueMs;
        addNotices([]);
      }
      const times = (kind: ShownAlert["kind"]) =>
        shown.filter(({ alert }) => alert.kind === kind).map(({ atMs }) => atMs);
      const singles = times("single");
      for (const [index, atMs] of singles.entries()) {
        const later = singles[index + singleAlertsMax];
        assert.ok(
          later === undefined || later - atMs >= minuteMs,
          `${singleAlertsMax + 1} singles in ${Number(later) - atMs} ms`,
        );
      }
      const digests = times("digest");
      for (const [index, atMs] of digests.entries()) {
        assert.ok(index === 0 || atMs - (digests[index - 1] ?? 0) >= 5 * minuteMs);
      }
      assert.equal(
        shown.reduce((sum, { alert }) => sum + totalOf(alert), 0),
        sent,
      );
      assert.equal(state.dueMs, null);
    }),
  );
});

test("a clock that is set back does not delay alerts for longer than before", () => {
  const { state } = nextAlerts(emptyDigestState, many(10), startMs);
  const back = nextAlerts(state, [], startMs - 3_600_000);
  assert.deepEqual(back.alerts.map(totalOf), [4]);
  assert.equal(nextAlerts(back.state, many(1), startMs - 3_600_000 + minuteMs).alerts.length, 1);
});

test("a digest of many games names three, and keeps counts of at most twenty", () => {
  const games = Array.from({ length: 1_000 }, (_, index) => many(1 + (index % 4), "new", `game${index}`)).flat();
  const { state } = nextAlerts(emptyDigestState, [...many(6), ...games, ...many(50, "times", null)], startMs);
  assert.equal(state.games.length, 20);
  const [digested] = nextAlerts(state, [], startMs + minuteMs).alerts;
  assert.equal(totalOf(digested as ShownAlert), games.length + 50);
  assert.match(
    digestTextOf(digested) ?? "",
    /^4 new errors in game\d+; 4 new errors in game\d+; 4 new errors in game\d+; [\d,]+ new errors, 50 became ten times as many elsewhere$/,
  );
});

test("a headline names the kind of the notice, and rounds a count down to a power of ten", () => {
  const words = [
    noticeHeadline({ kind: "new", count: 1 }),
    noticeHeadline({ kind: "new", count: 45 }),
    noticeHeadline({ kind: "times", count: 10 }),
    noticeHeadline({ kind: "times", count: 1_204 }),
  ].map(textOf);
  assert.deepEqual(words, ["New error", "New error, 45 times at once", "Reported 10 times", "Reported 1,000 times"]);
});

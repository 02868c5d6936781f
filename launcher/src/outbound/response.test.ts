// Tests of the time after which a server allows the next request.
import assert from "node:assert/strict";
import { test } from "vitest";
import { retryAfterMs } from "./response.ts";

const nowMs = Date.parse("2026-11-22T10:00:00.000Z");
const restOf = (headers: Record<string, string>) => {
  const untilMs = retryAfterMs(new Headers(headers), nowMs);
  return untilMs === null ? null : untilMs - nowMs;
};

test("the requested wait is read in each form", () => {
  const forms: [Record<string, string>, number | null][] = [
    [{ "retry-after": "120" }, 120_000],
    [{ "retry-after": "0.35" }, 350],
    [{ "retry-after": "1500ms" }, 1_500],
    [{ "retry-after": "2s" }, 2_000],
    [{ "retry-after": " 7 " }, 7_000],
    [{ "retry-after-ms": "350" }, 350],
    [{ "retry-after": "Sun, 22 Nov 2026 10:01:00 GMT" }, 60_000],
    [{ "retry-after": "2026-11-22T10:00:30Z" }, 30_000],
    // By the server's own clock, which is an hour ahead.
    [{ "retry-after": "Sun, 22 Nov 2026 11:01:00 GMT", date: "Sun, 22 Nov 2026 11:00:00 GMT" }, 60_000],
    [{ "x-ratelimit-remaining": "0", "x-ratelimit-reset-after": "1.25", "x-ratelimit-reset": "1" }, 1_250],
    [{ "x-ratelimit-remaining": "0", "x-ratelimit-reset": String(nowMs / 1_000 + 90) }, 90_000],
    [{ "x-ratelimit-remaining": "0", "x-ratelimit-reset": `${nowMs / 1_000 + 0.5}` }, 500],
    [{ "x-ratelimit-remaining": "0", "x-ratelimit-reset": String(nowMs + 4_000) }, 4_000],
    [{ "x-ratelimit-remaining": "0", "x-ratelimit-reset": "2026-11-22T10:05:00.000000Z" }, 300_000],
    [{ "ratelimit-remaining": "0", "ratelimit-reset": String(nowMs / 1_000 + 3_600) }, 3_600_000],
    [{ "ratelimit-remaining": "0", "ratelimit-reset": "30" }, 30_000],
    [{ "x-ratelimit-remaining": "0", "x-ratelimit-reset-after": "1", "retry-after": "5" }, 5_000],
    [{ "retry-after": "999999999" }, 86_400_000],
    [{ "x-ratelimit-remaining": "3", "x-ratelimit-reset-after": "9" }, null],
    [{ "retry-after": "0" }, null],
    [{ "retry-after": "-5" }, null],
    [{ "retry-after": "soon" }, null],
    [{ "retry-after": "Sun, 22 Nov 2026 09:00:00 GMT" }, null],
    [{ "retry-after": "1e9" }, null],
    [{ "retry-after": "" }, null],
    [{}, null],
  ];
  for (const [headers, expected] of forms) assert.equal(restOf(headers), expected, JSON.stringify(headers));
});

// `npm run bench -- forwarding`: measures what forwarding costs a game, and what a storm costs the tracker. See README.md.
import { once } from "node:events";
import { createServer } from "node:http";
import type { ForwardTarget } from "@kit/contract";
import { generate } from "../launcher/test/storm/generate.ts";
import { type LauncherProcess, startLauncherProcess } from "../launcher/test/support/own-launcher.ts";
import { defineBench, inRounds, inTurn } from "./bench.ts";
import { atLeast, atMost, type Column, greatest, ratioOf, runTable, spreadOf, type Target, where } from "./figures.ts";

const subjects = ["off", "on"] as const;
type Subject = (typeof subjects)[number];
type ForwardingRun = {
  readonly subject: Subject;
  readonly round: number;
  readonly acknowledged: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Answers other than 202, and connections that ended without one. */
  readonly failed: number;
  /** Requests to the tracker, on average and in the second with the most. */
  readonly requestsPerSecond: number;
  readonly requestsMost: number;
};
type Results = { readonly runs: readonly ForwardingRun[]; readonly delivered: number };

const ratioMax = 1.05;
const requestsMax = 2;
const rateMin = 5_000;
const names: Readonly<Record<Subject, string>> = { off: "without forwarding", on: "to one server" };
const columns: readonly Column<ForwardingRun>[] = [
  ["reports a second", "perSecond"],
  ["p50 ms", "p50Ms", 2],
  ["p99 ms", "p99Ms", 2],
  ["requests a second", "requestsPerSecond", 2],
  ["in the busiest second", "requestsMost"],
];

/** A tracker that takes everything, and notes when. */
async function startTracker() {
  const arrivedMs: number[] = [];
  const server = createServer((request, response) => {
    arrivedMs.push(performance.now());
    request.resume().on("end", () => response.end("{}"));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  return {
    arrivedMs,
    address: `http://${"0".repeat(32)}@127.0.0.1:${port}/1`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const targetOf = async (launcher: LauncherProcess) =>
  (await launcher.api("GET", "/api/forwarding")).json<{ targets: ForwardTarget[] }>().targets[0];

export const forwarding = defineBench({
  summary: "what forwarding costs a game, and a storm its tracker",
  about: `Measures the launcher's answers in a storm of error reports with and without forwarding, and how many requests the tracker gets.`,
  flags: {
    rounds: { says: "rounds, each with both in turn", usual: 25, quick: 1 },
    seconds: { says: "length of each storm", usual: 5, quick: 1 },
    connections: { says: "connections of the storm", usual: 64, quick: 16, most: 256 },
  },
  usesLauncher: true,
  async measure({ rounds, seconds, connections }, say): Promise<Results> {
    await using tracker = await startTracker();
    // Both run all the time, and hold the same data. Without a display, so that nothing is captured.
    const env = { DISPLAY: "", WAYLAND_DISPLAY: "" };
    await using off = await startLauncherProcess({ env });
    await using on = await startLauncherProcess({ env });
    const added = await on.api("POST", "/api/forwarding", { kind: "sentry", address: tracker.address, game: null });
    if (added.status !== 201) throw new Error(`the target was refused: ${added.text}`);
    const storm = async (subject: Subject, round: number, lasts: number): Promise<ForwardingRun> => {
      const { port } = subject === "on" ? on : off;
      const beganMs = performance.now();
      const plan = { port, connections, seconds: lasts, client: "StormEngine/1.0 (Linux)", name: "storm" } as const;
      const { acknowledged, lastedMs, p50Ms, p99Ms, refused, unanswered } = await generate(plan);
      const arrived = subject === "on" ? tracker.arrivedMs.filter((ms) => ms >= beganMs) : [];
      const inSecondFrom = (ms: number) => arrived.filter((each) => each >= ms && each < ms + 1_000).length;
      return {
        subject,
        round,
        acknowledged,
        perSecond: acknowledged / (lastedMs / 1_000),
        p50Ms,
        p99Ms,
        failed: unanswered + Object.values(refused).reduce((sum, times) => sum + times, 0),
        requestsPerSecond: arrived.length / ((performance.now() - beganMs) / 1_000),
        requestsMost: Math.max(0, ...arrived.map(inSecondFrom)),
      };
    };
    // The first storm loads code, and makes the issues.
    for (const subject of subjects) await storm(subject, 0, 1);
    const runs = await inRounds(rounds, say, async (round) => {
      const ofRound: ForwardingRun[] = [];
      for (const subject of inTurn(subjects, round - 1)) ofRound.push(await storm(subject, round, seconds));
      return ofRound;
    });
    return { runs, delivered: (await targetOf(on))?.delivered ?? 0 };
  },
  tables: ({ runs }) => [
    runTable(
      "A storm of error reports: median (min–max)",
      columns,
      subjects.map((subject) => [names[subject], where(runs, { subject })] as const),
    ),
  ],
  targets({ runs }): readonly Target[] {
    const on = where(runs, { subject: "on" });
    return [
      ...atLeast("reports a second with forwarding", rateMin, "", spreadOf(on, "perSecond")),
      ...atMost(
        "p99 of the answers, to that without it",
        ratioMax,
        "×",
        ratioOf(on, where(runs, { subject: "off" }), "p99Ms"),
      ),
      ...atMost(
        "requests to the tracker in the busiest second",
        requestsMax,
        "",
        greatest(on.map(({ requestsMost }) => requestsMost)),
      ),
    ];
  },
  faults: ({ runs, delivered }) => [
    ...runs
      .filter(({ failed }) => failed > 0)
      .map(({ subject, round, failed }) => `${subject}, round ${round}: ${failed} failed`),
    ...(delivered === 0 ? ["nothing was delivered to the tracker"] : []),
  ],
});

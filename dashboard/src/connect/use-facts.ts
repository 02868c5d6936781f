// What the problem finder looks at, from what the page has anyway: its rows, the games, the recorder, the web pages that ask.
import { useMemo } from "react";
import { useOrigins } from "../consent/use-origins.ts";
import { useNow } from "../frame/use-now.ts";
import type { Connection } from "../live/follow-feed.ts";
import type { Row } from "../live/row.ts";
import { useGames } from "../live/use-games.ts";
import { useRecorder } from "../recorder/use-recorder.ts";
import { useRules } from "../recorder/use-rules.ts";
import type { Problem } from "./problem.ts";
import { problemsIn } from "./problems.ts";

/** The page comes from the launcher itself. */
const portOf = ({ port }: Location) => Number(port === "" ? 80 : port);

function reasonsIn(rows: readonly Row[]): ReadonlyMap<string, string> {
  const heard = rows.flatMap((row) =>
    row.type === "event" ? row.heard.map((entry) => [row.key, entry] as const) : [],
  );
  return new Map(heard.flatMap(([key, { reason }]) => (reason === undefined ? [] : [[key, reason]])));
}

/** Live: a new event, a new refusal or a turned switch changes it at once. */
export function useProblems(rows: readonly Row[], connection: Connection): readonly Problem[] {
  const nowMs = useNow();
  const games = useGames().data;
  const origins = useOrigins().data?.origins;
  const recorder = useRecorder().data;
  const recordingRules = useRules().data?.rules;
  return useMemo(
    () =>
      problemsIn({
        ...{ nowMs, connection: connection.state, port: portOf(location), games, origins, recorder, recordingRules },
        events: rows.flatMap((row) => (row.type === "event" ? [row.event] : [])),
        refusals: rows.flatMap((row) => (row.type === "refusal" ? [row.refusal] : [])),
        reasons: reasonsIn(rows),
      }),
    [nowMs, connection.state, games, origins, recorder, recordingRules, rows],
  );
}

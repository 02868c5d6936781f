// Fetches the rows of the Rules page, and the preview of a rule.
import { previewRecordingRule } from "@kit/contract";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { useClient } from "../../api/session.ts";
import { useGames } from "../../api/use-games.ts";
import { useRecordingRules } from "../../api/use-recorder.ts";
import type { RecordingChange } from "./panel/rule-form.ts";
import { createEventIdRows } from "./rule-rows.ts";

/** The feed does not report each event's count, so the counts are polled. */
const refetchMs = 15_000;

export function useEventRows() {
  const games = useGames(refetchMs);
  const recording = useRecordingRules();
  const rules = games.data?.rules;
  const recordingRules = recording.data?.rules;
  const rows = useMemo(
    () => (rules && recordingRules ? createEventIdRows(rules, recordingRules) : undefined),
    [rules, recordingRules],
  );
  const retry = () => void Promise.all([games.refetch(), recording.refetch()]);
  return { rows, games: games.data?.games ?? [], error: games.error ?? recording.error, retry };
}

const debounceMs = 300;
const previewRefetchMs = 10_000;

/** Returns the value once it has stayed the same for a moment. */
function useDebounced<Value>(value: Value, key: string): Value {
  const [settled, setSettled] = useState({ value, key });
  useEffect(() => {
    const timer = setTimeout(() => setSettled({ value, key }), debounceMs);
    return () => clearTimeout(timer);
  }, [value, key]);
  return settled.value;
}

/** Fetches what a rule would have made of past events. While the rule is invalid (undefined), the last answer stays. */
export function useRulePreview(eventId: string, rule: RecordingChange | undefined) {
  const client = useClient();
  const key = JSON.stringify(rule);
  const [shown, setShown] = useState(rule);
  const settled = useDebounced(rule, key);
  useEffect(() => {
    if (settled !== undefined) setShown((now) => (JSON.stringify(now) === JSON.stringify(settled) ? now : settled));
  }, [settled]);
  const query = useQuery({
    queryKey: ["recorder", "preview", eventId, shown],
    queryFn: () => client.call(previewRecordingRule, { body: { eventId, ...shown } }),
    enabled: shown !== undefined,
    placeholderData: keepPreviousData,
    refetchInterval: previewRefetchMs,
  });
  return { ...query, isPending: JSON.stringify(shown) !== key || query.isPlaceholderData };
}

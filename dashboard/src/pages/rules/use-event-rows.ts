// What the launcher knows of event ids, put together from what it lists.
import { previewRecordingRule } from "@kit/contract";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { useClient } from "../../api/session-context.ts";
import { useGames } from "../../api/use-games.ts";
import { useRules } from "../../api/use-rules.ts";
import type { RecordingChange } from "./rule-form.ts";
import { rowsOf } from "./rule-rows.ts";

/** The feed names no id: how often each came is asked for now and then. */
const seenEveryMs = 15_000;

export function useEventRows() {
  const games = useGames(seenEveryMs);
  const recording = useRules();
  const rules = games.data?.rules;
  const recordingRules = recording.data?.rules;
  const rows = useMemo(
    () => (rules && recordingRules ? rowsOf(rules, recordingRules) : undefined),
    [rules, recordingRules],
  );
  const retry = () => void Promise.all([games.refetch(), recording.refetch()]);
  return { rows, games: games.data?.games ?? [], error: games.error ?? recording.error, retry };
}

const typingMs = 300;
const previewEveryMs = 10_000;

/** The value once it has stood still for a moment. */
function useSettled<Value>(value: Value, key: string): Value {
  const [settled, setSettled] = useState({ value, key });
  useEffect(() => {
    const timer = setTimeout(() => setSettled({ value, key }), typingMs);
    return () => clearTimeout(timer);
  }, [value, key]);
  return settled.value;
}

/** What a rule would have made of what came. Undefined asks nothing and goes on showing what was answered before. */
export function useRulePreview(eventId: string, rule: RecordingChange | undefined) {
  const client = useClient();
  const key = JSON.stringify(rule);
  const [shown, setShown] = useState(rule);
  const settled = useSettled(rule, key);
  useEffect(() => {
    if (settled !== undefined) setShown((now) => (JSON.stringify(now) === JSON.stringify(settled) ? now : settled));
  }, [settled]);
  const query = useQuery({
    queryKey: ["recorder", "preview", eventId, shown],
    queryFn: () => client.call(previewRecordingRule, { body: { eventId, ...shown } }),
    enabled: shown !== undefined,
    placeholderData: keepPreviousData,
    refetchInterval: previewEveryMs,
  });
  return { ...query, waits: JSON.stringify(shown) !== key || query.isPlaceholderData };
}

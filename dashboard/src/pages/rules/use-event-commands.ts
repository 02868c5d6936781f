// What a person does with event ids, each step said in a toast with its way back.
import {
  type BodyOf,
  changeRecordingRule,
  changeRule,
  type EventsFile,
  importEventsFile,
  type RecordingRule,
  type Rule,
  resetRecordingRule,
} from "@kit/contract";
import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useMemo, useRef, useState } from "react";
import { useClient } from "../../api/session-context.ts";
import { t } from "../../language/language.ts";
import type { Done } from "../../ui/toast.tsx";
import { visibleLine } from "../../ui/visible-text.ts";
import { type LabelChange, type RecordingChange, secondsMembers } from "./rule-form.ts";
import type { EventRow } from "./rule-rows.ts";

type Call = () => Promise<unknown>;
type Step = { readonly says: string; readonly undo?: Call; readonly undone?: string };

export type EventCommands = {
  /** All resolve to whether it was done. */
  readonly keep: (row: EventRow, recording: RecordingChange, look: LabelChange) => Promise<boolean>;
  readonly reset: (row: EventRow) => Promise<boolean>;
  readonly turn: (row: EventRow, rule: Rule, enabled: boolean) => Promise<boolean>;
  readonly apply: (file: EventsFile) => Promise<boolean>;
};

const membersOf = (rule: RecordingRule): RecordingChange =>
  Object.fromEntries([...secondsMembers, "action" as const, "priority" as const].map((name) => [name, rule[name]]));

const halfKept = ({ message }: Error) =>
  new Error(t("What happens was kept, the label and picture were not: {{why}}", { why: message }));

export const nameOf = (row: EventRow): string => visibleLine(row.words, 60);

/** Says what was done; a way back says so in turn, or why it failed. */
function useSteps() {
  const queryClient = useQueryClient();
  const [done, setDone] = useState<Done>();
  const [error, setError] = useState<Error>();
  const count = useRef(0);
  const say = useCallback((says: string, undo?: () => void) => {
    count.current += 1;
    setDone({ number: count.current, says, ...(undo && { undo }) });
  }, []);
  const take = useCallback(
    async (call: () => Promise<Step>): Promise<boolean> => {
      try {
        const { says, undo, undone = t("Taken back.") } = await call();
        setError(undefined);
        const back = undo && (() => void take(() => undo().then(() => ({ says: undone }))));
        say(says, back);
        return true;
      } catch (refused) {
        setError(refused instanceof Error ? refused : new Error(String(refused)));
        return false;
      } finally {
        for (const key of ["games", "recorder", "library"]) void queryClient.invalidateQueries({ queryKey: [key] });
      }
    },
    [queryClient, say],
  );
  const forget = useCallback(() => setDone(undefined), []);
  const forgive = useCallback(() => setError(undefined), []);
  return { done, error, say, take, forget, forgive, fail: setError };
}

export function useEventCommands() {
  const client = useClient();
  const { take, ...steps } = useSteps();
  const doing = useMemo((): EventCommands => {
    const record = ({ eventId }: EventRow, change: RecordingChange) =>
      client.call(changeRecordingRule, { body: { eventId, ...change } });
    const recordAgain = (row: EventRow) =>
      row.recording?.changed
        ? record(row, membersOf(row.recording))
        : client.call(resetRecordingRule, { query: { eventId: row.eventId } });
    // What an id is called is the same for all its kinds.
    const look = async ({ eventId, rules: [rule] }: EventRow, change: LabelChange) => {
      if (rule)
        await client.call(changeRule, { body: { kind: rule.kind, eventId, ...change } as BodyOf<typeof changeRule> });
    };
    const keep = async (row: EventRow, recording: RecordingChange, seen: LabelChange): Promise<Step> => {
      const records = Object.keys(recording).length > 0;
      const looks = Object.keys(seen).length > 0;
      if (records) await record(row, recording);
      if (looks) await look(row, seen).catch((error: Error) => Promise.reject(records ? halfKept(error) : error));
      const { label, icon } = row;
      const undo = async () => {
        if (records) await recordAgain(row);
        if (looks) await look(row, { ...("label" in seen && { label }), ...("icon" in seen && { icon }) });
      };
      return { says: t("Kept: {{name}}.", { name: nameOf(row) }), undo };
    };
    const reset = async (row: EventRow): Promise<Step> => {
      await client.call(resetRecordingRule, { query: { eventId: row.eventId } });
      return { says: t("Back to the defaults: {{name}}.", { name: nameOf(row) }), undo: () => recordAgain(row) };
    };
    const turn = async (row: EventRow, { kind }: Rule, enabled: boolean): Promise<Step> => {
      const to = (on: boolean) => client.call(changeRule, { body: { kind, eventId: row.eventId, enabled: on } });
      await to(enabled);
      const name = nameOf(row);
      const says = enabled ? t("{{name}} is taken again.", { name }) : t("{{name}} is ignored from now on.", { name });
      return { says, undo: () => to(!enabled) };
    };
    const apply = async (file: EventsFile): Promise<Step> => {
      const { changes, before } = await client.call(importEventsFile, { body: file, query: {} });
      const count = changes.length;
      return {
        says: t("{{count, number}} changes applied.", { count, defaultValue_one: "{{count, number}} change applied." }),
        undo: () => client.call(importEventsFile, { body: before, query: { replace: true } }),
      };
    };
    return {
      keep: (row, recording, seen) => take(() => keep(row, recording, seen)),
      reset: (row) => take(() => reset(row)),
      turn: (row, rule, enabled) => take(() => turn(row, rule, enabled)),
      apply: (file) => take(() => apply(file)),
    };
  }, [client, take]);
  return { doing, ...steps };
}

// Commands on event ids. Each shows a toast with undo when it has completed.
import {
  type BodyOf,
  changeEventIdRule,
  changeRecordingRule,
  type EventIdRule,
  type EventsFile,
  importEventsFile,
  type RecordingRule,
  resetRecordingRule,
} from "@kit/contract";
import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useMemo, useState } from "react";
import { useClient } from "../../api/session.ts";
import { t } from "../../language/language.ts";
import { useToast } from "../../ui/toast.tsx";
import { visibleLine } from "../../ui/visible-text.ts";
import { type LabelChange, type RecordingChange, secondsMembers } from "./panel/rule-form.ts";
import type { EventIdRow } from "./rule-rows.ts";

type Call = () => Promise<unknown>;
type DoneStep = { readonly says: string; readonly undo?: Call; readonly undone?: string };

export type EventCommands = {
  /** Each command resolves to true if it succeeded. */
  readonly save: (row: EventIdRow, recording: RecordingChange, labels: LabelChange) => Promise<boolean>;
  readonly reset: (row: EventIdRow) => Promise<boolean>;
  readonly setEnabled: (row: EventIdRow, rule: EventIdRule, enabled: boolean) => Promise<boolean>;
  readonly apply: (file: EventsFile) => Promise<boolean>;
};

const ruleSettings = (rule: RecordingRule): RecordingChange =>
  Object.fromEntries([...secondsMembers, "action" as const, "priority" as const].map((name) => [name, rule[name]]));

const partialSaveError = ({ message }: Error) =>
  new Error(t("The action was saved, but the label and icon were not: {{why}}", { why: message }));

export const eventName = (row: EventIdRow): string => visibleLine(row.words, 60);

/** Returns a function that shows a toast for a completed command, and another one when it is undone. */
function useSteps() {
  const queryClient = useQueryClient();
  const { message, show: showDone, dismiss } = useToast();
  const [error, setError] = useState<Error>();
  const runStep = useCallback(
    async (call: () => Promise<DoneStep>): Promise<boolean> => {
      try {
        const { says, undo, undone = t("Undone.") } = await call();
        setError(undefined);
        const runUndo = undo && (() => void runStep(() => undo().then(() => ({ says: undone }))));
        showDone(says, runUndo);
        return true;
      } catch (refused) {
        setError(refused instanceof Error ? refused : new Error(String(refused)));
        return false;
      } finally {
        for (const key of ["games", "recorder", "library"]) void queryClient.invalidateQueries({ queryKey: [key] });
      }
    },
    [queryClient, showDone],
  );
  const clearError = useCallback(() => setError(undefined), []);
  return { done: message, error, showDone, runStep, clearDone: dismiss, clearError, showError: setError };
}

export function useEventCommands() {
  const client = useClient();
  const { runStep, ...steps } = useSteps();
  const commands = useMemo((): EventCommands => {
    const changeRecording = ({ eventId }: EventIdRow, change: RecordingChange) =>
      client.call(changeRecordingRule, { body: { eventId, ...change } });
    const restoreRecording = (row: EventIdRow) =>
      row.recording?.changed
        ? changeRecording(row, ruleSettings(row.recording))
        : client.call(resetRecordingRule, { query: { eventId: row.eventId } });
    // Changed for one kind only: all kinds of an id share one label and icon.
    const changeLabels = async ({ eventId, rules: [rule] }: EventIdRow, change: LabelChange) => {
      if (rule)
        await client.call(changeEventIdRule, {
          body: { kind: rule.kind, eventId, ...change } as BodyOf<typeof changeEventIdRule>,
        });
    };
    const save = async (row: EventIdRow, recording: RecordingChange, labels: LabelChange): Promise<DoneStep> => {
      const hasRecordingChanges = Object.keys(recording).length > 0;
      const hasLabelChanges = Object.keys(labels).length > 0;
      if (hasRecordingChanges) await changeRecording(row, recording);
      if (hasLabelChanges)
        await changeLabels(row, labels).catch((error: Error) =>
          Promise.reject(hasRecordingChanges ? partialSaveError(error) : error),
        );
      const { label, icon } = row;
      const undo = async () => {
        if (hasRecordingChanges) await restoreRecording(row);
        if (hasLabelChanges)
          await changeLabels(row, { ...("label" in labels && { label }), ...("icon" in labels && { icon }) });
      };
      return { says: t("Saved: {{name}}.", { name: eventName(row) }), undo };
    };
    const reset = async (row: EventIdRow): Promise<DoneStep> => {
      await client.call(resetRecordingRule, { query: { eventId: row.eventId } });
      return { says: t("Reset to defaults: {{name}}.", { name: eventName(row) }), undo: () => restoreRecording(row) };
    };
    const setEnabled = async (row: EventIdRow, { kind }: EventIdRule, enabled: boolean): Promise<DoneStep> => {
      const change = (on: boolean) =>
        client.call(changeEventIdRule, { body: { kind, eventId: row.eventId, enabled: on } });
      await change(enabled);
      const name = eventName(row);
      const says = enabled
        ? t("Kit accepts {{name}} again.", { name })
        : t("Kit ignores {{name}} from now on.", { name });
      return { says, undo: () => change(!enabled) };
    };
    const apply = async (file: EventsFile): Promise<DoneStep> => {
      const { changes, before } = await client.call(importEventsFile, { body: file, query: {} });
      const count = changes.length;
      return {
        says: t("{{count, number}} changes applied.", { count, defaultValue_one: "{{count, number}} change applied." }),
        undo: () => client.call(importEventsFile, { body: before, query: { replace: true } }),
      };
    };
    return {
      save: (row, recording, labels) => runStep(() => save(row, recording, labels)),
      reset: (row) => runStep(() => reset(row)),
      setEnabled: (row, rule, enabled) => runStep(() => setEnabled(row, rule, enabled)),
      apply: (file) => runStep(() => apply(file)),
    };
  }, [client, runStep]);
  return { commands, ...steps };
}

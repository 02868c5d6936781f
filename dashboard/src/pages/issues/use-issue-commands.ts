// What a person does with issues, each step said in a toast, with its way back where there is one.
import {
  type BodyOf,
  changeIssue,
  deleteIssue,
  type Issue,
  mergeIssues,
  restoreIssue,
  splitIssue,
} from "@kit/contract";
import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useMemo, useRef, useState } from "react";
import { useClient } from "../../api/session-context.ts";
import { doneWords } from "../../ui/issues/issue-words.ts";
import type { Done } from "../../ui/toast.tsx";
import { keepAnswer } from "./use-issues.ts";

type IssueChange = BodyOf<typeof changeIssue>;
type IssueCalls = ReturnType<typeof useIssueCalls>;

/** What a person does with issues, one call each; every answer is shown at once, before the list is asked again. */
function useIssueCalls() {
  const client = useClient();
  const queryClient = useQueryClient();
  return useMemo(() => {
    const keep = (issue: Issue) => keepAnswer(queryClient, issue.id, () => issue);
    const keepGone = (id: string) => keepAnswer(queryClient, id, (known) => ({ ...known, gone: true }));
    /** One after the other: the first that fails ends it, and what was done before stays done. */
    const each = async (ids: readonly string[], does: (id: string) => Promise<void>) => {
      for (const id of ids) await does(id);
    };
    const discard = async (id: string, forever: boolean) => {
      await client.call(deleteIssue, { params: { id }, query: forever ? { forever } : {} });
      const deletedAt = new Date().toISOString();
      keepAnswer(queryClient, id, (known) => ({ ...known, deletedAt, gone: forever }));
    };
    return {
      change: (ids: readonly string[], body: IssueChange) =>
        each(ids, async (id) => keep(await client.call(changeIssue, { params: { id }, body }))),
      discard: (ids: readonly string[]) => each(ids, (id) => discard(id, false)),
      remove: (ids: readonly string[]) => each(ids, (id) => discard(id, true)),
      restore: (ids: readonly string[]) =>
        each(ids, async (id) => keep(await client.call(restoreIssue, { params: { id } }))),
      split: (ids: readonly string[]) =>
        each(ids, async (id) => keep(await client.call(splitIssue, { params: { id } }))),
      async merge(into: string, ids: readonly string[]) {
        keep(await client.call(mergeIssues, { params: { id: into }, body: { ids: [...ids] } }));
        for (const id of ids) keepGone(id);
      },
      /** Asks for what the answers do not tell: counts, and what else changed. */
      settled: () => queryClient.invalidateQueries({ queryKey: ["issues"] }),
    };
  }, [client, queryClient]);
}

/** A question before a step: for how long, into which one, or whether at all. */
export type Asked = { readonly what: "mute" | "merge" | "remove"; readonly issues: readonly Issue[] };

type Step = { readonly says: string; readonly undo?: () => Promise<Step> };
type Ids = readonly string[];

export type IssueCommands = {
  readonly resolve: (ids: Ids) => void;
  readonly reopen: (ids: Ids) => void;
  readonly mute: (ids: Ids, change: IssueChange) => void;
  readonly discard: (ids: Ids) => void;
  readonly restore: (ids: Ids) => void;
  readonly remove: (ids: Ids) => void;
  readonly merge: (into: string, parts: Ids) => void;
  readonly split: (into: string, part: string) => void;
  readonly note: (id: string, note: string | null) => void;
  readonly ask: (what: Asked["what"], issues: readonly Issue[]) => void;
};

function stepsOf(calls: IssueCalls) {
  const step = async (does: Promise<unknown>, says: string, undo?: () => Promise<Step>): Promise<Step> => {
    await does;
    return { says, ...(undo && { undo }) };
  };
  const reopened = (ids: Ids) => step(calls.change(ids, { state: "open" }), doneWords.reopened(ids.length));
  const restored = (ids: Ids) => step(calls.restore(ids), doneWords.restored(ids.length));
  const merged = (into: string, parts: Ids): Promise<Step> =>
    step(calls.merge(into, parts), doneWords.merged(parts.length + 1), () => split(into, parts));
  const split = (into: string, parts: Ids): Promise<Step> =>
    step(calls.split(parts), doneWords.split(parts.length), () => merged(into, parts));
  return {
    reopened,
    restored,
    merged,
    split,
    resolved: (ids: Ids) =>
      step(calls.change(ids, { state: "resolved" }), doneWords.resolved(ids.length), () => reopened(ids)),
    muted: (ids: Ids, change: IssueChange) =>
      step(calls.change(ids, change), doneWords.muted(ids.length), () => reopened(ids)),
    discarded: (ids: Ids) => step(calls.discard(ids), doneWords.deleted(ids.length), () => restored(ids)),
    removed: (ids: Ids) => step(calls.remove(ids), doneWords.removed(ids.length)),
    noted: (id: string, note: string | null) => step(calls.change([id], { note }), doneWords.noted),
  };
}

export function useIssueCommands(onDone: () => void) {
  const calls = useIssueCalls();
  const [done, setDone] = useState<Done>();
  const [asked, setAsked] = useState<Asked>();
  const [error, setError] = useState<Error>();
  const count = useRef(0);
  const take = useCallback(
    (step: Promise<Step>): void => {
      const say = ({ says, undo }: Step) => {
        setError(undefined);
        onDone();
        count.current += 1;
        setDone({ number: count.current, says, ...(undo && { undo: () => take(undo()) }) });
      };
      step.then(say, setError).finally(() => void calls.settled());
    },
    [calls, onDone],
  );
  const doing = useMemo((): IssueCommands => {
    const steps = stepsOf(calls);
    return {
      resolve: (ids) => take(steps.resolved(ids)),
      reopen: (ids) => take(steps.reopened(ids)),
      mute: (ids, change) => take(steps.muted(ids, change)),
      discard: (ids) => take(steps.discarded(ids)),
      restore: (ids) => take(steps.restored(ids)),
      remove: (ids) => take(steps.removed(ids)),
      merge: (into, parts) => take(steps.merged(into, parts)),
      split: (into, part) => take(steps.split(into, [part])),
      note: (id, note) => take(steps.noted(id, note)),
      ask: (what, issues) => setAsked({ what, issues }),
    };
  }, [calls, take]);
  const forget = useCallback(() => setDone(undefined), []);
  const close = useCallback(() => setAsked(undefined), []);
  return { doing, done, forget, asked, close, error };
}

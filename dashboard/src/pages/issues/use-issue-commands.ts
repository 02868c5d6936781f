// Commands on issues. Each shows a toast when it has completed, with undo where that is possible.
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
import { useCallback, useMemo, useState } from "react";
import { useClient } from "../../api/session.ts";
import { useToast } from "../../ui/toast.tsx";
import { issueToasts } from "./issue-text.ts";
import { updateCachedIssue } from "./use-issues.ts";

type IssueChange = BodyOf<typeof changeIssue>;
type IssueCalls = ReturnType<typeof useIssueCalls>;

/** The API calls of the commands. Each reply updates the cached lists at once, before they are fetched again. */
function useIssueCalls() {
  const client = useClient();
  const queryClient = useQueryClient();
  return useMemo(() => {
    const updateCached = (issue: Issue) => updateCachedIssue(queryClient, issue.id, () => issue);
    const markGone = (id: string) => updateCachedIssue(queryClient, id, (known) => ({ ...known, gone: true }));
    /**
     * Makes the calls one after another. After a failure, no further call is made; what completed before is not undone.
     */
    const forEachInTurn = async (ids: readonly string[], call: (id: string) => Promise<void>) => {
      for (const id of ids) await call(id);
    };
    const discard = async (id: string, forever: boolean) => {
      await client.call(deleteIssue, { params: { id }, query: forever ? { forever } : {} });
      const deletedAt = new Date().toISOString();
      updateCachedIssue(queryClient, id, (known) => ({ ...known, deletedAt, gone: forever }));
    };
    return {
      change: (ids: readonly string[], body: IssueChange) =>
        forEachInTurn(ids, async (id) => updateCached(await client.call(changeIssue, { params: { id }, body }))),
      discard: (ids: readonly string[]) => forEachInTurn(ids, (id) => discard(id, false)),
      remove: (ids: readonly string[]) => forEachInTurn(ids, (id) => discard(id, true)),
      restore: (ids: readonly string[]) =>
        forEachInTurn(ids, async (id) => updateCached(await client.call(restoreIssue, { params: { id } }))),
      split: (ids: readonly string[]) =>
        forEachInTurn(ids, async (id) => updateCached(await client.call(splitIssue, { params: { id } }))),
      async merge(into: string, ids: readonly string[]) {
        updateCached(await client.call(mergeIssues, { params: { id: into }, body: { ids: [...ids] } }));
        for (const id of ids) markGone(id);
      },
      /** Fetches what the replies do not contain: counts, and changes made elsewhere. */
      refetch: () => queryClient.invalidateQueries({ queryKey: ["issues"] }),
    };
  }, [client, queryClient]);
}

/**
 * A command that first needs an answer from a person: how long to mute, which issue to keep in a merge, or a
 * confirmation.
 */
export type DialogRequest = { readonly what: "mute" | "merge" | "remove"; readonly issues: readonly Issue[] };

type DoneStep = { readonly says: string; readonly undo?: () => Promise<DoneStep> };
type Ids = readonly string[];

export type IssueCommands = {
  /** `build`: the first build without the error. */
  readonly resolve: (ids: Ids, build?: string) => void;
  readonly reopen: (ids: Ids) => void;
  readonly mute: (ids: Ids, change: IssueChange) => void;
  readonly discard: (ids: Ids) => void;
  readonly restore: (ids: Ids) => void;
  readonly remove: (ids: Ids) => void;
  readonly merge: (into: string, parts: Ids) => void;
  readonly split: (into: string, part: string) => void;
  readonly note: (id: string, note: string | null) => void;
  readonly ask: (what: DialogRequest["what"], issues: readonly Issue[]) => void;
};

function createSteps(calls: IssueCalls) {
  const runCall = async (call: Promise<unknown>, says: string, undo?: () => Promise<DoneStep>): Promise<DoneStep> => {
    await call;
    return { says, ...(undo && { undo }) };
  };
  const reopen = (ids: Ids) => runCall(calls.change(ids, { state: "open" }), issueToasts.reopened(ids.length));
  const restore = (ids: Ids) => runCall(calls.restore(ids), issueToasts.restored(ids.length));
  const merge = (into: string, parts: Ids): Promise<DoneStep> =>
    runCall(calls.merge(into, parts), issueToasts.merged(parts.length + 1), () => split(into, parts));
  const split = (into: string, parts: Ids): Promise<DoneStep> =>
    runCall(calls.split(parts), issueToasts.split(parts.length), () => merge(into, parts));
  return {
    reopen,
    restore,
    merge,
    split,
    resolve: (ids: Ids, build?: string) =>
      runCall(
        calls.change(ids, { state: "resolved", ...(build && { resolvedBuild: build }) }),
        issueToasts.resolved(ids.length),
        () => reopen(ids),
      ),
    mute: (ids: Ids, change: IssueChange) =>
      runCall(calls.change(ids, change), issueToasts.muted(ids.length), () => reopen(ids)),
    discard: (ids: Ids) => runCall(calls.discard(ids), issueToasts.deleted(ids.length), () => restore(ids)),
    remove: (ids: Ids) => runCall(calls.remove(ids), issueToasts.removed(ids.length)),
    note: (id: string, note: string | null) => runCall(calls.change([id], { note }), issueToasts.noted),
  };
}

export function useIssueCommands(onDone: () => void) {
  const calls = useIssueCalls();
  const { message, show, dismiss } = useToast();
  const [dialog, setDialog] = useState<DialogRequest>();
  const [error, setError] = useState<Error>();
  const runStep = useCallback(
    (step: Promise<DoneStep>): void => {
      const showDone = ({ says, undo }: DoneStep) => {
        setError(undefined);
        onDone();
        show(says, undo && (() => runStep(undo())));
      };
      step.then(showDone, setError).finally(() => void calls.refetch());
    },
    [calls, onDone, show],
  );
  const commands = useMemo((): IssueCommands => {
    const steps = createSteps(calls);
    return {
      resolve: (ids, build) => runStep(steps.resolve(ids, build)),
      reopen: (ids) => runStep(steps.reopen(ids)),
      mute: (ids, change) => runStep(steps.mute(ids, change)),
      discard: (ids) => runStep(steps.discard(ids)),
      restore: (ids) => runStep(steps.restore(ids)),
      remove: (ids) => runStep(steps.remove(ids)),
      merge: (into, parts) => runStep(steps.merge(into, parts)),
      split: (into, part) => runStep(steps.split(into, [part])),
      note: (id, note) => runStep(steps.note(id, note)),
      ask: (what, issues) => setDialog({ what, issues }),
    };
  }, [calls, runStep]);
  const closeDialog = useCallback(() => setDialog(undefined), []);
  return { commands, done: message, clearDone: dismiss, dialog, closeDialog, error };
}

// What a person does with issues, one call each; every answer is shown at once, before the list is asked again.
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
import { useMemo } from "react";
import { useClient } from "../session/session-context.ts";
import { keepAnswer } from "./use-issues.ts";

export type IssueChange = BodyOf<typeof changeIssue>;
export type IssueCalls = ReturnType<typeof useIssueCalls>;

export function useIssueCalls() {
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

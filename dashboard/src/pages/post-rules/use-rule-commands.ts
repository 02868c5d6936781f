// What a person does with rules, each step said in a toast; one that was removed can be added again.
import {
  addPostRule,
  changePostRule,
  type NewPostRule,
  type PostRule,
  type PostRuleChange,
  removePostRule,
} from "@kit/contract";
import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useMemo, useRef, useState } from "react";
import { useClient } from "../../api/session-context.ts";
import { rulesKey } from "../../api/use-post-rules.ts";
import { t } from "../../language/language.ts";
import { draftOf } from "../../ui/posts/rule-draft.ts";
import type { Done } from "../../ui/toast.tsx";
import { visibleLine } from "../../ui/visible-text.ts";

export type RuleCommands = {
  /** All resolve to whether it was done. */
  readonly add: (rule: NewPostRule) => Promise<boolean>;
  readonly change: (rule: PostRule, change: PostRuleChange) => Promise<boolean>;
  readonly remove: (rule: PostRule) => Promise<boolean>;
};

export function useRuleCommands() {
  const client = useClient();
  const queryClient = useQueryClient();
  const [done, setDone] = useState<Done>();
  const [error, setError] = useState<Error>();
  const count = useRef(0);
  const take = useCallback(
    async (answer: Promise<unknown>, says: string, undo?: () => void): Promise<boolean> => {
      try {
        await answer;
        setError(undefined);
        count.current += 1;
        setDone({ number: count.current, says, ...(undo && { undo }) });
        return true;
      } catch (refused) {
        setError(refused instanceof Error ? refused : new Error(String(refused)));
        return false;
      } finally {
        void queryClient.invalidateQueries({ queryKey: rulesKey });
      }
    },
    [queryClient],
  );
  const doing = useMemo((): RuleCommands => {
    const add = (rule: NewPostRule, says: string) => take(client.call(addPostRule, { body: rule }), says);
    return {
      add: (rule) => add(rule, t("Rule added.")),
      change: (rule, body) => take(client.call(changePostRule, { params: { id: rule.id }, body }), t("Rule kept.")),
      remove: (rule) =>
        take(
          client.call(removePostRule, { params: { id: rule.id } }),
          t("Rule removed: {{name}}.", { name: visibleLine(rule.pattern, 60) }),
          () => void add(draftOf(rule), t("Rule added again.")),
        ),
    };
  }, [client, take]);
  const forget = useCallback(() => setDone(undefined), []);
  const forgive = useCallback(() => setError(undefined), []);
  return { doing, done, forget, error, forgive };
}

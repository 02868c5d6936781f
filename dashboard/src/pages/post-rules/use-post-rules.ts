// What the page of post rules needs of the launcher: the event ids to suggest, and the commands on rules. Each command shows a toast when
// it has completed; a removed rule can be restored from it.

import {
  addPostRule,
  changePostRule,
  type NewPostRule,
  type PostRule,
  type PostRuleChange,
  removePostRule,
} from "@kit/contract";
import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useMemo, useState } from "react";
import { useClient } from "../../api/session.ts";
import { useGames } from "../../api/use-games.ts";
import { postRulesKey } from "../../api/use-posting.ts";
import { t } from "../../language/language.ts";
import { useToast } from "../../ui/toast.tsx";
import { visibleLine } from "../../ui/visible-text.ts";
import { toPostRuleDraft } from "./rule-draft.ts";

/** More suggestions would be too many for a browser to show: there may be ten thousand event ids. */
const suggestionsMax = 200;

type EventIds = {
  readonly seen: readonly string[];
  readonly suggestions: readonly string[];
  /** Post texts that developers suggest, by event id. */
  readonly suggestedTexts: ReadonlyMap<string, string>;
  /** True once the games have been fetched or the request has failed. */
  readonly isSettled: boolean;
};

/** Returns the event ids and patterns that the rule editor suggests, with the post texts that developers suggest for them. */
export function useEventIds(): EventIds {
  const { data: known, isPending } = useGames();
  return useMemo(() => {
    const social = (known?.rules ?? []).filter(({ kind }) => kind === "social");
    const seen = social.map(({ eventId }) => eventId);
    const games = (known?.games ?? []).map(({ game }) => `${game}_*`);
    const texts = social.flatMap(({ eventId, postText }) => (postText === null ? [] : [[eventId, postText] as const]));
    const suggestions = [...seen, ...games].slice(0, suggestionsMax);
    return { seen, suggestions, suggestedTexts: new Map(texts), isSettled: !isPending };
  }, [known, isPending]);
}

export type PostRuleCommands = {
  /** Each command resolves to true if it succeeded. */
  readonly add: (rule: NewPostRule) => Promise<boolean>;
  readonly change: (rule: PostRule, change: PostRuleChange) => Promise<boolean>;
  readonly remove: (rule: PostRule) => Promise<boolean>;
};

export function usePostRuleCommands() {
  const client = useClient();
  const queryClient = useQueryClient();
  const { message, show, dismiss } = useToast();
  const [error, setError] = useState<Error>();
  const runCall = useCallback(
    async (answer: Promise<unknown>, says: string, undo?: () => void): Promise<boolean> => {
      try {
        await answer;
        setError(undefined);
        show(says, undo);
        return true;
      } catch (refused) {
        setError(refused instanceof Error ? refused : new Error(String(refused)));
        return false;
      } finally {
        void queryClient.invalidateQueries({ queryKey: postRulesKey });
      }
    },
    [queryClient, show],
  );
  const commands = useMemo((): PostRuleCommands => {
    const add = (rule: NewPostRule, says: string) => runCall(client.call(addPostRule, { body: rule }), says);
    return {
      add: (rule) => add(rule, t("Rule added.")),
      change: (rule, body) => runCall(client.call(changePostRule, { params: { id: rule.id }, body }), t("Rule saved.")),
      remove: (rule) =>
        runCall(
          client.call(removePostRule, { params: { id: rule.id } }),
          t("Rule removed: {{name}}.", { name: visibleLine(rule.pattern, 60) }),
          () => void add(toPostRuleDraft(rule), t("Rule restored.")),
        ),
    };
  }, [client, runCall]);
  const clearError = useCallback(() => setError(undefined), []);
  return { commands, done: message, clearDone: dismiss, error, clearError };
}

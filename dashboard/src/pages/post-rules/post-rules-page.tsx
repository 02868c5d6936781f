// The Rules page: what is told of which event, one more, and what holds for all posts.
import type { PostRule } from "@kit/contract";
import { Button } from "@radix-ui/themes";
import { useEffect, useRef, useState } from "react";
import { useAccounts } from "../../api/use-accounts.ts";
import { useChanges } from "../../api/use-changes.ts";
import { useRuleList } from "../../api/use-post-rules.ts";
import { t } from "../../language/language.ts";
import { accountsAddress, postRulesAddress, replaceAddress, ruleForIn, useFragment } from "../../ui/address.ts";
import { Icon } from "../../ui/icon.tsx";
import { PostsTabs } from "../../ui/posts/posts-tabs.tsx";
import { changesOf, draftOf, newDraft } from "../../ui/posts/rule-draft.ts";
import { StorageBanner } from "../../ui/storage-banner.tsx";
import { Toast } from "../../ui/toast.tsx";
import { useNow } from "../../ui/use-now.ts";
import { visibleLine, visibleText } from "../../ui/visible-text.ts";
import { PostSettingsSection } from "./post-settings-section.tsx";
import { RuleCard } from "./rule-card.tsx";
import { RuleEditor } from "./rule-editor.tsx";
import { useEventIds } from "./use-event-ids.ts";
import { useRuleCommands } from "./use-rule-commands.ts";
import "../../ui/clips/clips.css";
import "../../ui/list-page.css";
import "../../ui/recorder/recorder.css";
import "../../ui/forwarding.css";
import "../../ui/posts/posts.css";
import "./post-rules.css";

/** A rule that makes posts changes with each of them. */
const everyMs = 1_000;

/** What is being written: a new rule for an event id, or one that is there. */
type Writing = { readonly id: string | undefined; readonly pattern: string };

const about = () =>
  t(
    "A rule says what is posted of an event. The first that fits is used, the most exact first. An event without a rule makes no post.",
  );

/** Where there is one account, a rule's posts go to it. */
const onlyOne = (accounts: readonly { id: string }[]): string[] =>
  accounts.length === 1 ? accounts.map(({ id }) => id) : [];

export function PostRulesPage() {
  useChanges(everyMs);
  const { data, error } = useRuleList();
  const accounts = useAccounts().data?.accounts;
  const { doing, done, forget, error: refused, forgive } = useRuleCommands();
  const { writing, write } = useWriting(forgive);
  const { proposed, isSettled } = useEventIds();
  useEffect(() => {
    document.title = t("Rules · Kit");
  }, []);
  const rules = data?.rules ?? [];
  const trouble = error ?? (writing === undefined ? refused : undefined);
  return (
    <>
      <main className="recorder">
        <StorageBanner />
        <Head onNew={() => write({ id: undefined, pattern: "" })} />
        <div className="recorder-page">
          <p className="recorder-detail">{about()}</p>
          {trouble && (
            <p className="details-warning" role="alert">
              {visibleText(trouble.message)}
            </p>
          )}
          {accounts?.length === 0 && (
            <p className="rule-first">
              {t("A rule needs an account its posts go to.")} <a href={accountsAddress}>{t("Connect one first")}</a>
            </p>
          )}
          {writing !== undefined && writing.id === undefined && accounts !== undefined && isSettled && (
            <RuleEditor
              key={writing.pattern}
              title={t("A new rule")}
              start={newDraft(writing.pattern, onlyOne(accounts), proposed.get(writing.pattern))}
              accounts={accounts}
              error={refused}
              onKeep={doing.add}
              onClose={() => write(undefined)}
            />
          )}
          {data && rules.length === 0 && writing === undefined && <p>{t("There is no rule yet.")}</p>}
          {rules.length > 0 && (
            <RuleList rules={rules} accounts={accounts ?? []} error={refused} doing={doing} {...{ writing, write }} />
          )}
          <PostSettingsSection />
        </div>
      </main>
      <Toast done={done} onGone={forget} />
    </>
  );
}

const headingId = "post-rules-title";
/** The card that had the focus is gone. */
const focusRules = () => document.getElementById(headingId)?.focus();

function Head({ onNew }: { onNew: () => void }) {
  return (
    <div className="live-sticky">
      <div className="live-head posts-head">
        <h1 id={headingId} tabIndex={-1}>
          {t("Rules")}
        </h1>
        <PostsTabs page="post-rules" />
        <div className="live-head-end">
          <Button onClick={onNew}>
            <Icon name="plus" size={14} />
            {t("New rule")}
          </Button>
        </div>
      </div>
    </div>
  );
}

type RuleListProps = Pick<ChangingProps, "accounts" | "error" | "doing"> &
  Pick<ReturnType<typeof useWriting>, "writing" | "write"> & { rules: readonly PostRule[] };

function RuleList({ rules, accounts, error, doing, writing, write }: RuleListProps) {
  const nowMs = useNow();
  return (
    <ul className="rule-list" aria-label={t("Rules, in the order in which they are tried")}>
      {rules.map((rule) => (
        <li key={rule.id}>
          {writing?.id === rule.id ? (
            <Changing rule={rule} accounts={accounts} error={error} doing={doing} onClose={() => write(undefined)} />
          ) : (
            <RuleCard
              rule={rule}
              accounts={accounts}
              nowMs={nowMs}
              onEdit={() => write({ id: rule.id, pattern: rule.pattern })}
              onSwitch={(enabled) => void doing.change(rule, { enabled })}
              onRemove={() => void doing.remove(rule).then((removed) => removed && focusRules())}
            />
          )}
        </li>
      ))}
    </ul>
  );
}

type ChangingProps = {
  rule: PostRule;
  accounts: Parameters<typeof RuleEditor>[0]["accounts"];
  error: Error | undefined;
  doing: ReturnType<typeof useRuleCommands>["doing"];
  onClose: () => void;
};

function Changing({ rule, accounts, error, doing, onClose }: ChangingProps) {
  const [start] = useState(() => draftOf(rule));
  return (
    <RuleEditor
      title={t("Edit: {{name}}", { name: visibleLine(rule.pattern, 80) })}
      start={start}
      accounts={accounts}
      error={error}
      onKeep={async (now) => {
        const changes = changesOf(start, now);
        return Object.keys(changes).length === 0 || (await doing.change(rule, changes));
      }}
      onClose={onClose}
    />
  );
}

/** The address may ask for a new rule; afterwards it no longer does, so that a reload asks nothing. */
function useWriting(forgive: () => void) {
  const asked = ruleForIn(useFragment());
  const [writing, setWriting] = useState<Writing | undefined>(
    asked === undefined ? undefined : { id: undefined, pattern: asked },
  );
  const last = useRef<Writing>(undefined);
  const write = (next: Writing | undefined) => {
    forgive();
    if (asked !== undefined) replaceAddress(postRulesAddress());
    setWriting(next);
  };
  useEffect(() => {
    // Back to the button the person came from, once it is drawn again.
    const from = last.current;
    last.current = writing;
    if (writing !== undefined || from === undefined) return;
    const card = from.id === undefined ? undefined : document.querySelector(`[data-rule="${CSS.escape(from.id)}"]`);
    const button = card?.querySelector<HTMLElement>(".rule-foot button");
    if (button) button.focus();
    else focusRules();
  }, [writing]);
  return { writing, write };
}

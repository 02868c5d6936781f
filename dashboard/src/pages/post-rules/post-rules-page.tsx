// The page of post rules: the list of rules, the editor of one rule, and the settings that apply to all posts.
import "./post-rules.css";
import type { Account, PostRule, PostSettings } from "@kit/contract";
import { Button } from "@radix-ui/themes";
import { type RefObject, useEffect, useRef, useState } from "react";
import { useChanges } from "../../api/changes.ts";
import { useAccounts, usePostRules, usePostSettings, usePostSettingsChange } from "../../api/use-posting.ts";
import { t } from "../../language/language.ts";
import {
  accountsAddress,
  eventIdFromRuleLink,
  postRulesAddress,
  replaceAddress,
  useFragment,
} from "../../ui/address.ts";
import { ErrorText } from "../../ui/error-text.tsx";
import { AutosaveNumber, FieldRow } from "../../ui/fields.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Page, PageHead, PostsTabs, useTitle } from "../../ui/page.tsx";
import "../../ui/posts/posts.css";
import { PageSection } from "../../ui/section.tsx";
import { Toast } from "../../ui/toast.tsx";
import { useNow } from "../../ui/use-now.ts";
import { visibleLine } from "../../ui/visible-text.ts";
import { PostRuleCard } from "./rule-card.tsx";
import { changedMembers, createPostRuleDraft, toPostRuleDraft } from "./rule-draft.ts";
import { PostRuleEditor } from "./rule-editor.tsx";
import { useEventIds, usePostRuleCommands } from "./use-post-rules.ts";

/** Limits how often the page refetches: a rule changes with each post that it makes. */
const refetchMs = 1_000;

/** What the editor shows: an existing rule, or a new one for `pattern` if `id` is undefined. */
type EditedRule = { readonly id: string | undefined; readonly pattern: string };

const introduction = () =>
  t(
    "A rule defines the post for an event. Kit tries the rules from most to least specific and uses the first match. An event without a rule makes no post.",
  );

/** Returns the accounts that a new rule posts to: the only account, or none if there are several. */
function onlyAccount(accounts: readonly Pick<Account, "id" | "demo">[]): string[] {
  const real = accounts.filter(({ demo }) => !demo);
  return real.length === 1 ? real.map(({ id }) => id) : [];
}

export function PostRulesPage() {
  useChanges(refetchMs);
  const { data, error } = usePostRules();
  const accounts = useAccounts().data?.accounts;
  const { commands, done, clearDone, error: refused, clearError } = usePostRuleCommands();
  const heading = useRef<HTMLHeadingElement>(null);
  const { edited, edit } = useEditedRule(clearError, heading);
  const { suggestedTexts, isSettled } = useEventIds();
  useTitle(t("Post rules · Kit"));
  const rules = data?.rules ?? [];
  const trouble = error ?? (edited === undefined ? refused : undefined);
  return (
    <>
      <Page>
        <PageHead
          title={t("Post rules")}
          heading={heading}
          beside={<PostsTabs page="post-rules" />}
          end={
            <Button onClick={() => edit({ id: undefined, pattern: "" })}>
              <Icon name="plus" size={14} />
              {t("New rule")}
            </Button>
          }
        />
        <div className="column">
          <p className="recorder-detail">{introduction()}</p>
          <ErrorText error={trouble} />
          {accounts?.length === 0 && (
            <p className="note">
              {t("A rule needs an account to post to.")} <a href={accountsAddress}>{t("Connect one first")}</a>
            </p>
          )}
          {edited !== undefined && edited.id === undefined && accounts !== undefined && isSettled && (
            <PostRuleEditor
              key={edited.pattern}
              title={t("A new rule")}
              start={createPostRuleDraft(edited.pattern, onlyAccount(accounts), suggestedTexts.get(edited.pattern))}
              accounts={accounts}
              error={refused}
              onSave={commands.add}
              onClose={() => edit(undefined)}
            />
          )}
          {data && rules.length === 0 && edited === undefined && <p>{t("No rules yet.")}</p>}
          {rules.length > 0 && (
            <RuleList
              rules={rules}
              accounts={accounts ?? []}
              error={refused}
              commands={commands}
              onRemoved={() => heading.current?.focus()}
              {...{ edited, edit }}
            />
          )}
          <PostSettingsSection />
        </div>
      </Page>
      <Toast done={done} onGone={clearDone} />
    </>
  );
}

type RuleListProps = Pick<RuleChangeFormProps, "accounts" | "error" | "commands"> &
  Pick<ReturnType<typeof useEditedRule>, "edited" | "edit"> & { rules: readonly PostRule[]; onRemoved: () => void };

function RuleList({ rules, accounts, error, commands, onRemoved, edited, edit }: RuleListProps) {
  const nowMs = useNow();
  return (
    <ul className="stack" aria-label={t("Rules, in the order in which they are tried")}>
      {rules.map((rule) => (
        <li key={rule.id}>
          {edited?.id === rule.id ? (
            <RuleChangeForm
              rule={rule}
              accounts={accounts}
              error={error}
              commands={commands}
              onClose={() => edit(undefined)}
            />
          ) : (
            <PostRuleCard
              rule={rule}
              accounts={accounts}
              nowMs={nowMs}
              onEdit={() => edit({ id: rule.id, pattern: rule.pattern })}
              onSwitch={(enabled) => void commands.change(rule, { enabled })}
              onRemove={() => void commands.remove(rule).then((removed) => removed && onRemoved())}
            />
          )}
        </li>
      ))}
    </ul>
  );
}

type RuleChangeFormProps = {
  rule: PostRule;
  accounts: Parameters<typeof PostRuleEditor>[0]["accounts"];
  error: Error | undefined;
  commands: ReturnType<typeof usePostRuleCommands>["commands"];
  onClose: () => void;
};

function RuleChangeForm({ rule, accounts, error, commands, onClose }: RuleChangeFormProps) {
  const [start] = useState(() => toPostRuleDraft(rule));
  return (
    <PostRuleEditor
      title={t("Edit: {{name}}", { name: visibleLine(rule.pattern, 80) })}
      start={start}
      accounts={accounts}
      error={error}
      onSave={async (now) => {
        const changes = changedMembers(start, now);
        return Object.keys(changes).length === 0 || (await commands.change(rule, changes));
      }}
      onClose={onClose}
    />
  );
}

/**
 * State of the editor. The address can ask for a new rule; this part of it is then removed, so that a reload does not
 * ask again.
 */
function useEditedRule(clearError: () => void, heading: RefObject<HTMLElement | null>) {
  const requested = eventIdFromRuleLink(useFragment());
  const [edited, setEdited] = useState<EditedRule | undefined>(
    requested === undefined ? undefined : { id: undefined, pattern: requested },
  );
  const last = useRef<EditedRule>(undefined);
  const edit = (next: EditedRule | undefined) => {
    clearError();
    if (requested !== undefined) replaceAddress(postRulesAddress());
    setEdited(next);
  };
  useEffect(() => {
    // When the editor closes, the focus returns to the button that opened it, once that button is drawn again.
    const from = last.current;
    last.current = edited;
    if (edited !== undefined || from === undefined) return;
    const card = from.id === undefined ? undefined : document.querySelector(`[data-rule="${CSS.escape(from.id)}"]`);
    const button = card?.querySelector<HTMLElement>(".rule-foot button");
    if (button) button.focus();
    else heading.current?.focus();
  }, [edited, heading]);
  return { edited, edit };
}

type SettingName = keyof PostSettings;

const fields = (): readonly { name: SettingName; label: string; unit: string; hint: string }[] => [
  {
    name: "undoSeconds",
    label: t("Time to undo"),
    unit: t("seconds"),
    hint: t("0 to 600 seconds between approval and sending."),
  },
  {
    name: "expireHours",
    label: t("Drafts expire after"),
    unit: t("hours"),
    hint: t("1 to 720 hours. After that, a draft that nobody has approved or skipped expires."),
  },
  {
    name: "hourlyMax",
    label: t("Hourly limit"),
    unit: t("posts"),
    hint: t("1 to 60 posts. Further posts are held back."),
  },
];

/** The settings that apply to all posts. Each change is saved at once. */
function PostSettingsSection() {
  const settings = usePostSettings().data;
  const change = usePostSettingsChange();
  const [last, setLast] = useState<SettingName>();
  const [refused, setRefused] = useState<string>();
  const save = (name: SettingName, value: number) => {
    setLast(name);
    setRefused(undefined);
    change.mutate({ [name]: value });
  };
  const reject = (name: SettingName, says: string) => {
    setLast(name);
    setRefused(says);
    change.reset();
  };
  if (settings === undefined) return null;
  return (
    <PageSection
      title={t("For all posts")}
      end={
        <p className="done small" role="status">
          {change.isSuccess && refused === undefined && t("Saved")}
        </p>
      }
    >
      {fields().map(({ name, label, unit, hint }) => (
        <FieldRow
          key={name}
          label={label}
          hint={hint}
          error={last === name ? (refused ?? change.error?.message) : undefined}
        >
          {(ids) => (
            <AutosaveNumber
              id={ids.field}
              describedBy={ids.hint}
              value={settings[name]}
              unit={unit}
              onSave={(value) => save(name, value)}
              onReject={(says) => reject(name, says)}
            />
          )}
        </FieldRow>
      ))}
    </PageSection>
  );
}

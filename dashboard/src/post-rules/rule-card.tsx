// One rule: what it is for, what it says, where that goes, and what it made so far.
import type { Account, PostRule } from "@kit/contract";
import { Button, Switch } from "@radix-ui/themes";
import { useId } from "react";
import { Icon } from "../frame/icon.tsx";
import { Ago } from "../issues/issue-labels.tsx";
import { visibleLine, visibleText } from "../live/visible-text.ts";
import { AccountName } from "../posts/deliveries.tsx";
import { postsWord } from "../posts/words.ts";
import { ruleLine } from "./words.ts";

type Props = {
  rule: PostRule;
  accounts: readonly Account[];
  nowMs: number;
  onEdit: () => void;
  onSwitch: (enabled: boolean) => void;
  onRemove: () => void;
};

export function RuleCard({ rule, accounts, nowMs, onEdit, onSwitch, onRemove }: Props) {
  const ids = { title: useId(), on: useId() };
  const name = visibleLine(rule.pattern, 80);
  return (
    <article className="recorder-state rule" data-rule={rule.id} data-off={!rule.enabled} aria-labelledby={ids.title}>
      <header className="rule-head">
        <h2 id={ids.title}>
          <bdi>{visibleLine(rule.pattern, 200)}</bdi>
        </h2>
        <label className="filter-refusals" htmlFor={ids.on}>
          <Switch
            id={ids.on}
            size="1"
            checked={rule.enabled}
            aria-label={`Makes posts: ${name}`}
            onCheckedChange={onSwitch}
          />
          {rule.enabled ? "On" : "Off"}
        </label>
      </header>
      <p className="post-text">{rule.text === "" ? <em>No text</em> : <bdi>{visibleText(rule.text)}</bdi>}</p>
      <GoesTo rule={rule} accounts={accounts} />
      <div className="rule-foot">
        <p>
          {ruleLine(rule)}. {postsWord(rule.posts)} so far
          {rule.lastPostAt !== null && (
            <>
              , the last <Ago at={rule.lastPostAt} nowMs={nowMs} />
            </>
          )}
          {rule.held > 0 && `; ${rule.held.toLocaleString("en-US")} held back`}.
        </p>
        <div className="forward-end">
          <Button size="1" variant="soft" color="gray" aria-label={`Edit: ${name}`} onClick={onEdit}>
            <Icon name="pencil" size={14} />
            Edit
          </Button>
          <Button size="1" variant="soft" color="ruby" aria-label={`Remove: ${name}`} onClick={onRemove}>
            <Icon name="bin" size={14} />
            Remove
          </Button>
        </div>
      </div>
    </article>
  );
}

function GoesTo({ rule, accounts }: Pick<Props, "rule" | "accounts">) {
  const known = rule.accounts.flatMap((id) => accounts.find((account) => account.id === id) ?? []);
  const gone = rule.accounts.length - known.length;
  return (
    <ul className="recipients" aria-label="Goes to">
      {known.map((account) => (
        <li key={account.id}>
          <AccountName of={account} />
        </li>
      ))}
      {gone > 0 && (
        <li className="post-nobody">{gone === 1 ? "1 account that is gone" : `${gone} accounts that are gone`}</li>
      )}
    </ul>
  );
}

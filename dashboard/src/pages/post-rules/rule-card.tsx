// The card of a post rule: its event ids, text and accounts, and how many posts it made.
import type { Account, PostRule } from "@kit/contract";
import { Button, Switch } from "@radix-ui/themes";
import { useId } from "react";
import { t } from "../../language/language.ts";
import { Icon } from "../../ui/icon.tsx";
import { RelativeTime } from "../../ui/labels.tsx";
import { AccountName } from "../../ui/posts/post-fields.tsx";
import { postCountText } from "../../ui/posts/post-text.ts";
import { visibleLine, visibleText } from "../../ui/visible-text.ts";
import { postRuleSummary } from "./rule-text.ts";

type Props = {
  rule: PostRule;
  accounts: readonly Account[];
  nowMs: number;
  onEdit: () => void;
  onSwitch: (enabled: boolean) => void;
  onRemove: () => void;
};

export function PostRuleCard({ rule, accounts, nowMs, onEdit, onSwitch, onRemove }: Props) {
  const ids = { title: useId(), on: useId() };
  const name = visibleLine(rule.pattern, 80);
  return (
    <article className="card rule" data-rule={rule.id} data-off={!rule.enabled} aria-labelledby={ids.title}>
      <header className="cluster spread">
        <h2 id={ids.title}>
          <bdi className="code">{visibleLine(rule.pattern, 200)}</bdi>
        </h2>
        <label className="switch-label quiet" htmlFor={ids.on}>
          <Switch
            id={ids.on}
            size="1"
            checked={rule.enabled}
            aria-label={t("Makes posts: {{name}}", { name })}
            onCheckedChange={onSwitch}
          />
          {rule.enabled ? t("On") : t("Off")}
        </label>
      </header>
      <p className="post-text">{rule.text === "" ? <em>{t("No text")}</em> : <bdi>{visibleText(rule.text)}</bdi>}</p>
      <Accounts rule={rule} accounts={accounts} />
      <div className="cluster spread rule-foot">
        <Facts rule={rule} nowMs={nowMs} />
        <div className="cluster tight">
          <Button size="1" variant="soft" color="gray" aria-label={t("Edit: {{name}}", { name })} onClick={onEdit}>
            <Icon name="pencil" size={14} />
            {t("Edit")}
          </Button>
          <Button size="1" variant="soft" color="ruby" aria-label={t("Remove: {{name}}", { name })} onClick={onRemove}>
            <Icon name="bin" size={14} />
            {t("Remove")}
          </Button>
        </div>
      </div>
    </article>
  );
}

function Facts({ rule, nowMs }: Pick<Props, "rule" | "nowMs">) {
  return (
    <ul className="cluster small quiet rule-facts">
      {postRuleSummary(rule).map((says) => (
        <li key={says}>{says}</li>
      ))}
      <li>{postCountText(rule.posts)}</li>
      {rule.lastPostAt !== null && (
        <li>
          {t("Last post:")} <RelativeTime at={rule.lastPostAt} nowMs={nowMs} />
        </li>
      )}
      {rule.held > 0 && (
        <li>
          {t("{{count, number}} events held back", {
            count: rule.held,
            defaultValue_one: "{{count, number}} event held back",
          })}
        </li>
      )}
    </ul>
  );
}

function Accounts({ rule, accounts }: Pick<Props, "rule" | "accounts">) {
  const existing = rule.accounts.flatMap((id) => accounts.find((account) => account.id === id) ?? []);
  const removedCount = rule.accounts.length - existing.length;
  return (
    <ul className="cluster tight recipients" aria-label={t("Recipients")}>
      {existing.map((account) => (
        <li key={account.id}>
          <AccountName of={account} />
        </li>
      ))}
      {removedCount > 0 && (
        <li className="small quiet">
          {t("{{count, number}} removed accounts", {
            count: removedCount,
            defaultValue_one: "{{count, number}} removed account",
          })}
        </li>
      )}
    </ul>
  );
}

// One event id in the list: what it is called, what it makes, whether it is on, how long that is kept, how often it came.
import type { PostRule, Rule } from "@kit/contract";
import { Badge, Switch } from "@radix-ui/themes";
import type { KeyboardEvent } from "react";
import { t } from "../../language/language.ts";
import { postRulesAddress } from "../../ui/address.ts";
import { Icon } from "../../ui/icon.tsx";
import { formatNumber } from "../../ui/recorder/recorder-words.ts";
import { visibleLine } from "../../ui/visible-text.ts";
import { RowIcon } from "./event-icon.tsx";
import { type EventRow, postRulesOf, seenOf } from "./rule-rows.ts";
import { actionIcons, agoWord, kindWord, makesWord, priorityWord } from "./words.ts";

type Props = {
  row: EventRow;
  meant: string | undefined;
  postRules: readonly PostRule[];
  nowMs: number;
  open: boolean;
  /** Of the list only one row is a stop of the Tab key; the arrows go from one to the next. */
  tabStop: boolean;
  onOpen: () => void;
  onVisit: () => void;
  onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
  onTurn: (rule: Rule, enabled: boolean) => void;
};

export function RuleRow({ row, meant, postRules, nowMs, open, tabStop, ...on }: Props) {
  const name = visibleLine(row.words, 80);
  const tabIndex = tabStop ? 0 : -1;
  return (
    <article
      className="rule-row"
      data-open={open}
      data-off={row.rules.every(({ enabled }) => !enabled)}
      aria-label={name}
      onFocus={on.onVisit}
    >
      <button
        type="button"
        className="rule-open"
        aria-current={open}
        aria-label={t("{{name}}: edit", { name })}
        tabIndex={tabIndex}
        onClick={on.onOpen}
        onKeyDown={on.onKeyDown}
      >
        <span className="rule-icon">
          <RowIcon row={row} />
        </span>
        <bdi className="rule-words">{name}</bdi>
        <bdi className="event-id">{visibleLine(row.eventId, 200)}</bdi>
      </button>
      <Makes row={row} />
      <Posts row={row} postRules={postRules} tabIndex={tabIndex} />
      <Came row={row} nowMs={nowMs} />
      <div className="rule-switches">
        {row.rules.map((rule) => (
          <span key={rule.kind}>
            <span aria-hidden="true">{kindWord(rule.kind)}</span>
            <Switch
              size="1"
              tabIndex={tabIndex}
              checked={rule.enabled}
              aria-label={t("{{kind}}: {{name}} is taken", { kind: kindWord(rule.kind), name })}
              onCheckedChange={(enabled) => on.onTurn(rule, enabled)}
            />
          </span>
        ))}
      </div>
      {meant !== undefined && (
        <button type="button" className="rule-meant" tabIndex={tabIndex} onClick={on.onOpen}>
          <Icon name="question" size={14} />
          <bdi>{t("Did you mean {{name}}?", { name: visibleLine(meant, 200) })}</bdi>
        </button>
      )}
    </article>
  );
}

function Makes({ row: { recording, rules } }: { row: EventRow }) {
  if (recording === undefined) return <div className="rule-makes" />;
  const makes = recording.action !== "nothing" && rules.some(({ kind, enabled }) => kind === "recording" && enabled);
  return (
    <div className="rule-makes">
      <Badge color={makes ? "iris" : "gray"} variant={recording.changed ? "soft" : "outline"}>
        <Icon name={actionIcons[recording.action]} size={12} />
        {makesWord(recording)}
      </Badge>
      {recording.action !== "nothing" && (
        <span className="rule-priority" title={formatNumber(recording.priority)}>
          {priorityWord(recording.priority)}
        </span>
      )}
    </div>
  );
}

function Posts({ row, postRules, tabIndex }: Pick<Props, "row" | "postRules"> & { tabIndex: number }) {
  const isSocial = row.rules.some(({ kind }) => kind === "social");
  const count = isSocial ? postRulesOf(row, postRules).length : 0;
  return (
    <div className="rule-posts">
      {isSocial && (
        <a href={postRulesAddress(count > 0 ? undefined : row.eventId)} tabIndex={tabIndex}>
          {count > 0
            ? t("Posts: {{count, number}} rules", { count, defaultValue_one: "Posts: {{count, number}} rule" })
            : t("No rule for posts")}
        </a>
      )}
    </div>
  );
}

function Came({ row, nowMs }: Pick<Props, "row" | "nowMs">) {
  const { count, lastAt } = seenOf(row);
  if (lastAt === null) return <div className="rule-came">{t("Never came yet")}</div>;
  return (
    <div className="rule-came">
      <time dateTime={lastAt}>{agoWord(lastAt, nowMs)}</time>
      <span>{t("{{count, number}} times", { count, defaultValue_one: "once" })}</span>
    </div>
  );
}

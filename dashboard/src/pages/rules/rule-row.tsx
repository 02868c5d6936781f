// A row of the Rules page: an event id, what Kit makes of it, its post rules, its events and its switches.
import type { EventIdRule, PostRule } from "@kit/contract";
import { Badge, Switch } from "@radix-ui/themes";
import type { KeyboardEvent } from "react";
import { t } from "../../language/language.ts";
import { postRulesAddress } from "../../ui/address.ts";
import { formatNumber } from "../../ui/format.ts";
import { Icon } from "../../ui/icon.tsx";
import { visibleLine } from "../../ui/visible-text.ts";
import { RowIcon } from "./event-icon.tsx";
import { type EventIdRow, eventActivity, matchingPostRules } from "./rule-rows.ts";
import { eventKindText, priorityText, recordingActionIcons, recordingOutcomeText, timeAgo } from "./rule-text.ts";

type Props = {
  row: EventIdRow;
  suggestion: string | undefined;
  postRules: readonly PostRule[];
  nowMs: number;
  open: boolean;
  /** Only this row is in the tab order; the arrow keys move between rows. */
  tabStop: boolean;
  onOpen: () => void;
  onVisit: () => void;
  onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
  onSwitch: (rule: EventIdRule, enabled: boolean) => void;
};

export function RuleRow({ row, suggestion, postRules, nowMs, open, tabStop, ...handlers }: Props) {
  const name = visibleLine(row.words, 80);
  const tabIndex = tabStop ? 0 : -1;
  return (
    <article
      className="rule-row"
      data-open={open}
      data-off={row.rules.every(({ enabled }) => !enabled)}
      aria-label={name}
      onFocus={handlers.onVisit}
    >
      <button
        type="button"
        className="bare rule-open"
        aria-current={open}
        aria-label={t("Edit: {{name}}", { name })}
        tabIndex={tabIndex}
        onClick={handlers.onOpen}
        onKeyDown={handlers.onKeyDown}
      >
        <span className="rule-icon">
          <RowIcon row={row} />
        </span>
        <bdi className="rule-words ellipsis">{name}</bdi>
        <bdi className="code quiet ellipsis">{visibleLine(row.eventId, 200)}</bdi>
      </button>
      <Outcome row={row} />
      <PostRulesLink row={row} postRules={postRules} tabIndex={tabIndex} />
      <Activity row={row} nowMs={nowMs} />
      <div className="rule-switches small quiet">
        {row.rules.map((rule) => (
          <span key={rule.kind} className="with-icon">
            <span aria-hidden="true">{eventKindText(rule.kind)}</span>
            <Switch
              size="1"
              tabIndex={tabIndex}
              checked={rule.enabled}
              aria-label={t("{{kind}}: accept {{name}}", { kind: eventKindText(rule.kind), name })}
              onCheckedChange={(enabled) => handlers.onSwitch(rule, enabled)}
            />
          </span>
        ))}
      </div>
      {suggestion !== undefined && (
        <button type="button" className="bare rule-meant with-icon small" tabIndex={tabIndex} onClick={handlers.onOpen}>
          <Icon name="question" size={14} />
          <bdi>{t("Did you mean {{name}}?", { name: visibleLine(suggestion, 200) })}</bdi>
        </button>
      )}
    </article>
  );
}

function Outcome({ row: { recording, rules } }: { row: EventIdRow }) {
  if (recording === undefined) return <div className="rule-makes" />;
  const isActive = recording.action !== "nothing" && rules.some(({ kind, enabled }) => kind === "recording" && enabled);
  return (
    <div className="rule-makes">
      <Badge color={isActive ? "iris" : "gray"} variant={recording.changed ? "soft" : "outline"}>
        <Icon name={recordingActionIcons[recording.action]} size={12} />
        {recordingOutcomeText(recording)}
      </Badge>
      {recording.action !== "nothing" && (
        <span className="small quiet" title={formatNumber(recording.priority)}>
          {priorityText(recording.priority)}
        </span>
      )}
    </div>
  );
}

function PostRulesLink({ row, postRules, tabIndex }: Pick<Props, "row" | "postRules"> & { tabIndex: number }) {
  const isSocial = row.rules.some(({ kind }) => kind === "social");
  const count = isSocial ? matchingPostRules(row, postRules).length : 0;
  return (
    <div className="rule-posts small">
      {isSocial && (
        <a href={postRulesAddress(count > 0 ? undefined : row.eventId)} tabIndex={tabIndex}>
          {count > 0
            ? t("Posts: {{count, number}} rules", { count, defaultValue_one: "Posts: {{count, number}} rule" })
            : t("No post rule")}
        </a>
      )}
    </div>
  );
}

function Activity({ row, nowMs }: Pick<Props, "row" | "nowMs">) {
  const { count, lastAt } = eventActivity(row);
  if (lastAt === null) return <div className="rule-came small quiet">{t("Never received")}</div>;
  return (
    <div className="rule-came small quiet">
      <time dateTime={lastAt}>{timeAgo(lastAt, nowMs)}</time>
      <span>{t("{{count, number}} times", { count, defaultValue_one: "once" })}</span>
    </div>
  );
}

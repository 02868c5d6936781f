// The pane beside the list: everything that is set for one event id, and what it would have made.
import { eventIcons, eventLabelCharsMax, type PostRule } from "@kit/contract";
import { Button, IconButton, TextField } from "@radix-ui/themes";
import { type FormEvent, type ReactNode, useEffect, useId, useRef } from "react";
import { useRecorder } from "../../api/use-recorder.ts";
import { t } from "../../language/language.ts";
import { postRulesAddress } from "../../ui/address.ts";
import { Icon } from "../../ui/icon.tsx";
import { formatNumber } from "../../ui/recorder/recorder-words.ts";
import { visibleLine, visibleText } from "../../ui/visible-text.ts";
import { EventIcon, RowIcon } from "./event-icon.tsx";
import { ActionChoice, PriorityField, SecondsFields } from "./recording-fields.tsx";
import {
  type FormProblems,
  isChanged,
  type LabelChange,
  labelChangeOf,
  problemsOf,
  type RecordingChange,
  type RuleDraft,
  recordingChangeOf,
  recordingIn,
  withDraft,
} from "./rule-form.ts";
import { RulePreview } from "./rule-preview.tsx";
import { type EventRow, postRulesOf } from "./rule-rows.ts";
import { type Bar, windowShape } from "./shapes.ts";
import { iconWord } from "./words.ts";

// A rule's window as a picture: the seconds before and after a moment, and those in which another one still joins.

const percent = (value: number) => `${Math.round(value * 100) / 100}%`;

function Part({ name, bar: { from, to } }: { name: string; bar: Bar }) {
  return <rect className={`window-${name}`} x={percent(from)} width={percent(to - from)} y="8" height="14" rx="2" />;
}

/** The sentence below says what the picture shows. */
function WindowPicture({ rule }: { rule: Required<RecordingChange> }) {
  const { pre, post, gap, moment } = windowShape(rule);
  const { preSeconds, postSeconds, mergeGapSeconds, longestSeconds } = rule;
  return (
    <figure className="window-picture">
      <svg width="100%" height="30" aria-hidden="true" focusable="false">
        <Part name="gap" bar={gap} />
        <Part name="pre" bar={pre} />
        <Part name="post" bar={post} />
        <line className="window-moment" x1={percent(moment)} x2={percent(moment)} y1="2" y2="28" />
      </svg>
      <figcaption>
        <ul className="window-legend" aria-hidden="true">
          <li data-part="pre">{t("{{seconds}} s before", { seconds: formatNumber(preSeconds) })}</li>
          <li data-part="moment">{t("the moment")}</li>
          <li data-part="post">{t("{{seconds}} s after", { seconds: formatNumber(postSeconds) })}</li>
          <li data-part="gap">{t("{{seconds}} s to join", { seconds: formatNumber(mergeGapSeconds) })}</li>
        </ul>
        <p>
          {t(
            "One moment alone makes a clip of {{seconds}} s. Another within {{gap}} s after its end makes it longer, up to {{longest}} s.",
            {
              seconds: formatNumber(preSeconds + postSeconds),
              gap: formatNumber(mergeGapSeconds),
              longest: formatNumber(longestSeconds),
            },
          )}
        </p>
      </figcaption>
    </figure>
  );
}

type IconPickerProps = {
  value: string | null;
  kindIcon: "record" | "megaphone";
  onChange: (icon: string | null) => void;
};

/**
 * The choice of an event's picture: one group of radio buttons, so that arrows move and a screen reader names each.
 */
function IconPicker({ value, kindIcon, onChange }: IconPickerProps) {
  const name = useId();
  const isKnown = value === null || eventIcons.some((icon) => icon === value);
  return (
    <fieldset className="icon-picker">
      <legend>{t("Picture")}</legend>
      <div>
        <label title={t("That of its kind")}>
          <input
            type="radio"
            name={name}
            aria-label={t("That of its kind")}
            checked={value === null}
            onChange={() => onChange(null)}
          />
          <Icon name={kindIcon} size={18} />
        </label>
        {eventIcons.map((icon) => (
          <label key={icon} title={iconWord(icon)}>
            <input
              type="radio"
              name={name}
              aria-label={iconWord(icon)}
              checked={value === icon}
              onChange={() => onChange(icon)}
            />
            <EventIcon name={icon} size={18} />
          </label>
        ))}
      </div>
      {!isKnown && <p className="setting-hint">{visibleLine(value, 40)}</p>}
    </fieldset>
  );
}

type Props = {
  row: EventRow;
  draft: RuleDraft;
  postRules: readonly PostRule[];
  error: Error | undefined;
  /** What is said above the fields. */
  children: ReactNode;
  onDraft: (change: RuleDraft) => void;
  onKeep: (recording: RecordingChange, look: LabelChange) => void;
  onReset: () => void;
  onClose: () => void;
};

export function EventPanel({ row, draft, postRules, error, children, onDraft, onKeep, onReset, onClose }: Props) {
  const ids = { title: useId() };
  const bufferSeconds = useRecorder().data?.settings.bufferSeconds;
  const form = withDraft(row, draft);
  const problems = problemsOf(form, bufferSeconds);
  const isBroken = Object.keys(problems).length > 0;
  const differs = isChanged(row, draft);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isBroken || !differs) return;
    onKeep(recordingChangeOf(row, form), labelChangeOf(row, form));
  };
  return (
    <aside
      className="details rule-panel"
      aria-labelledby={ids.title}
      onKeyDown={(key) => key.key === "Escape" && onClose()}
    >
      <Head row={row} icon={form.icon ?? null} titleId={ids.title} onClose={onClose} />
      {children}
      <form onSubmit={submit}>
        <RecordingPart row={row} form={form} problems={problems} onChange={onDraft} onReset={onReset} />
        <LookFields row={row} form={form} onChange={onDraft} />
        <Foot error={error} differs={differs} isBroken={isBroken} onClose={onClose} />
      </form>
      <Posts row={row} postRules={postRules} />
    </aside>
  );
}

type HeadProps = { row: EventRow; icon: string | null; titleId: string; onClose: () => void };

function Head({ row, icon, titleId, onClose }: HeadProps) {
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  return (
    <>
      <IconButton
        className="details-close"
        variant="ghost"
        color="gray"
        aria-label={t("Close")}
        title={t("Close (Esc)")}
        onClick={onClose}
      >
        <Icon name="close" />
      </IconButton>
      <div className="rule-panel-head">
        <RowIcon row={{ ...row, icon }} size={22} />
        <h2 id={titleId} ref={title} tabIndex={-1}>
          <bdi>{visibleLine(row.words, 100)}</bdi>
        </h2>
        <bdi className="event-id">{visibleLine(row.eventId, 200)}</bdi>
      </div>
    </>
  );
}

type PartProps = {
  row: EventRow;
  form: RuleDraft;
  problems: FormProblems;
  onChange: Props["onDraft"];
  onReset: () => void;
};

function RecordingPart({ row, form, problems, onChange, onReset }: PartProps) {
  if (row.recording === undefined) return null;
  const isBroken = Object.keys(problems).length > 0;
  return (
    <section className="rule-part" aria-label={t("What it makes of the screen")}>
      <header>
        <h3>{t("What it makes of the screen")}</h3>
        {row.recording.changed && (
          <Button type="button" size="1" variant="ghost" color="gray" onClick={onReset}>
            <Icon name="undo" size={14} />
            {t("Back to the defaults")}
          </Button>
        )}
      </header>
      <ActionChoice form={form} onChange={onChange} />
      <Picture form={form} isBroken={isBroken} />
      {form.action === "clip" && <SecondsFields form={form} problems={problems} onChange={onChange} />}
      <RulePreview eventId={row.eventId} rule={isBroken ? undefined : recordingIn(form)} />
      {form.action !== "nothing" && (
        <PriorityField value={form.priority ?? 0} onChange={(priority) => onChange({ priority })} />
      )}
    </section>
  );
}

type FootProps = { error: Error | undefined; differs: boolean; isBroken: boolean; onClose: () => void };

function Foot({ error, differs, isBroken, onClose }: FootProps) {
  return (
    <>
      {error && (
        <p className="details-warning" role="alert">
          {t("Not kept: {{why}}", { why: visibleText(error.message) })}
        </p>
      )}
      <div className="rule-panel-end" data-differs={differs}>
        <Button type="submit" disabled={!differs || isBroken}>
          {t("Keep")}
        </Button>
        <Button type="button" variant="soft" color="gray" onClick={onClose}>
          {differs ? t("Cancel") : t("Close")}
        </Button>
      </div>
    </>
  );
}

function LookFields({ row, form, onChange }: { row: EventRow; form: RuleDraft; onChange: Props["onDraft"] }) {
  const ids = { label: useId(), hint: useId() };
  const isSocial = row.rules[0]?.kind === "social";
  return (
    <section className="rule-part" aria-label={t("How it is shown")}>
      <header>
        <h3>{t("How it is shown")}</h3>
      </header>
      <div className="label-field">
        <label htmlFor={ids.label}>{t("Label")}</label>
        <TextField.Root
          id={ids.label}
          aria-describedby={ids.hint}
          maxLength={eventLabelCharsMax}
          autoComplete="off"
          placeholder={visibleLine(row.label === null ? row.words : "", eventLabelCharsMax)}
          value={form.label ?? ""}
          onChange={({ target }) => onChange({ label: target.value })}
        />
        <p id={ids.hint} className="setting-hint">
          {t("In titles, chapters and posts from now on. Empty: made of the event id.")}
        </p>
      </div>
      <IconPicker
        value={form.icon ?? null}
        kindIcon={isSocial ? "megaphone" : "record"}
        onChange={(icon) => onChange({ icon })}
      />
    </section>
  );
}

function Picture({ form, isBroken }: { form: RuleDraft; isBroken: boolean }) {
  const rule = recordingIn(form);
  if (form.action !== "clip" || rule === undefined || isBroken) return null;
  return <WindowPicture rule={rule} />;
}

function Posts({ row, postRules }: { row: EventRow; postRules: readonly PostRule[] }) {
  if (!row.rules.some(({ kind }) => kind === "social")) return null;
  const fitting = postRulesOf(row, postRules);
  return (
    <section className="rule-part" aria-label={t("Posts")}>
      <header>
        <h3>{t("Posts")}</h3>
      </header>
      {fitting.length > 0 && (
        <ul className="fitting-rules" aria-label={t("Rules for posts, the first that is on is used")}>
          {fitting.map((rule) => (
            <li key={rule.id}>
              <a href={postRulesAddress()}>
                <bdi>{visibleLine(rule.pattern, 200)}</bdi>
              </a>
              {!rule.enabled && <span className="setting-hint"> {t("switched off")}</span>}
            </li>
          ))}
        </ul>
      )}
      {row.postText !== null && (
        <p className="setting-hint">{t("Its developer proposes: {{text}}", { text: visibleText(row.postText) })}</p>
      )}
      <p>
        <a href={postRulesAddress(row.eventId)}>{t("Write a rule for its posts")}</a>
      </p>
    </section>
  );
}

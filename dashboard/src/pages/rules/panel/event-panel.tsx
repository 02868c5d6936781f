// The panel of one event id: its recording rule, label, icon and preview.
import { eventIcons, eventLabelCharsMax, type PostRule } from "@kit/contract";
import { Button, IconButton, TextField } from "@radix-ui/themes";
import { type FormEvent, type ReactNode, useEffect, useId, useRef } from "react";
import { useRecorder } from "../../../api/use-recorder.ts";
import { t } from "../../../language/language.ts";
import { postRulesAddress } from "../../../ui/address.ts";
import { ErrorText } from "../../../ui/error-text.tsx";
import { formatNumber } from "../../../ui/format.ts";
import { Icon } from "../../../ui/icon.tsx";
import { visibleLine, visibleText } from "../../../ui/visible-text.ts";
import { EventIcon, RowIcon } from "../event-icon.tsx";
import { type EventIdRow, matchingPostRules } from "../rule-rows.ts";
import { eventIconLabel } from "../rule-text.ts";
import { ActionChoice, PriorityField, SecondsFields } from "./recording-fields.tsx";
import {
  applyRuleDraft,
  type FormProblems,
  hasUnsavedChanges,
  type LabelChange,
  labelChanges,
  type RecordingChange,
  type RuleDraft,
  recordingChanges,
  recordingSettings,
  ruleFormProblems,
} from "./rule-form.ts";
import { RulePreview } from "./rule-preview.tsx";
import { clipShape, type PercentRange } from "./rule-shapes.ts";

const percent = (value: number) => `${Math.round(value * 100) / 100}%`;

function ShapePart({ name, bar: { from, to } }: { name: string; bar: PercentRange }) {
  return <rect className={`window-${name}`} x={percent(from)} width={percent(to - from)} y="8" height="14" rx="2" />;
}

function LegendItem({ part, says }: { part: string; says: string }) {
  return (
    <li className="with-icon">
      <svg className="icon" width="10" height="10" aria-hidden="true">
        {part === "moment" ? (
          <line className="window-moment" x1="5" x2="5" y1="0" y2="10" />
        ) : (
          <rect className={`window-${part}`} width="10" height="10" rx="2" />
        )}
      </svg>
      {says}
    </li>
  );
}

/** Draws pre-roll, moment, post-roll and merge gap. Hidden from screen readers: the sentence below says the same. */
function ClipDrawing({ rule }: { rule: Required<RecordingChange> }) {
  const { pre, post, gap, moment } = clipShape(rule);
  const { preSeconds, postSeconds, mergeGapSeconds, longestSeconds } = rule;
  return (
    <figure className="card">
      <svg width="100%" height="30" aria-hidden="true" focusable="false">
        <ShapePart name="gap" bar={gap} />
        <ShapePart name="pre" bar={pre} />
        <ShapePart name="post" bar={post} />
        <line className="window-moment" x1={percent(moment)} x2={percent(moment)} y1="2" y2="28" />
      </svg>
      <figcaption>
        <ul className="cluster small quiet" aria-hidden="true">
          <LegendItem part="pre" says={t("{{seconds}} s before", { seconds: formatNumber(preSeconds) })} />
          <LegendItem part="moment" says={t("the moment")} />
          <LegendItem part="post" says={t("{{seconds}} s after", { seconds: formatNumber(postSeconds) })} />
          <LegendItem part="gap" says={t("{{seconds}} s merge gap", { seconds: formatNumber(mergeGapSeconds) })} />
        </ul>
        <p className="small quiet">
          {t(
            "A single moment makes a clip of {{seconds}} s. Another moment within {{gap}} s after its end extends the clip, up to {{longest}} s.",
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
 * Lets a person choose an event's icon. With radio buttons, the arrow keys move between icons and screen readers name
 * each.
 */
function IconPicker({ value, kindIcon, onChange }: IconPickerProps) {
  const name = useId();
  const isKnown = value === null || eventIcons.some((icon) => icon === value);
  return (
    <fieldset className="stack tight icon-picker">
      <legend>{t("Icon")}</legend>
      <div className="cluster tight">
        <label className="choice" title={t("Default icon")}>
          <input
            type="radio"
            name={name}
            aria-label={t("Default icon")}
            checked={value === null}
            onChange={() => onChange(null)}
          />
          <Icon name={kindIcon} size={18} />
        </label>
        {eventIcons.map((icon) => (
          <label key={icon} className="choice" title={eventIconLabel(icon)}>
            <input
              type="radio"
              name={name}
              aria-label={eventIconLabel(icon)}
              checked={value === icon}
              onChange={() => onChange(icon)}
            />
            <EventIcon name={icon} size={18} />
          </label>
        ))}
      </div>
      {!isKnown && <p className="setting-hint small quiet">{visibleLine(value, 40)}</p>}
    </fieldset>
  );
}

type Props = {
  row: EventIdRow;
  draft: RuleDraft;
  postRules: readonly PostRule[];
  error: Error | undefined;
  /** Shown above the form, e.g. a hint about a typing mistake. */
  children: ReactNode;
  onDraft: (change: RuleDraft) => void;
  onSave: (recording: RecordingChange, labels: LabelChange) => void;
  onReset: () => void;
  onClose: () => void;
};

export function EventPanel({ row, draft, postRules, error, children, onDraft, onSave, onReset, onClose }: Props) {
  const ids = { title: useId() };
  const bufferSeconds = useRecorder().data?.settings.bufferSeconds;
  const form = applyRuleDraft(row, draft);
  const problems = ruleFormProblems(form, bufferSeconds);
  const isInvalid = Object.keys(problems).length > 0;
  const isDirty = hasUnsavedChanges(row, draft);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isInvalid || !isDirty) return;
    onSave(recordingChanges(row, form), labelChanges(row, form));
  };
  return (
    <aside
      className="details scroll rule-panel"
      aria-labelledby={ids.title}
      onKeyDown={(key) => key.key === "Escape" && onClose()}
    >
      <Head row={row} icon={form.icon ?? null} titleId={ids.title} onClose={onClose} />
      {children}
      <form className="stack" onSubmit={submit}>
        <RecordingSection row={row} form={form} problems={problems} onChange={onDraft} onReset={onReset} />
        <LabelFields row={row} form={form} onChange={onDraft} />
        <FormEnd error={error} isDirty={isDirty} isInvalid={isInvalid} onClose={onClose} />
      </form>
      <PostRules row={row} postRules={postRules} />
    </aside>
  );
}

type HeadProps = { row: EventIdRow; icon: string | null; titleId: string; onClose: () => void };

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
        <bdi className="code quiet">{visibleLine(row.eventId, 200)}</bdi>
      </div>
    </>
  );
}

type RecordingSectionProps = {
  row: EventIdRow;
  form: RuleDraft;
  problems: FormProblems;
  onChange: Props["onDraft"];
  onReset: () => void;
};

function RecordingSection({ row, form, problems, onChange, onReset }: RecordingSectionProps) {
  if (row.recording === undefined) return null;
  const isInvalid = Object.keys(problems).length > 0;
  return (
    <section className="stack" aria-label={t("Recording rule")}>
      <header className="spread">
        <h3>{t("Recording rule")}</h3>
        {row.recording.changed && (
          <Button type="button" size="1" variant="ghost" color="gray" onClick={onReset}>
            <Icon name="undo" size={14} />
            {t("Reset to defaults")}
          </Button>
        )}
      </header>
      <ActionChoice form={form} onChange={onChange} />
      <ClipPreview form={form} isInvalid={isInvalid} />
      {form.action === "clip" && <SecondsFields form={form} problems={problems} onChange={onChange} />}
      <RulePreview eventId={row.eventId} rule={isInvalid ? undefined : recordingSettings(form)} />
      {form.action !== "nothing" && (
        <PriorityField value={form.priority ?? 0} onChange={(priority) => onChange({ priority })} />
      )}
    </section>
  );
}

type FormEndProps = { error: Error | undefined; isDirty: boolean; isInvalid: boolean; onClose: () => void };

function FormEnd({ error, isDirty, isInvalid, onClose }: FormEndProps) {
  return (
    <>
      <ErrorText error={error && t("Not saved: {{why}}", { why: error.message })} />
      <div className="cluster tight rule-panel-end" data-differs={isDirty}>
        <Button type="submit" disabled={!isDirty || isInvalid}>
          {t("Save")}
        </Button>
        <Button type="button" variant="soft" color="gray" onClick={onClose}>
          {isDirty ? t("Cancel") : t("Close")}
        </Button>
      </div>
    </>
  );
}

function LabelFields({ row, form, onChange }: { row: EventIdRow; form: RuleDraft; onChange: Props["onDraft"] }) {
  const ids = { label: useId(), hint: useId() };
  const isSocial = row.rules[0]?.kind === "social";
  return (
    <section className="stack" aria-label={t("Label and icon")}>
      <header className="spread">
        <h3>{t("Label and icon")}</h3>
      </header>
      <div className="stack tight">
        <label className="form-label" htmlFor={ids.label}>
          {t("Label")}
        </label>
        <TextField.Root
          id={ids.label}
          aria-describedby={ids.hint}
          maxLength={eventLabelCharsMax}
          autoComplete="off"
          placeholder={visibleLine(row.label === null ? row.words : "", eventLabelCharsMax)}
          value={form.label ?? ""}
          onChange={({ target }) => onChange({ label: target.value })}
        />
        <p id={ids.hint} className="setting-hint small quiet">
          {t("Used in titles, chapters and posts from now on. If empty, Kit uses the words of the event id.")}
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

function ClipPreview({ form, isInvalid }: { form: RuleDraft; isInvalid: boolean }) {
  const rule = recordingSettings(form);
  if (form.action !== "clip" || rule === undefined || isInvalid) return null;
  return <ClipDrawing rule={rule} />;
}

function PostRules({ row, postRules }: { row: EventIdRow; postRules: readonly PostRule[] }) {
  if (!row.rules.some(({ kind }) => kind === "social")) return null;
  const fitting = matchingPostRules(row, postRules);
  return (
    <section className="stack" aria-label={t("Posts")}>
      <header className="spread">
        <h3>{t("Posts")}</h3>
      </header>
      {fitting.length > 0 && (
        <ul aria-label={t("Post rules: Kit uses the first enabled one")}>
          {fitting.map((rule) => (
            <li key={rule.id}>
              <a href={postRulesAddress()}>
                <bdi>{visibleLine(rule.pattern, 200)}</bdi>
              </a>
              {!rule.enabled && <span className="setting-hint small quiet"> {t("switched off")}</span>}
            </li>
          ))}
        </ul>
      )}
      {row.postText !== null && (
        <p className="setting-hint small quiet">
          {t("The developer suggests: {{text}}", { text: visibleText(row.postText) })}
        </p>
      )}
      <p>
        <a href={postRulesAddress(row.eventId)}>{t("Write a post rule")}</a>
      </p>
    </section>
  );
}

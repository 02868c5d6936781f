// The form of an event id's rule: its values, what is wrong with them, and the changes to send.
import { type RecordingAction, RecordingRule } from "@kit/contract";
import { t } from "../../../language/language.ts";
import { formatNumber } from "../../../ui/format.ts";
import { clearNumber, writeNumber } from "../../../ui/numbers.ts";
import type { EventIdRow } from "../rule-rows.ts";

export const secondsMembers = [
  "preSeconds",
  "postSeconds",
  "mergeGapSeconds",
  "longestSeconds",
  "cooldownSeconds",
] as const;
export type SecondsMember = (typeof secondsMembers)[number];

export type RuleForm = Record<SecondsMember, string> & {
  readonly action: RecordingAction;
  readonly priority: number;
  /** If empty, Kit shows the words of the event id instead. */
  readonly label: string;
  readonly icon: string | null;
};

/** The changes that a person has not saved yet. */
export type RuleDraft = Partial<RuleForm>;

export type RecordingChange = Partial<Omit<RecordingRule, "eventId" | "changed">>;
export type LabelChange = { label?: string | null; icon?: string | null };

/** Returns the saved values in the form of the fields. */
function savedForm({ label, icon, recording }: EventIdRow): Partial<RuleForm> & Pick<RuleForm, "label" | "icon"> {
  const labels = { label: label ?? "", icon };
  if (recording === undefined) return labels;
  const seconds = Object.fromEntries(secondsMembers.map((member) => [member, writeNumber(recording[member])]));
  return {
    ...labels,
    ...(seconds as Record<SecondsMember, string>),
    action: recording.action,
    priority: recording.priority,
  };
}

const secondsBounds = (member: SecondsMember) =>
  RecordingRule.properties[member] as { minimum?: number; maximum?: number };

export type FormProblems = { readonly [Member in SecondsMember]?: string };

/** Parses the numbers of the form; each invalid one is undefined. */
function parseSeconds(form: RuleDraft): { readonly [Member in SecondsMember]?: number | undefined } {
  return Object.fromEntries(secondsMembers.map((member) => [member, clearNumber(form[member] ?? "")]));
}

function secondsProblem(member: SecondsMember, value: number | undefined): string | undefined {
  if (value === undefined) return t("Enter a number.");
  const { minimum = 0, maximum = Number.POSITIVE_INFINITY } = secondsBounds(member);
  if (value >= minimum && value <= maximum) return undefined;
  return t("{{from}} to {{to}} seconds.", { from: formatNumber(minimum), to: formatNumber(maximum) });
}

/** Returns what is wrong with each invalid field. The launcher would report the same. */
export function ruleFormProblems(form: RuleDraft, bufferSeconds: number | undefined): FormProblems {
  if (form.action === undefined) return {};
  const values = parseSeconds(form);
  const found = secondsMembers.flatMap((member) => {
    const says = secondsProblem(member, values[member]);
    return says === undefined ? [] : [[member, says] as const];
  });
  if (found.length > 0) return Object.fromEntries(found);
  const { preSeconds = 0, postSeconds = 0, longestSeconds = 0 } = values;
  const asked = preSeconds + postSeconds;
  if (asked < 1) return { preSeconds: t("The seconds before and after must add up to at least 1.") };
  if (asked > longestSeconds)
    return {
      longestSeconds: t("Must be at least {{asked}} seconds, the time before and after the moment.", {
        asked: formatNumber(asked),
      }),
    };
  if (bufferSeconds !== undefined && preSeconds > bufferSeconds)
    return {
      preSeconds: t("The replay buffer holds only {{held}} seconds.", { held: formatNumber(bufferSeconds) }),
    };
  return {};
}

/** Returns all recording settings, or undefined if a number is invalid. */
export function recordingSettings(form: RuleDraft): Required<RecordingChange> | undefined {
  const { action, priority } = form;
  const values = parseSeconds(form);
  if (action === undefined || priority === undefined) return undefined;
  if (secondsMembers.some((member) => values[member] === undefined)) return undefined;
  return { ...(values as Record<SecondsMember, number>), action, priority };
}

/** Returns only the changed recording settings, so that saving does not overwrite changes made elsewhere. */
export function recordingChanges(row: EventIdRow, form: RuleDraft): RecordingChange {
  const now = recordingSettings(form);
  const saved = row.recording;
  if (now === undefined || saved === undefined) return {};
  const members = Object.keys(now) as (keyof RecordingChange)[];
  return Object.fromEntries(members.filter((name) => now[name] !== saved[name]).map((name) => [name, now[name]]));
}

export function labelChanges(row: EventIdRow, form: RuleDraft): LabelChange {
  const label = form.label?.trim() || null;
  const icon = form.icon ?? null;
  return { ...(label !== row.label && { label }), ...(icon !== row.icon && { icon }) };
}

/** Returns the saved values, overwritten by the unsaved changes. */
export const applyRuleDraft = (row: EventIdRow, draft: RuleDraft): RuleDraft => ({ ...savedForm(row), ...draft });

/** Whether closing the form would lose unsaved changes. */
export function hasUnsavedChanges(row: EventIdRow, draft: RuleDraft): boolean {
  const saved: RuleDraft = savedForm(row);
  return Object.entries(draft).some(([name, value]) => saved[name as keyof RuleForm] !== value);
}

// An event id's rule as it is being written: what was typed, what is wrong with it, and what is to be sent. Pure.
import { type RecordingAction, RecordingRule } from "@kit/contract";
import { t } from "../../language/language.ts";
import { numberIn } from "../../ui/number-in.ts";
import type { EventRow } from "./rule-rows.ts";
import { numberWord } from "./words.ts";

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
  /** Empty: made of the id. */
  readonly label: string;
  readonly icon: string | null;
};

/** What a person changed and did not keep yet. */
export type RuleDraft = Partial<RuleForm>;

export type RecordingChange = Partial<Omit<RecordingRule, "eventId" | "changed">>;
export type LabelChange = { label?: string | null; icon?: string | null };

/** As it is kept, in the words of its fields. */
function formOf({ label, icon, recording }: EventRow): Partial<RuleForm> & Pick<RuleForm, "label" | "icon"> {
  const look = { label: label ?? "", icon };
  if (recording === undefined) return look;
  const seconds = Object.fromEntries(secondsMembers.map((member) => [member, numberWord(recording[member])]));
  return {
    ...look,
    ...(seconds as Record<SecondsMember, string>),
    action: recording.action,
    priority: recording.priority,
  };
}

const boundsOf = (member: SecondsMember) => RecordingRule.properties[member] as { minimum?: number; maximum?: number };

export type FormProblems = { readonly [Member in SecondsMember]?: string };

/** The numbers of a form; undefined for what is none. */
function numbersIn(form: RuleDraft): { readonly [Member in SecondsMember]?: number | undefined } {
  return Object.fromEntries(secondsMembers.map((member) => [member, numberIn(form[member] ?? "")]));
}

function problemOf(member: SecondsMember, value: number | undefined): string | undefined {
  if (value === undefined) return t("A number is needed.");
  const { minimum = 0, maximum = Number.POSITIVE_INFINITY } = boundsOf(member);
  if (value >= minimum && value <= maximum) return undefined;
  return t("{{from}} to {{to}} seconds.", { from: numberWord(minimum), to: numberWord(maximum) });
}

/** Why a form cannot be kept, field by field: what the launcher would say, said while it is typed. */
export function problemsOf(form: RuleDraft, bufferSeconds: number | undefined): FormProblems {
  if (form.action === undefined) return {};
  const values = numbersIn(form);
  const found = secondsMembers.flatMap((member) => {
    const says = problemOf(member, values[member]);
    return says === undefined ? [] : [[member, says] as const];
  });
  if (found.length > 0) return Object.fromEntries(found);
  const { preSeconds = 0, postSeconds = 0, longestSeconds = 0 } = values;
  const asked = preSeconds + postSeconds;
  if (asked < 1) return { preSeconds: t("Before and after together must be at least 1 second.") };
  if (asked > longestSeconds)
    return { longestSeconds: t("One moment alone asks for {{asked}} seconds.", { asked: numberWord(asked) }) };
  if (bufferSeconds !== undefined && preSeconds > bufferSeconds)
    return { preSeconds: t("The recorder keeps {{held}} seconds.", { held: numberWord(bufferSeconds) }) };
  return {};
}

/** What is to be recorded, in full; undefined while a number is missing. */
export function recordingIn(form: RuleDraft): Required<RecordingChange> | undefined {
  const { action, priority } = form;
  const values = numbersIn(form);
  if (action === undefined || priority === undefined) return undefined;
  if (secondsMembers.some((member) => values[member] === undefined)) return undefined;
  return { ...(values as Record<SecondsMember, number>), action, priority };
}

/** What of it differs from what is kept, so that a change made elsewhere meanwhile stays. */
export function recordingChangeOf(row: EventRow, form: RuleDraft): RecordingChange {
  const now = recordingIn(form);
  const kept = row.recording;
  if (now === undefined || kept === undefined) return {};
  const members = Object.keys(now) as (keyof RecordingChange)[];
  return Object.fromEntries(members.filter((name) => now[name] !== kept[name]).map((name) => [name, now[name]]));
}

export function labelChangeOf(row: EventRow, form: RuleDraft): LabelChange {
  const label = form.label?.trim() || null;
  const icon = form.icon ?? null;
  return { ...(label !== row.label && { label }), ...(icon !== row.icon && { icon }) };
}

/** The form with what a person changed of it. */
export const withDraft = (row: EventRow, draft: RuleDraft): RuleDraft => ({ ...formOf(row), ...draft });

/** Whether closing would lose something. */
export function isChanged(row: EventRow, draft: RuleDraft): boolean {
  const kept: RuleDraft = formOf(row);
  return Object.entries(draft).some(([name, value]) => kept[name as keyof RuleForm] !== value);
}

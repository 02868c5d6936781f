// What is known of an event id, as a file says it, as the launcher keeps it, and in the words of a list of changes. Pure.
import {
  type EventIcon,
  type EventInFile,
  type EventsFileChange,
  type RecordingRule,
  recordingRuleDefaults,
} from "@kit/contract";
import type { LabelOverride } from "../labels/label-store.ts";

export type RuleMembers = Omit<RecordingRule, "eventId" | "changed">;

export type Known = LabelOverride & {
  /** Null: as every event id that nobody changed. */
  readonly recording: RuleMembers | null;
};

const nothingKnown: Known = { label: null, icon: null, postText: null, recording: null };

const memberNames = Object.keys(recordingRuleDefaults) as (keyof RuleMembers)[];
/** As exact as what is kept. */
const exact = <T>(value: T) => (typeof value === "number" ? Math.round(value * 1_000) / 1_000 : value);

/** The default is no rule: nobody can tell the two apart. */
export function membersOf(rule: Partial<RuleMembers> | null): RuleMembers | null {
  if (rule === null) return null;
  const values = memberNames.map((name) => [name, exact(rule[name] ?? recordingRuleDefaults[name])]);
  const isDefault = values.every(([name, value]) => value === recordingRuleDefaults[name as keyof RuleMembers]);
  return isDefault ? null : (Object.fromEntries(values) as RuleMembers);
}

/** What an event id would be after a file: with `replace` what the file leaves out is the default. */
export function after(now: Known, file: EventInFile, replace: boolean): Known {
  const base = replace ? nothingKnown : now;
  return {
    label: file.label === undefined ? base.label : file.label.trim(),
    icon: file.icon ?? base.icon,
    postText: file.post === undefined ? base.postText : file.post.text,
    recording: file.recording === undefined ? base.recording : membersOf({ ...base.recording, ...file.recording }),
  };
}

export const inFile = ({ label, icon, postText, recording }: Known): EventInFile => ({
  ...(label === null ? {} : { label }),
  ...(icon === null ? {} : { icon: icon as EventIcon }),
  ...(recording === null ? {} : { recording }),
  ...(postText === null ? {} : { post: { text: postText } }),
});

export const isNothing = (known: Known): boolean => Object.keys(inFile(known)).length === 0;

const inWords = (name: keyof RuleMembers, { [name]: value }: RuleMembers) =>
  name.endsWith("Seconds") ? `${value} s` : String(value);

export function changesOf(eventId: string, from: Known, to: Known): EventsFileChange[] {
  const was = from.recording ?? recordingRuleDefaults;
  const is = to.recording ?? recordingRuleDefaults;
  const rows: (readonly [what: string, from: string, to: string])[] = [
    ["label", from.label ?? "", to.label ?? ""],
    ["icon", from.icon ?? "", to.icon ?? ""],
    ...memberNames.map((name) => [`recording.${name}`, inWords(name, was), inWords(name, is)] as const),
    ["post.text", from.postText ?? "", to.postText ?? ""],
  ];
  return rows
    .filter(([, before, then]) => before !== then)
    .map(([what, before, then]) => ({ eventId, what, from: before, to: then }));
}

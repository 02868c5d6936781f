// Converts the settings of an event id between kit.events.json, the launcher's form, and a list of changes. Pure.
import {
  type EventIcon,
  type EventInFile,
  type EventsFileChange,
  type RecordingRule,
  recordingRuleDefaults,
} from "@kit/contract";
import type { LabelOverride } from "../labels/label-store.ts";

export type RecordingRuleMembers = Omit<RecordingRule, "eventId" | "changed">;

export type EventIdSettings = LabelOverride & {
  /** The recording rule; null for the default rule. */
  readonly recording: RecordingRuleMembers | null;
};

const defaultSettings: EventIdSettings = { label: null, icon: null, postText: null, recording: null };

const memberNames = Object.keys(recordingRuleDefaults) as (keyof RecordingRuleMembers)[];
/** Rounds seconds to milliseconds, as the database stores them. */
const round = <T>(value: T) => (typeof value === "number" ? Math.round(value * 1_000) / 1_000 : value);

/** Fills in missing members. Returns null if the result is the default rule. */
export function normalizeRule(rule: Partial<RecordingRuleMembers> | null): RecordingRuleMembers | null {
  if (rule === null) return null;
  const values = memberNames.map((name) => [name, round(rule[name] ?? recordingRuleDefaults[name])]);
  const isDefault = values.every(
    ([name, value]) => value === recordingRuleDefaults[name as keyof RecordingRuleMembers],
  );
  return isDefault ? null : (Object.fromEntries(values) as RecordingRuleMembers);
}

/** Returns the settings after an import. A setting that the file leaves out stays, or with `replace` becomes the default. */
export function applyFileEntry(now: EventIdSettings, file: EventInFile, replace: boolean): EventIdSettings {
  const base = replace ? defaultSettings : now;
  return {
    label: file.label === undefined ? base.label : file.label.trim(),
    icon: file.icon ?? base.icon,
    postText: file.post === undefined ? base.postText : file.post.text,
    recording: file.recording === undefined ? base.recording : normalizeRule({ ...base.recording, ...file.recording }),
  };
}

export const toFileEntry = ({ label, icon, postText, recording }: EventIdSettings): EventInFile => ({
  ...(label === null ? {} : { label }),
  ...(icon === null ? {} : { icon: icon as EventIcon }),
  ...(recording === null ? {} : { recording }),
  ...(postText === null ? {} : { post: { text: postText } }),
});

export const hasNoSettings = (known: EventIdSettings): boolean => Object.keys(toFileEntry(known)).length === 0;

const describeValue = (name: keyof RecordingRuleMembers, { [name]: value }: RecordingRuleMembers) =>
  name.endsWith("Seconds") ? `${value} s` : String(value);

export function listSettingChanges(eventId: string, from: EventIdSettings, to: EventIdSettings): EventsFileChange[] {
  const was = from.recording ?? recordingRuleDefaults;
  const is = to.recording ?? recordingRuleDefaults;
  const rows: (readonly [what: string, from: string, to: string])[] = [
    ["label", from.label ?? "", to.label ?? ""],
    ["icon", from.icon ?? "", to.icon ?? ""],
    ...memberNames.map((name) => [`recording.${name}`, describeValue(name, was), describeValue(name, is)] as const),
    ["post.text", from.postText ?? "", to.postText ?? ""],
  ];
  return rows
    .filter(([, before, then]) => before !== then)
    .map(([what, before, then]) => ({ eventId, what, from: before, to: then }));
}

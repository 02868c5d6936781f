// Recording rules: the default rule, and the rules that a person changed.

import {
  type FieldError,
  fieldError,
  fieldName,
  KitError,
  messageFromProblem,
  type RecordingRule,
  recordingRuleDefaults,
} from "@kit/contract";
import { message } from "@kit/contract/messages";
import { createSerialQueue, type Serialize } from "../../async.ts";
import type { Statement } from "../../storage/sql.ts";
import { deleteRecordingRule, saveRecordingRule } from "./rule-store.ts";

/** Maximum number of changed rules: far more than a person sets by hand. */
const changedMax = 10_000;
/** Minimum of pre-roll and post-roll together. */
const shortestSeconds = 1;

export type RecordingRuleChange = {
  readonly [Name in keyof Omit<RecordingRule, "eventId" | "changed">]?: RecordingRule[Name] | undefined;
};

export type RecordingRules = {
  /** Loads the changed rules. Nothing is recorded before, because a rule may say `nothing`. */
  load(): Promise<void>;
  ruleOf(eventId: string): RecordingRule;
  /** Returns the rules of all event ids that games sent or a person changed. */
  list(): RecordingRule[];
  /** If members contradict each other, rejects with KitError payload_invalid, which names the member. */
  change(eventId: string, change: RecordingRuleChange): Promise<RecordingRule>;
  reset(eventId: string): Promise<void>;
  /** Returns what the rule would be after a change. Throws as `change` rejects. */
  previewChange(eventId: string, change: RecordingRuleChange): RecordingRule;
  /** Returns the event ids with a changed rule. */
  changedIds(): readonly string[];
  /** Returns the problems of a rule, one per invalid member. */
  problemsOf(rule: RecordingRule): readonly FieldError[];
  /** Runs changes one after another. Call `plan` inside such a change, and end the change only after the plan is committed. */
  readonly serialize: Serialize;
  /** Plans these rules (null for the default), for a caller that commits them together with other changes. */
  plan(rules: ReadonlyMap<string, RecordingRule | null>): {
    readonly statements: readonly Statement[];
    readonly committed: () => void;
  };
  /** Returns the longest pre-roll of any rule. */
  maxPreSeconds(): number;
};

export type RecordingRulesDeps = {
  readonly load: () => Promise<readonly RecordingRule[]>;
  readonly write: (...statements: Statement[]) => Promise<void>;
  /** Returns the event ids of all triggers so far. */
  readonly knownIds: () => readonly string[];
  /** Returns the length of the replay buffer in the settings. */
  readonly bufferSeconds: () => number;
  readonly onChanged: () => void;
};

const defaultRule = (eventId: string): RecordingRule => ({ ...recordingRuleDefaults, eventId, changed: false });

function problemsOf({ preSeconds, postSeconds, longestSeconds }: RecordingRule, bufferSeconds: number): FieldError[] {
  const asked = preSeconds + postSeconds;
  const problems: FieldError[] = [];
  if (asked < shortestSeconds) {
    problems.push(fieldError("/preSeconds", message("rule.too_short", { seconds: shortestSeconds })));
  }
  if (asked > longestSeconds) {
    problems.push(fieldError("/longestSeconds", message("rule.too_long", { seconds: longestSeconds, asked })));
  }
  if (preSeconds > bufferSeconds) {
    const problem = message("rule.exceeds_replay_buffer", { seconds: preSeconds, held: bufferSeconds });
    problems.push(fieldError("/preSeconds", problem));
  }
  return problems;
}

function assertSensible(problems: readonly FieldError[]): void {
  const [first] = problems;
  if (first === undefined) return;
  const detail = message("field.invalid", {
    field: fieldName(first.path),
    problem: messageFromProblem(first.message, first),
  });
  throw new KitError("payload_invalid", detail, problems);
}

const tooMany = () => new KitError("payload_invalid", message("rule.too_many", { limit: changedMax }));
/** Rounds seconds to milliseconds, as the database stores them. */
const roundToMs = (value: RecordingRule[keyof RecordingRule]) =>
  typeof value === "number" ? Math.round(value * 1_000) / 1_000 : value;
const definedMembers = (change: RecordingRuleChange): Partial<RecordingRule> =>
  Object.fromEntries(
    Object.entries(change).flatMap(([name, value]) => (value === undefined ? [] : [[name, roundToMs(value)]])),
  );

export function createRecordingRules({
  load,
  write,
  knownIds,
  bufferSeconds,
  onChanged,
}: RecordingRulesDeps): RecordingRules {
  let changed: Map<string, RecordingRule> | undefined;
  const serialize = createSerialQueue();
  const known = () => {
    if (changed !== undefined) return changed;
    throw new KitError("storage_unavailable", message("storage.not_readable"));
  };
  const ruleOf = (eventId: string) => known().get(eventId) ?? defaultRule(eventId);

  const wouldBe = (eventId: string, members: RecordingRuleChange) => {
    const rule = { ...ruleOf(eventId), ...definedMembers(members), changed: true };
    assertSensible(problemsOf(rule, bufferSeconds()));
    return rule;
  };
  const change = async (eventId: string, members: RecordingRuleChange) => {
    const rule = wouldBe(eventId, members);
    if (!known().has(eventId) && known().size >= changedMax) throw tooMany();
    await write(saveRecordingRule(rule));
    known().set(eventId, rule);
    onChanged();
    return rule;
  };
  const reset = async (eventId: string) => {
    if (!known().has(eventId)) throw new KitError("not_found", message("rule.is_default", { event: eventId }));
    await write(deleteRecordingRule(eventId));
    known().delete(eventId);
    onChanged();
  };
  const plan = (wanted: ReadonlyMap<string, RecordingRule | null>) => {
    const added = [...wanted].filter(([eventId, rule]) => rule !== null && !known().has(eventId)).length;
    if (added > 0 && known().size + added > changedMax) throw tooMany();
    return {
      statements: [...wanted].map(([eventId, rule]) =>
        rule === null ? deleteRecordingRule(eventId) : saveRecordingRule(rule),
      ),
      committed() {
        for (const [eventId, rule] of wanted) {
          if (rule === null) known().delete(eventId);
          else known().set(eventId, rule);
        }
        if (wanted.size > 0) onChanged();
      },
    };
  };
  return {
    async load() {
      changed = new Map((await load()).map((rule) => [rule.eventId, rule]));
    },
    ruleOf,
    list: () => [...new Set([...knownIds(), ...known().keys()])].toSorted().map(ruleOf),
    change: (eventId, members) => serialize(() => change(eventId, members)),
    reset: (eventId) => serialize(() => reset(eventId)),
    previewChange: wouldBe,
    serialize,
    plan,
    changedIds: () => [...known().keys()],
    problemsOf: (rule) => problemsOf(rule, bufferSeconds()),
    maxPreSeconds: () =>
      Math.max(recordingRuleDefaults.preSeconds, ...[...known().values()].map(({ preSeconds }) => preSeconds)),
  };
}

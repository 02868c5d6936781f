// What each event id makes of the screen: the defaults, and what a person changed of them.
import { type FieldError, KitError, type RecordingRule, recordingRuleDefaults } from "@kit/contract";
import { createSerialQueue, type Serialize } from "../../async/serial.ts";
import type { Statement } from "../../storage/sql.ts";
import { deleteRule, saveRule } from "./rule-store.ts";

/** A person sets rules by hand; beyond this something else does. */
const changedMax = 10_000;
/** Less than that is no clip. */
const shortestSeconds = 1;

export type RuleChange = {
  readonly [Name in keyof Omit<RecordingRule, "eventId" | "changed">]?: RecordingRule[Name] | undefined;
};

export type Rules = {
  /** Reads what is on disk. Until it has, nothing is recorded: what was switched to `nothing` must not be. */
  load(): Promise<void>;
  ruleOf(eventId: string): RecordingRule;
  /** The rule of every known id, and of every id whose rule was changed. */
  list(): RecordingRule[];
  /** Rejects with KitError payload_invalid, naming the member, when the rule makes no sense as a whole. */
  change(eventId: string, change: RuleChange): Promise<RecordingRule>;
  reset(eventId: string): Promise<void>;
  /** The rule as that change would make it. Throws as `change` does; changes nothing. */
  wouldBe(eventId: string, change: RuleChange): RecordingRule;
  /** The ids whose rule is not the default. */
  changedIds(): readonly string[];
  /** What is wrong with a rule, member by member. */
  problemsOf(rule: RecordingRule): readonly FieldError[];
  /** Whoever plans does it in turn with every other change. */
  readonly serialize: Serialize;
  /** These rules, or the defaults for null; to be written together with what others plan. */
  plan(rules: ReadonlyMap<string, RecordingRule | null>): {
    readonly statements: readonly Statement[];
    readonly committed: () => void;
  };
  /** The most footage before a moment that a rule asks for. */
  longestPreSeconds(): number;
};

export type RulesNeeds = {
  readonly load: () => Promise<readonly RecordingRule[]>;
  readonly write: (...statements: Statement[]) => Promise<void>;
  /** Event ids that were seen. */
  readonly knownIds: () => readonly string[];
  /** How much the recorder holds, as it is set. */
  readonly bufferSeconds: () => number;
  readonly onChanged: () => void;
};

const defaultRule = (eventId: string): RecordingRule => ({ ...recordingRuleDefaults, eventId, changed: false });

/** Where the members do not go together; empty for a rule that makes sense. */
function problemsOf({ preSeconds, postSeconds, longestSeconds }: RecordingRule, bufferSeconds: number): FieldError[] {
  const asked = preSeconds + postSeconds;
  const problems: FieldError[] = [];
  if (asked < shortestSeconds) {
    problems.push({ path: "/preSeconds", message: `and postSeconds together must be at least ${shortestSeconds} s` });
  }
  if (asked > longestSeconds) {
    const message = `is ${longestSeconds}, but one moment alone asks for ${asked} s: preSeconds and postSeconds`;
    problems.push({ path: "/longestSeconds", message });
  }
  if (preSeconds > bufferSeconds) {
    const message = `is ${preSeconds}, but the recorder keeps ${bufferSeconds} s: set its bufferSeconds higher first`;
    problems.push({ path: "/preSeconds", message });
  }
  return problems;
}

function assertSensible(problems: readonly FieldError[]): void {
  const [first] = problems;
  if (first === undefined) return;
  throw new KitError("payload_invalid", `${first.path} ${first.message}.`, problems);
}

const tooMany = () =>
  new KitError("payload_invalid", `${changedMax} event ids have rules already. Return one to the defaults first.`);
/** As exact as what is kept. */
const kept = (value: RecordingRule[keyof RecordingRule]) =>
  typeof value === "number" ? Math.round(value * 1_000) / 1_000 : value;
const given = (change: RuleChange): Partial<RecordingRule> =>
  Object.fromEntries(
    Object.entries(change).flatMap(([name, value]) => (value === undefined ? [] : [[name, kept(value)]])),
  );

export function createRules({ load, write, knownIds, bufferSeconds, onChanged }: RulesNeeds): Rules {
  let changed: Map<string, RecordingRule> | undefined;
  const serialize = createSerialQueue();
  const known = () => {
    if (changed !== undefined) return changed;
    throw new KitError("storage_unavailable", "The database cannot be read yet. `kit doctor` says why.");
  };
  const ruleOf = (eventId: string) => known().get(eventId) ?? defaultRule(eventId);

  const wouldBe = (eventId: string, members: RuleChange) => {
    const rule = { ...ruleOf(eventId), ...given(members), changed: true };
    assertSensible(problemsOf(rule, bufferSeconds()));
    return rule;
  };
  const change = async (eventId: string, members: RuleChange) => {
    const rule = wouldBe(eventId, members);
    if (!known().has(eventId) && known().size >= changedMax) throw tooMany();
    await write(saveRule(rule));
    known().set(eventId, rule);
    onChanged();
    return rule;
  };
  const reset = async (eventId: string) => {
    if (!known().has(eventId)) throw new KitError("not_found", `The rule of ${eventId} is the default already.`);
    await write(deleteRule(eventId));
    known().delete(eventId);
    onChanged();
  };
  const plan = (wanted: ReadonlyMap<string, RecordingRule | null>) => {
    const added = [...wanted].filter(([eventId, rule]) => rule !== null && !known().has(eventId)).length;
    if (added > 0 && known().size + added > changedMax) throw tooMany();
    return {
      statements: [...wanted].map(([eventId, rule]) => (rule === null ? deleteRule(eventId) : saveRule(rule))),
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
    wouldBe,
    serialize,
    plan,
    changedIds: () => [...known().keys()],
    problemsOf: (rule) => problemsOf(rule, bufferSeconds()),
    longestPreSeconds: () =>
      Math.max(recordingRuleDefaults.preSeconds, ...[...known().values()].map(({ preSeconds }) => preSeconds)),
  };
}

// What each event id makes of the screen: the defaults, and what a person changed of them.
import { KitError, type RecordingRule, recordingRuleDefaults } from "@kit/contract";
import type { Statement } from "../../storage/sql.ts";
import { createTurns } from "../turns.ts";
import { deleteRule, saveRule } from "./rule-store.ts";

/** A person sets rules by hand; beyond this something else does. */
const changedMax = 10_000;
/** Less than that is no clip. */
const shortestSeconds = 1;

type RuleChange = {
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

function refuse(path: string, message: string): never {
  throw new KitError("payload_invalid", `${path} ${message}.`, [{ path, message }]);
}

/** Throws where the members do not go together. */
function assertSensible(rule: RecordingRule, bufferSeconds: number): void {
  const { preSeconds, postSeconds, longestSeconds } = rule;
  const asked = preSeconds + postSeconds;
  if (asked < shortestSeconds) refuse("/preSeconds", `and postSeconds together must be at least ${shortestSeconds} s`);
  if (asked > longestSeconds) {
    refuse(
      "/longestSeconds",
      `is ${longestSeconds}, but one moment alone asks for ${asked} s: preSeconds and postSeconds`,
    );
  }
  if (preSeconds > bufferSeconds) {
    refuse(
      "/preSeconds",
      `is ${preSeconds}, but the recorder keeps ${bufferSeconds} s: set its bufferSeconds higher first`,
    );
  }
}

const given = (change: RuleChange): Partial<RecordingRule> =>
  Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));

export function createRules({ load, write, knownIds, bufferSeconds, onChanged }: RulesNeeds): Rules {
  let changed: Map<string, RecordingRule> | undefined;
  const inTurn = createTurns();
  const known = () => {
    if (changed !== undefined) return changed;
    throw new KitError("storage_unavailable", "The database cannot be read yet. `kit doctor` says why.");
  };
  const ruleOf = (eventId: string) => known().get(eventId) ?? defaultRule(eventId);

  const change = async (eventId: string, members: RuleChange) => {
    const rule = { ...ruleOf(eventId), ...given(members), changed: true };
    assertSensible(rule, bufferSeconds());
    if (!known().has(eventId) && known().size >= changedMax) {
      throw new KitError(
        "payload_invalid",
        `${changedMax} event ids have rules already. Return one to the defaults first.`,
      );
    }
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
  return {
    async load() {
      changed = new Map((await load()).map((rule) => [rule.eventId, rule]));
    },
    ruleOf,
    list: () => [...new Set([...knownIds(), ...known().keys()])].toSorted().map(ruleOf),
    change: (eventId, members) => inTurn(() => change(eventId, members)),
    reset: (eventId) => inTurn(() => reset(eventId)),
    longestPreSeconds: () =>
      Math.max(recordingRuleDefaults.preSeconds, ...[...known().values()].map(({ preSeconds }) => preSeconds)),
  };
}

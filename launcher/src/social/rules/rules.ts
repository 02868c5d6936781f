// What a person wants told of which events: rules, each complete and possible before it is kept.
import { randomUUIDv7 } from "node:crypto";
import {
  type Account,
  KitError,
  type NewPostRule,
  type PostRule,
  type PostRuleChange,
  postRuleDefaults,
  postRulesMax,
} from "@kit/contract";
import type { Serialize } from "../../async/serial.ts";
import type { Statement } from "../../storage/sql.ts";
import { type Counting, tooLong } from "../fit.ts";
import { added, changed, type RuleMembers, type RuleStore, removed } from "./rule-store.ts";
import { checkTemplate, filled } from "./template.ts";
import { blank } from "./values.ts";

// Which event ids a rule is for: an id, in which each * stands for any text.

/** In time that grows with the id alone: each piece is looked for once, behind the one before it. */
export function fits(pattern: string, eventId: string): boolean {
  const [first = "", ...rest] = pattern.split("*");
  const last = rest.pop();
  if (last === undefined) return eventId === pattern;
  if (eventId.length < first.length + last.length) return false;
  if (!eventId.startsWith(first) || !eventId.endsWith(last)) return false;
  const end = eventId.length - last.length;
  let at = first.length;
  for (const piece of rest) {
    const found = eventId.indexOf(piece, at);
    if (found < 0 || found + piece.length > end) return false;
    at = found + piece.length;
  }
  return true;
}

const literalLength = (pattern: string): number => pattern.replaceAll("*", "").length;
const isLiteral = (pattern: string): boolean => !pattern.includes("*");

/** For sorting: an id itself comes before what stands for many, and then whoever names more of it. */
export function mostExactFirst(a: { readonly pattern: string }, b: { readonly pattern: string }): number {
  return (
    Number(isLiteral(b.pattern)) - Number(isLiteral(a.pattern)) || literalLength(b.pattern) - literalLength(a.pattern)
  );
}

export type RulesNeeds = {
  readonly store: Pick<RuleStore, "all">;
  readonly accounts: () => Promise<readonly Account[]>;
  readonly counting: Counting;
  readonly write: (...statements: Statement[]) => Promise<void>;
  readonly serialize: Serialize;
  readonly now: () => number;
  readonly onChanged: () => void;
};

export type Rules = ReturnType<typeof createRules>;

function refuse(path: string, message: string): never {
  throw new KitError("payload_invalid", `${path} ${message}.`, [{ path, message }]);
}

/** What was given, in characters that exist. */
function wellFormed<T extends object>(given: T): T {
  const members = Object.entries(given).filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    members.map(([name, value]) => [name, typeof value === "string" ? value.toWellFormed() : value]),
  ) as T;
}

/** As they are tried: the most exact first, and of those that are alike the oldest. */
export const inOrder = (rules: readonly PostRule[]): PostRule[] => rules.toSorted(mostExactFirst);

/** The one an event goes by, of rules in order. */
export const ruleFor = (rules: readonly PostRule[], eventId: string): PostRule | undefined =>
  rules.find(({ pattern }) => fits(pattern, eventId));

export function createRules({ store, accounts, counting, write, serialize, now, onChanged }: RulesNeeds) {
  const find = async (id: string): Promise<PostRule> => {
    const found = (await store.all()).find((rule) => rule.id === id);
    if (found === undefined) throw new KitError("not_found", "There is no such rule. `kit posts rules` lists them.");
    return found;
  };
  /** What a text says beside its variables must fit: those only add to it. */
  const checkText = (rule: RuleMembers, all: readonly Account[]) => {
    checkTemplate(rule.text, "/text");
    checkTemplate(rule.altText, "/altText");
    const text = filled(rule.text, blank);
    const { attach, contentWarning } = rule;
    if (rule.text.trim() === "" && attach === "none") refuse("/text", "is empty, and nothing is attached: write one");
    const problems = all
      .filter(({ id }) => rule.accounts.includes(id))
      .flatMap((account) => tooLong(counting, account, { text, contentWarning }) ?? []);
    const [problem] = problems;
    if (problem !== undefined) throw new KitError("payload_invalid", problem, [{ path: "/text", message: problem }]);
  };
  const checkNew = async (rule: RuleMembers, named: readonly string[], own?: string) => {
    const [all, rules] = await Promise.all([accounts(), store.all()]);
    const unknown = named.find((id) => !all.some((account) => account.id === id));
    if (unknown !== undefined)
      refuse("/accounts", `names ${unknown.slice(0, 64)}, which is no account: \`kit accounts\` lists them`);
    const same = rules.find(({ id, pattern }) => id !== own && pattern === rule.pattern);
    if (same !== undefined)
      refuse("/pattern", `has a rule already, and only one is used for an event: change ${same.id} instead`);
    checkText(rule, all);
    return rules;
  };
  const add = async (given: NewPostRule): Promise<PostRule> => {
    const rule: RuleMembers = { ...postRuleDefaults, ...wellFormed(given) };
    const rules = await checkNew(rule, rule.accounts);
    if (rules.length >= postRulesMax)
      throw new KitError("payload_invalid", `There are ${postRulesMax} rules already. Remove one first.`);
    const id = randomUUIDv7();
    await write(added(id, rule, now()));
    onChanged();
    return find(id);
  };
  const change = async (id: string, given: PostRuleChange): Promise<PostRule> => {
    const rule = { ...(await find(id)), ...wellFormed(given) };
    // An account that is gone may stay named: whoever changes something else did not name it.
    await checkNew(rule, given.accounts ?? [], id);
    await write(changed(id, rule));
    onChanged();
    return find(id);
  };
  const remove = async (id: string): Promise<void> => {
    await find(id);
    await write(removed(id));
    onChanged();
  };
  return {
    /** In the order in which they are tried. */
    list: async (): Promise<PostRule[]> => inOrder(await store.all()),
    add: (given: NewPostRule) => serialize(() => add(given)),
    change: (id: string, given: PostRuleChange) => serialize(() => change(id, given)),
    remove: (id: string) => serialize(() => remove(id)),
  };
}

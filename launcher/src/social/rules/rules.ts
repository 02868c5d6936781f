// The rules that turn events into posts, which are saved only if all of them is valid, their previews, and the settings that apply
// to all posts.
import { randomUUIDv7 } from "node:crypto";
import {
  type Account,
  altTextCharsMax,
  type BodyOf,
  demoGame,
  fieldError,
  KitError,
  type Message,
  matchesEventIdPattern,
  type Names,
  type NewPostRule,
  networks,
  type PostPreview,
  type PostRule,
  type PostRuleChange,
  type PostSettings,
  payloadInvalid,
  postRuleDefaults,
  postRulesMax,
  postSettingDefaults,
  postTextCharsMax,
  type previewPost,
  rejectField,
  textOf,
} from "@kit/contract";
import { message } from "@kit/contract/messages";
import type { Serialize } from "../../async.ts";
import type { Statement } from "../../storage/sql.ts";
import { measureText, type NetworkTextRules, networkTitle, type TextTarget, tooLongMessage } from "../text-fit.ts";
import {
  deletePostRule,
  insertPostRule,
  type PostRuleMembers,
  type PostRuleStore,
  savePostSetting,
  updatePostRule,
} from "./rule-store.ts";
import { checkTemplate, emptyTemplateValues, fillTemplate, templateValues } from "./template.ts";

const literalLength = (pattern: string): number => pattern.replaceAll("*", "").length;
const isLiteral = (pattern: string): boolean => !pattern.includes("*");

/** Sorts exact ids before patterns, and longer patterns before shorter ones. */
export function comparePatternSpecificity(a: { readonly pattern: string }, b: { readonly pattern: string }): number {
  return (
    Number(isLiteral(b.pattern)) - Number(isLiteral(a.pattern)) || literalLength(b.pattern) - literalLength(a.pattern)
  );
}

export type PostRulesDeps = {
  readonly store: Pick<PostRuleStore, "all">;
  readonly accounts: () => Promise<readonly Account[]>;
  readonly textRules: NetworkTextRules;
  readonly write: (...statements: Statement[]) => Promise<void>;
  readonly serialize: Serialize;
  readonly now: () => number;
  readonly onChanged: () => void;
};

export type PostRules = ReturnType<typeof createPostRules>;

/** Replaces lone surrogates in all strings. */
function wellFormed<T extends object>(given: T): T {
  const members = Object.entries(given).filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    members.map(([name, value]) => [name, typeof value === "string" ? value.toWellFormed() : value]),
  ) as T;
}

/** Sorts rules: the most specific first, and equal ones by age. */
export const sortPostRules = (rules: readonly PostRule[]): PostRule[] => rules.toSorted(comparePatternSpecificity);

/** Returns the first rule that matches the event. `rules` must be sorted. */
export const postRuleFor = (rules: readonly PostRule[], eventId: string): PostRule | undefined =>
  rules.find(({ pattern }) => matchesEventIdPattern(pattern, eventId));

export function createPostRules({ store, accounts, textRules, write, serialize, now, onChanged }: PostRulesDeps) {
  const find = async (id: string): Promise<PostRule> => {
    const found = (await store.all()).find((rule) => rule.id === id);
    if (found === undefined) throw new KitError("not_found", message("post_rule.unknown"));
    return found;
  };
  /** Throws KitError if the text is too long for an account even without the values of its variables. */
  const checkText = (rule: PostRuleMembers, all: readonly Account[]) => {
    checkTemplate(rule.text, "/text");
    checkTemplate(rule.altText, "/altText");
    const text = fillTemplate(rule.text, emptyTemplateValues);
    const { attach, contentWarning } = rule;
    if (rule.text.trim() === "" && attach === "none") rejectField("/text", message("post_rule.empty_text"));
    const problems = all
      .filter(({ id }) => rule.accounts.includes(id))
      .flatMap((account) => tooLongMessage(textRules, account, { text, contentWarning }) ?? []);
    const [problem] = problems;
    if (problem !== undefined) throw payloadInvalid(problem, fieldError("/text", problem));
  };
  const checkNew = async (rule: PostRuleMembers, named: readonly string[], own?: string) => {
    const [all, rules] = await Promise.all([accounts(), store.all()]);
    const unknown = named.find((id) => !all.some((account) => account.id === id));
    if (unknown !== undefined)
      rejectField("/accounts", message("post_rule.unknown_account", { account: unknown.slice(0, 64) }));
    const ofDemo = all.find(({ id, demo }) => demo && named.includes(id));
    const start = `${demoGame}_`;
    if (ofDemo !== undefined && !rule.pattern.startsWith(start))
      rejectField("/accounts", message("post_rule.account_of_demo", { account: ofDemo.name, start }));
    const same = rules.find(({ id, pattern }) => id !== own && pattern === rule.pattern);
    if (same !== undefined) rejectField("/pattern", message("post_rule.pattern_taken", { rule: same.id }));
    checkText(rule, all);
    return rules;
  };
  const add = async (given: NewPostRule): Promise<PostRule> => {
    const rule: PostRuleMembers = { ...postRuleDefaults, ...wellFormed(given) };
    const rules = await checkNew(rule, rule.accounts);
    if (rules.length >= postRulesMax) throw payloadInvalid(message("post_rule.too_many", { most: postRulesMax }));
    const id = randomUUIDv7();
    await write(insertPostRule(id, rule, now()));
    onChanged();
    return find(id);
  };
  const change = async (id: string, given: PostRuleChange): Promise<PostRule> => {
    const rule = { ...(await find(id)), ...wellFormed(given) };
    // Only the accounts that this change names are checked, because a rule may still name a removed one.
    await checkNew(rule, given.accounts ?? [], id);
    await write(updatePostRule(id, rule));
    onChanged();
    return find(id);
  };
  const remove = async (id: string): Promise<void> => {
    await find(id);
    await write(deletePostRule(id));
    onChanged();
  };
  return {
    /** Lists rules in the order in which they are matched. */
    list: async (): Promise<PostRule[]> => sortPostRules(await store.all()),
    add: (given: NewPostRule) => serialize(() => add(given)),
    change: (id: string, given: PostRuleChange) => serialize(() => change(id, given)),
    remove: (id: string) => serialize(() => remove(id)),
  };
}

type PostSettingChange = { readonly [Name in keyof PostSettings]?: PostSettings[Name] | undefined };

type PostSettingsDeps = {
  readonly store: Pick<PostRuleStore, "settings">;
  readonly write: (...statements: Statement[]) => Promise<void>;
  readonly serialize: Serialize;
  readonly onChanged: () => void;
};

export type StoredPostSettings = ReturnType<typeof createPostSettings>;

const names = Object.keys(postSettingDefaults) as readonly (keyof PostSettings)[];

export function createPostSettings({ store, write, serialize, onChanged }: PostSettingsDeps) {
  const get = async (): Promise<PostSettings> => {
    const kept = await store.settings();
    const set = names.flatMap((name) => {
      const value = kept.get(name);
      return value === undefined ? [] : [[name, Number(value)] as const];
    });
    return { ...postSettingDefaults, ...Object.fromEntries(set) };
  };
  const change = async (wanted: PostSettingChange): Promise<PostSettings> => {
    const statements = names.flatMap((name) => {
      const value = wanted[name];
      return value === undefined ? [] : [savePostSetting(name, value)];
    });
    if (statements.length > 0) {
      await write(...statements);
      onChanged();
    }
    return get();
  };
  return { get, change: (wanted: PostSettingChange) => serialize(() => change(wanted)) };
}

type PostPreviewDeps = {
  readonly accounts: () => Promise<readonly Account[]>;
  readonly textRules: NetworkTextRules;
  readonly gameOf: (eventId: string) => string | null;
  readonly names: Names;
  readonly now: () => number;
};

type PreviewRequest = BodyOf<typeof previewPost>;
type PreviewTarget = TextTarget & { readonly account: string | null };

/** Stands for the game in the example for a rule whose game has sent no event yet. */
const exampleGame = "my_game";
const exampleEvent = `${exampleGame}_boss_defeated`;
const exampleClipSeconds = 17;

export function createPostPreview({ accounts, textRules, gameOf, names, now }: PostPreviewDeps) {
  const shownOf = ({ id, network, name, limits }: Account): PreviewTarget => ({ account: id, network, name, limits });
  /** Returns the chosen accounts. Without a choice: for each network its first account, or its defaults if it has none. */
  const targets = async (wanted: readonly string[] | undefined): Promise<PreviewTarget[]> => {
    const all = await accounts();
    if (wanted === undefined)
      return networks.map((network) => {
        const first = all.find((account) => account.network === network);
        if (first !== undefined) return shownOf(first);
        return { account: null, network, name: textOf(networkTitle(network)), limits: textRules[network].limits };
      });
    return wanted.map((id) => {
      const account = all.find((one) => one.id === id);
      if (account === undefined) throw new KitError("not_found", message("account.unknown"));
      return shownOf(account);
    });
  };
  const fillIn = (
    text: string,
    path: string,
    { eventId, game: given, filled: isFilled = false }: PreviewRequest,
  ): string => {
    if (isFilled) return text;
    checkTemplate(text, path);
    const event = eventId || exampleEvent;
    const game = given ?? (eventId ? gameOf(eventId) : exampleGame);
    const told = { eventId: event, title: null, game, atMs: now(), clipSeconds: exampleClipSeconds };
    return fillTemplate(text, templateValues(told, names));
  };

  return async (asked: PreviewRequest): Promise<PostPreview[]> => {
    const text = fillIn(asked.text.toWellFormed(), "/text", asked);
    const altText = fillIn((asked.altText ?? "").toWellFormed(), "/altText", asked);
    const contentWarning = (asked.contentWarning ?? "").toWellFormed();
    const always: Message[] = [];
    if (text.length > postTextCharsMax) always.push(message("post.long_text", { most: postTextCharsMax }));
    if (altText.length > altTextCharsMax) always.push(message("post.long_description", { most: altTextCharsMax }));
    return (await targets(asked.accounts)).map((target) => {
      const { composed, length } = measureText(textRules, target, { text, contentWarning });
      const problem = tooLongMessage(textRules, target, { text, contentWarning });
      return { ...target, text: composed, length, problems: problem === undefined ? always : [...always, problem] };
    });
  };
}

// The draft of a post rule in the editor. Pure.
import { type PostRule, type PostVariable, postRuleDefaults, postVariables } from "@kit/contract";
import { matchesPattern } from "../../ui/posts/event-pattern.ts";

const members = [
  "pattern",
  "accounts",
  "text",
  "attach",
  "without",
  "altText",
  "contentWarning",
  "visibility",
  "approval",
  "cooldownSeconds",
  "enabled",
] as const;

export type PostRuleDraft = Pick<PostRule, (typeof members)[number]>;

/** `text` is the post text that the event's developer suggests, if any. */
export const createPostRuleDraft = (pattern: string, accounts: readonly string[], text?: string): PostRuleDraft => ({
  ...postRuleDefaults,
  pattern,
  accounts: [...accounts],
  ...(text !== undefined && { text }),
});

export const toPostRuleDraft = (rule: PostRule): PostRuleDraft =>
  Object.fromEntries(members.map((member) => [member, rule[member]])) as PostRuleDraft;

/** Only changed members, so that concurrent changes of others are kept. */
export function changedMembers(before: PostRuleDraft, now: PostRuleDraft): Partial<PostRuleDraft> {
  const differs = members.filter((member) => JSON.stringify(before[member]) !== JSON.stringify(now[member]));
  return Object.fromEntries(differs.map((member) => [member, now[member]]));
}

export const ruleVariables = Object.keys(postVariables) as PostVariable[];

/** Replaces the selection by a variable, and returns the new caret position. */
export function insertVariable(text: string, variable: PostVariable, from: number, to: number) {
  const inserted = `{{${variable}}}`;
  return { text: text.slice(0, from) + inserted + text.slice(to), at: from + inserted.length };
}

/** The event id used in previews: a known one that matches, otherwise the pattern itself. */
export function exampleEventId(pattern: string, seen: readonly string[]): string {
  return (
    seen.find((eventId) => matchesPattern(pattern, eventId)) ?? (pattern.replaceAll("*", "") || "my_game_boss_defeated")
  );
}

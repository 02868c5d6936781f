// The unsaved form of a post rule in the editor. Pure.
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

/** Creates the form of a new rule. `text` is the post text that the game's developer suggests for the event, if any. */
export const createPostRuleDraft = (pattern: string, accounts: readonly string[], text?: string): PostRuleDraft => ({
  ...postRuleDefaults,
  pattern,
  accounts: [...accounts],
  ...(text !== undefined && { text }),
});

export const toPostRuleDraft = (rule: PostRule): PostRuleDraft =>
  Object.fromEntries(members.map((member) => [member, rule[member]])) as PostRuleDraft;

/** Returns only the changed members, so that saving keeps what somebody else has changed in the meantime. */
export function changedMembers(before: PostRuleDraft, now: PostRuleDraft): Partial<PostRuleDraft> {
  const differs = members.filter((member) => JSON.stringify(before[member]) !== JSON.stringify(now[member]));
  return Object.fromEntries(differs.map((member) => [member, now[member]]));
}

export const ruleVariables = Object.keys(postVariables) as PostVariable[];

/** Replaces the selected text by a variable. Returns the new text and the new position of the caret. */
export function insertVariable(text: string, variable: PostVariable, from: number, to: number) {
  const inserted = `{{${variable}}}`;
  return { text: text.slice(0, from) + inserted + text.slice(to), at: from + inserted.length };
}

/** Returns the event id to show in previews: a known one that matches the pattern, or else one made from the pattern. */
export function exampleEventId(pattern: string, seen: readonly string[]): string {
  const known = seen.find((eventId) => matchesPattern(pattern, eventId));
  // A game's prefix alone would be a strange event.
  const made = pattern.replace(/_\*$/u, "_boss_defeated").replaceAll("*", "");
  return known ?? (made || "mygame_boss_defeated");
}

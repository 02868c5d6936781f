// The unsaved form of a post rule in the editor. Pure.
import {
  matchesEventIdPattern,
  type PostRule,
  type PostVariable,
  postRuleDefaults,
  postVariables,
} from "@kit/contract";

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

const exampleGame = "my_game";

/**
 * Returns the event to show in previews: a known one that matches the pattern, or else one made from the pattern. The game is given
 * where the launcher cannot know it, because no event of it has arrived. For any event, the launcher has an example of its own.
 */
export function exampleEvent(pattern: string, seen: readonly string[]): { eventId?: string; game?: string } {
  const known = seen.find((eventId) => matchesEventIdPattern(pattern, eventId));
  if (known !== undefined) return { eventId: known };
  // A game's prefix alone would be a strange event.
  const withEvent = pattern.replace(/^\*(?=_)/u, exampleGame).replace(/_\*$/u, "_boss_defeated");
  const eventId = withEvent.replaceAll("*", "").slice(0, 200);
  if (eventId === "") return {};
  if (pattern.startsWith("*_")) return { eventId, game: exampleGame };
  const [, game] = /^([^*]+)_\*$/u.exec(pattern) ?? [];
  const start = eventId.slice(0, eventId.indexOf("_") + 1);
  const isSeen = seen.some((other) => other.startsWith(start));
  return { eventId, ...(game !== undefined && !isSeen && { game }) };
}

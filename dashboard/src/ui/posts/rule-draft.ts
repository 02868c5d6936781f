// A rule as it is being written: what the launcher takes, with nothing left out. Pure.
import { type PostRule, type PostVariable, postRuleDefaults, postVariables } from "@kit/contract";

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

export type RuleDraft = Pick<PostRule, (typeof members)[number]>;

/** `text` is what the event's developer proposes, where they do. */
export const newDraft = (pattern: string, accounts: readonly string[], text?: string): RuleDraft => ({
  ...postRuleDefaults,
  pattern,
  accounts: [...accounts],
  ...(text !== undefined && { text }),
});

export const draftOf = (rule: PostRule): RuleDraft =>
  Object.fromEntries(members.map((member) => [member, rule[member]])) as RuleDraft;

/** What differs, so that a change made elsewhere meanwhile stays. */
export function changesOf(before: RuleDraft, now: RuleDraft): Partial<RuleDraft> {
  const differs = members.filter((member) => JSON.stringify(before[member]) !== JSON.stringify(now[member]));
  return Object.fromEntries(differs.map((member) => [member, now[member]]));
}

export const variables = Object.keys(postVariables) as PostVariable[];

/** A text with a variable in place of what is selected in it, and where the typing goes on. */
export function withVariable(text: string, variable: PostVariable, from: number, to: number) {
  const inserted = `{{${variable}}}`;
  return { text: text.slice(0, from) + inserted + text.slice(to), at: from + inserted.length };
}

/** Whether an event id fits a pattern, in which each * stands for any text. */
export function fits(pattern: string, eventId: string): boolean {
  const [first = "", ...rest] = pattern.split("*");
  if (rest.length === 0) return pattern === eventId;
  const last = rest.pop() ?? "";
  if (!eventId.startsWith(first) || eventId.length < first.length + last.length || !eventId.endsWith(last))
    return false;
  let at = first.length;
  for (const part of rest) {
    const found = eventId.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return at <= eventId.length - last.length;
}

/** The event id the previews are filled in with: one that was seen and fits, or the pattern itself. */
export function exampleFor(pattern: string, seen: readonly string[]): string {
  return seen.find((eventId) => fits(pattern, eventId)) ?? (pattern.replaceAll("*", "") || "my_game_boss_defeated");
}

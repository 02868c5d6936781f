// Tags as a person writes and chooses them; two that differ in case only are one. Pure.
import { clipTagCharsMax, clipTagsMax } from "@kit/contract";

export type TagChange = { readonly add?: readonly string[]; readonly remove?: readonly string[] };

/** As the contract has it, blanks at the ends aside: one line without a comma. */
const pattern = /^[^,\p{Cc}]+$/u;
const same = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

/** What was typed as a tag; undefined while it is none. */
export function tagOf(typed: string): string | undefined {
  const tag = typed.trim().replace(/\s+/gu, " ");
  return tag.length <= clipTagCharsMax && pattern.test(tag) ? tag : undefined;
}

export function tagsChanged(tags: readonly string[], { add = [], remove = [] }: TagChange): string[] {
  const left = tags.filter((tag) => !remove.some((gone) => same(gone, tag)));
  const fresh = add.filter((tag, index) => add.findIndex((other) => same(other, tag)) === index);
  const joined = [...left, ...fresh.filter((tag) => !left.some((known) => same(known, tag)))];
  return joined.slice(0, clipTagsMax);
}

const suggestedMax = 6;

/** Known tags that hold what was typed and are not there yet; those that begin with it first. */
export function suggestedTags(known: readonly string[], typed: string, taken: readonly string[]): string[] {
  const sought = typed.trim().toLowerCase();
  const free = known.filter((tag) => tag.toLowerCase().includes(sought) && !taken.some((other) => same(other, tag)));
  const begins = (tag: string) => (tag.toLowerCase().startsWith(sought) ? 0 : 1);
  return free.toSorted((a, b) => begins(a) - begins(b)).slice(0, suggestedMax);
}

/** Every tag that one of these clips has. */
export const tagsOf = (clips: readonly { readonly tags: readonly string[] }[]): string[] =>
  tagsChanged([], { add: clips.flatMap(({ tags }) => tags) });

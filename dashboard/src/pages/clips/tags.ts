// The tags of clips: the query of all tags, and how a tag is parsed, suggested and changed. Tags that differ only in
// case are the same.
import { clipTagCharsMax, clipTagsMax, listClipTags } from "@kit/contract";
import { useQuery } from "@tanstack/react-query";
import { useClient } from "../../api/session.ts";

/** Fetches all tags, the most used first. */
export function useClipTags() {
  const client = useClient();
  return useQuery({
    queryKey: ["clips", "tags"],
    queryFn: async () => (await client.call(listClipTags, {})).tags.toSorted((a, b) => b.clips - a.clips),
  });
}

export type TagChange = { readonly add?: readonly string[]; readonly remove?: readonly string[] };

/** The contract's pattern for tags, except that spaces at the ends are not checked: one line without a comma. */
const pattern = /^[^,\p{Cc}]+$/u;
const same = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

/** Parses a typed tag; undefined if it is invalid. */
export function parseTag(typed: string): string | undefined {
  const tag = typed.trim().replace(/\s+/gu, " ");
  return tag.length <= clipTagCharsMax && pattern.test(tag) ? tag : undefined;
}

export function applyTagChange(tags: readonly string[], { add = [], remove = [] }: TagChange): string[] {
  const left = tags.filter((tag) => !remove.some((gone) => same(gone, tag)));
  const fresh = add.filter((tag, index) => add.findIndex((other) => same(other, tag)) === index);
  const joined = [...left, ...fresh.filter((tag) => !left.some((known) => same(known, tag)))];
  return joined.slice(0, clipTagsMax);
}

const suggestedMax = 6;

/** Returns the known tags that contain the typed text, first those that begin with it. */
export function suggestTags(known: readonly string[], typed: string, taken: readonly string[]): string[] {
  const sought = typed.trim().toLowerCase();
  const free = known.filter((tag) => tag.toLowerCase().includes(sought) && !taken.some((other) => same(other, tag)));
  const begins = (tag: string) => (tag.toLowerCase().startsWith(sought) ? 0 : 1);
  return free.toSorted((a, b) => begins(a) - begins(b)).slice(0, suggestedMax);
}

/** Returns all tags that at least one of the clips has, each once. */
export const uniqueTags = (clips: readonly { readonly tags: readonly string[] }[]): string[] =>
  applyTagChange([], { add: clips.flatMap(({ tags }) => tags) });

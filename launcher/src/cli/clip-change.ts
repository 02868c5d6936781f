// The changes that `kit clip ID` makes: title, tags, pin and trims.
import { setTimeout as pause } from "node:timers/promises";
import { type Clip, changeClip, getClip, trimClip } from "@kit/contract";
import { InvalidArgumentError } from "commander";
import type { Connection } from "./connection.ts";

export type ChangeFlags = {
  pin?: boolean;
  shared?: boolean;
  rename?: string;
  title?: string;
  tag?: readonly string[];
  untag?: readonly string[];
};
export type ClipRange = { readonly fromSeconds: number; readonly toSeconds: number };

const pollMs = 150;

/** Commander parser for repeatable options: appends each value. */
export const collectValues = (text: string, before: readonly string[] = []): readonly string[] => [...before, text];

/** Parses `3.5` or `1:02.5`. */
function parseSeconds(text: string): number {
  const [, minutes = "0", seconds] = /^(?:(\d{1,4}):)?(\d{1,5}(?:\.\d{1,3})?)$/.exec(text) ?? [];
  return seconds === undefined ? Number.NaN : Number(minutes) * 60 + Number(seconds);
}

/** Parses `3.5-12` or `0:03-1:02.5`. */
export function parseClipRange(text: string): ClipRange {
  const [fromSeconds = Number.NaN, toSeconds = Number.NaN, ...others] = text.split("-").map(parseSeconds);
  if (fromSeconds < toSeconds && others.length === 0) return { fromSeconds, toSeconds };
  throw new InvalidArgumentError("Give a range such as 3.5-12 or 0:03-1:02.5.");
}

const tagKey = (tag: string) => tag.normalize("NFC").toLowerCase();

function mergeTags({ tags }: Clip, { tag = [], untag = [] }: ChangeFlags): string[] {
  const [added, removed] = [tag, untag].map((all) => new Set(all.map(tagKey)));
  return [...tags.filter((each) => !added?.has(tagKey(each)) && !removed?.has(tagKey(each))), ...tag];
}

export const hasChanges = ({ pin, shared, rename, title, tag, untag }: ChangeFlags): boolean =>
  [pin, shared, rename, title, tag, untag].some((flag) => flag !== undefined);

export async function applyChanges({ client }: Connection, id: string, flags: ChangeFlags): Promise<void> {
  const { pin, shared, title, rename = title, tag, untag } = flags;
  const params = { id };
  const isTagged = tag !== undefined || untag !== undefined;
  const body = {
    ...(pin !== undefined && { pinned: pin }),
    ...(shared !== undefined && { shared }),
    ...(rename !== undefined && { title: rename }),
    ...(isTagged && { tags: mergeTags(await client.call(getClip, { params }), flags) }),
  };
  await client.call(changeClip, { params, body });
}

/** Trims the clip and waits for the result. Throws the reason if trimming fails. */
export async function trimAndWait({ client }: Connection, id: string, range: ClipRange, title?: string): Promise<Clip> {
  const body = { ...range, ...(title !== undefined && { title }) };
  let trimmed = await client.call(trimClip, { params: { id }, body });
  while (trimmed.state === "pending") {
    await pause(pollMs);
    trimmed = await client.call(getClip, { params: { id: trimmed.id } });
  }
  if (trimmed.state === "failed") throw new Error(trimmed.reason ?? "The clip could not be trimmed.");
  return trimmed;
}

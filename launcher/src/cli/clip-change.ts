// What `kit clip ID` changes of a clip: its name, its tags, whether it is pinned, and parts that are made of it.
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
export type Stretch = { readonly fromSeconds: number; readonly toSeconds: number };

const lookEveryMs = 150;

/** Each use of an option adds to what was given before. */
export const gather = (text: string, before: readonly string[] = []): readonly string[] => [...before, text];

/** Reads `3.5` or `1:02.5`. */
function readSeconds(text: string): number {
  const [, minutes = "0", seconds] = /^(?:(\d{1,4}):)?(\d{1,5}(?:\.\d{1,3})?)$/.exec(text) ?? [];
  return seconds === undefined ? Number.NaN : Number(minutes) * 60 + Number(seconds);
}

/** Reads `3.5-12` or `0:03-1:02.5`. */
export function readStretch(text: string): Stretch {
  const [fromSeconds = Number.NaN, toSeconds = Number.NaN, ...others] = text.split("-").map(readSeconds);
  if (fromSeconds < toSeconds && others.length === 0) return { fromSeconds, toSeconds };
  throw new InvalidArgumentError("Give a stretch such as 3.5-12 or 0:03-1:02.5, from and to.");
}

const keyOf = (tag: string) => tag.normalize("NFC").toLowerCase();

function tagsAfter({ tags }: Clip, { tag = [], untag = [] }: ChangeFlags): string[] {
  const [added, gone] = [tag, untag].map((all) => new Set(all.map(keyOf)));
  return [...tags.filter((each) => !added?.has(keyOf(each)) && !gone?.has(keyOf(each))), ...tag];
}

export const changes = ({ pin, shared, rename, title, tag, untag }: ChangeFlags): boolean =>
  [pin, shared, rename, title, tag, untag].some((flag) => flag !== undefined);

export async function change({ client }: Connection, id: string, flags: ChangeFlags): Promise<void> {
  const { pin, shared, title, rename = title, tag, untag } = flags;
  const params = { id };
  const isTagged = tag !== undefined || untag !== undefined;
  const body = {
    ...(pin !== undefined && { pinned: pin }),
    ...(shared !== undefined && { shared }),
    ...(rename !== undefined && { title: rename }),
    ...(isTagged && { tags: tagsAfter(await client.call(getClip, { params }), flags) }),
  };
  await client.call(changeClip, { params, body });
}

/** Waits for the part. Throws what stood in its way. */
export async function trim({ client }: Connection, id: string, stretch: Stretch, title?: string): Promise<Clip> {
  const body = { ...stretch, ...(title !== undefined && { title }) };
  let part = await client.call(trimClip, { params: { id }, body });
  while (part.state === "pending") {
    await pause(lookEveryMs);
    part = await client.call(getClip, { params: { id: part.id } });
  }
  if (part.state === "failed") throw new Error(part.reason ?? "The part could not be made.");
  return part;
}

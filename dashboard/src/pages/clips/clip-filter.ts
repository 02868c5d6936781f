// The gallery's filter, stored in the address so that a reload or a bookmark keeps it. Pure.
import { type ClipFilter, type ClipKind, type ClipSort, clipKinds, clipSorts, clipTagCharsMax } from "@kit/contract";
import { fragmentQuery } from "../../api/address-filters.ts";

export type GalleryFilter = {
  readonly game?: string;
  readonly kind?: ClipKind;
  /** Words that must occur in the title, the events or the tags. */
  readonly text?: string;
  readonly tag?: string;
  /** Shows only pinned clips. */
  readonly pinned: boolean;
  readonly sort: ClipSort;
  /** Shows the trash instead of the gallery. */
  readonly bin: boolean;
};

export type GalleryFilterChange = { readonly [K in keyof GalleryFilter]?: GalleryFilter[K] | undefined };

export const defaultGalleryFilter: GalleryFilter = { pinned: false, sort: "newest", bin: false };

/** Returns true if a day in the gallery has all its clips, except those of other games. */
export const showsWholeDays = ({ kind, text, tag, pinned, bin }: GalleryFilter): boolean =>
  kind === undefined && text === undefined && tag === undefined && !pinned && !bin;

export const clipSearchCharsMax = 200;

/** Removes every filter but keeps the sort order. */
export const clearedGalleryFilter: GalleryFilterChange = {
  game: undefined,
  kind: undefined,
  text: undefined,
  tag: undefined,
  pinned: false,
  bin: false,
};

/** Parses the filter of an address, e.g. `#/clips?kind=marker`. Ignores unknown values. */
export function parseGalleryFilter(fragment: string): GalleryFilter {
  const query = fragmentQuery(fragment);
  const kind = clipKinds.find((known) => known === query.get("kind"));
  const game = query.get("game");
  const text = query.get("text")?.slice(0, clipSearchCharsMax);
  const tag = query.get("tag")?.slice(0, clipTagCharsMax);
  return {
    ...(game ? { game } : {}),
    ...(kind ? { kind } : {}),
    ...(text ? { text } : {}),
    ...(tag ? { tag } : {}),
    pinned: query.get("pinned") === "true",
    sort: clipSorts.find((known) => known === query.get("sort")) ?? defaultGalleryFilter.sort,
    bin: query.get("bin") === "true",
  };
}

/** Returns the filter as an address query, which `parseGalleryFilter` can read. Empty for the default filter. */
export function toGalleryQuery({ game, kind, text, tag, pinned, sort, bin }: GalleryFilter): string {
  const query = new URLSearchParams();
  if (game) query.set("game", game);
  if (kind) query.set("kind", kind);
  if (text) query.set("text", text);
  if (tag) query.set("tag", tag);
  if (pinned) query.set("pinned", "true");
  if (sort !== defaultGalleryFilter.sort) query.set("sort", sort);
  if (bin) query.set("bin", "true");
  return query.toString();
}

/** Converts the gallery's filter to a filter of the launcher's API. */
export const toClipFilter = ({
  game,
  kind,
  text,
  tag,
  pinned,
  sort,
  bin,
}: GalleryFilter): ClipFilter & { sort?: ClipSort } => ({
  ...(game ? { game } : {}),
  ...(kind ? { kind } : {}),
  ...(text?.trim() ? { text: text.trim() } : {}),
  ...(tag ? { tag } : {}),
  ...(pinned ? { pinned } : {}),
  ...(sort === defaultGalleryFilter.sort ? {} : { sort }),
  // The best moments are only clips that can be watched, and never errors.
  ...(sort === "best" ? { subject: "highlight" as const, state: "saved" as const } : {}),
  ...(bin ? { bin } : {}),
});

export const isGalleryFiltered = ({ game, kind, text, tag, pinned }: GalleryFilter): boolean =>
  Boolean(game || kind || text?.trim() || tag || pinned);

// What the gallery shows, as it stands in the address. Pure, so that a reload or a bookmark keeps it.
import { type ClipFilter, type ClipKind, type ClipSort, clipKinds, clipSorts, clipTagCharsMax } from "@kit/contract";

export type GalleryFilter = {
  readonly game?: string;
  readonly kind?: ClipKind;
  /** Words of title, events or tags. */
  readonly text?: string;
  readonly tag?: string;
  /** Only what is pinned. */
  readonly pinned: boolean;
  readonly sort: ClipSort;
  /** What lies in the bin instead. */
  readonly bin: boolean;
};

export type GalleryChange = { readonly [K in keyof GalleryFilter]?: GalleryFilter[K] | undefined };

export const everyClip: GalleryFilter = { pinned: false, sort: "newest", bin: false };

export const searchCharsMax = 200;

/** Takes back what narrows the list, and nothing else. */
export const nothingNarrowed: GalleryChange = {
  game: undefined,
  kind: undefined,
  text: undefined,
  tag: undefined,
  pinned: false,
  bin: false,
};

/** Reads the filter from an address's fragment, e.g. `#/clips?kind=marker`. What it does not know it leaves out. */
export function galleryFilterIn(fragment: string): GalleryFilter {
  const query = new URLSearchParams(fragment.split("?", 2)[1] ?? "");
  const kind = clipKinds.find((known) => known === query.get("kind"));
  const game = query.get("game");
  const text = query.get("text")?.slice(0, searchCharsMax);
  const tag = query.get("tag")?.slice(0, clipTagCharsMax);
  return {
    ...(game ? { game } : {}),
    ...(kind ? { kind } : {}),
    ...(text ? { text } : {}),
    ...(tag ? { tag } : {}),
    pinned: query.get("pinned") === "true",
    sort: clipSorts.find((known) => known === query.get("sort")) ?? everyClip.sort,
    bin: query.get("bin") === "true",
  };
}

/** The query part `galleryFilterIn` reads back; empty for everything. */
export function galleryQueryOf({ game, kind, text, tag, pinned, sort, bin }: GalleryFilter): string {
  const query = new URLSearchParams();
  if (game) query.set("game", game);
  if (kind) query.set("kind", kind);
  if (text) query.set("text", text);
  if (tag) query.set("tag", tag);
  if (pinned) query.set("pinned", "true");
  if (sort !== everyClip.sort) query.set("sort", sort);
  if (bin) query.set("bin", "true");
  return query.toString();
}

/** The same in the launcher's words. */
export const clipFilterOf = ({
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
  ...(sort === everyClip.sort ? {} : { sort }),
  ...(bin ? { bin } : {}),
});

export const isNarrowed = ({ game, kind, text, tag, pinned }: GalleryFilter): boolean =>
  Boolean(game || kind || text?.trim() || tag || pinned);

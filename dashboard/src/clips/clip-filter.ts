// What the gallery shows, as it stands in the address. Pure, so that a reload or a bookmark keeps it.
import { type ClipFilter, type ClipKind, clipKinds } from "@kit/contract";

export type GalleryFilter = {
  readonly game?: string;
  readonly kind?: ClipKind;
  /** What lies in the bin instead. */
  readonly bin: boolean;
};

export const everyClip: GalleryFilter = { bin: false };

/** Reads the filter from an address's fragment, e.g. `#/clips?kind=marker`. What it does not know it leaves out. */
export function galleryFilterIn(fragment: string): GalleryFilter {
  const query = new URLSearchParams(fragment.split("?", 2)[1] ?? "");
  const kind = clipKinds.find((known) => known === query.get("kind"));
  const game = query.get("game");
  return { ...(game ? { game } : {}), ...(kind ? { kind } : {}), bin: query.get("bin") === "true" };
}

/** The query part `galleryFilterIn` reads back; empty for everything. */
export function galleryQueryOf({ game, kind, bin }: GalleryFilter): string {
  const query = new URLSearchParams();
  if (game) query.set("game", game);
  if (kind) query.set("kind", kind);
  if (bin) query.set("bin", "true");
  return query.toString();
}

/** The same in the launcher's words. */
export const clipFilterOf = ({ game, kind, bin }: GalleryFilter): ClipFilter => ({
  ...(game ? { game } : {}),
  ...(kind ? { kind } : {}),
  ...(bin ? { bin } : {}),
});

export const isNarrowed = ({ game, kind }: GalleryFilter): boolean => Boolean(game || kind);

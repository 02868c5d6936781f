// Footage as whoever records gives it, and what it is for a post.
import type { Attachment, PostFootage } from "@kit/contract";

export type WantedFootage = {
  /** The event's own id. */
  readonly event: string;
  readonly seq: number;
  readonly eventId: string;
  readonly game: string | null;
  readonly atMs: number;
  readonly kind: Exclude<Attachment, "none">;
};

export type Footage =
  | { readonly state: "pending" }
  /** And never will be. */
  | { readonly state: "none"; readonly reason: string }
  | {
      readonly state: "saved";
      /** The clip's. */
      readonly id: string;
      readonly kind: Exclude<Attachment, "none">;
      /** 0 for a picture. */
      readonly seconds: number;
      readonly poster: string | null;
    };

const nothing = { says: null, clip: null, seconds: null };
export const noFootage: PostFootage = { state: "none", ...nothing };
export const pendingFootage: PostFootage = { state: "pending", ...nothing };
const missing = (says: string): PostFootage => ({ ...nothing, state: "missing", says });

/** What there is of what a post promises. A clip has a picture of its moment; a picture has no clip. */
export function footageFor(attach: Attachment, footage: Footage): PostFootage {
  if (attach === "none") return noFootage;
  if (footage.state === "pending") return pendingFootage;
  if (footage.state === "none") return missing(footage.reason);
  const { id: clip, kind, seconds, poster } = footage;
  if (attach === "clip" && kind === "screenshot") return missing("only a picture was made of its moment");
  if (attach === "screenshot" && kind === "clip" && poster === null) return missing("its clip has no picture");
  return { state: "ready", says: null, clip, seconds: attach === "clip" ? seconds : null };
}

// What the recording slice tells about the footage of an event, and what a post makes of it.

import type { Attachment, MessageOrText, PostFootage } from "@kit/contract";
import { message } from "@kit/contract/messages";

export type FootageRequest = {
  /** Id of the event. */
  readonly event: string;
  readonly seq: number;
  readonly eventId: string;
  readonly game: string | null;
  readonly atMs: number;
  readonly kind: Exclude<Attachment, "none">;
};

export type EventFootage =
  | { readonly state: "pending" }
  /** There will never be footage of the event. */
  | { readonly state: "none"; readonly reason: MessageOrText }
  | {
      readonly state: "saved";
      /** Id of the clip. */
      readonly id: string;
      readonly kind: Exclude<Attachment, "none">;
      /** 0 for a screenshot. */
      readonly seconds: number;
      readonly poster: string | null;
    };

const nothing = { says: null, clip: null, seconds: null };
export const noFootage: PostFootage = { state: "none", ...nothing };
export const pendingFootage: PostFootage = { state: "pending", ...nothing };
const missingFootage = (says: MessageOrText): PostFootage => ({ ...nothing, state: "missing", says });

/** Returns the footage of a post. A clip also serves a post with a picture; a screenshot does not serve a post with a clip. */
export function footageOfPost(attach: Attachment, footage: EventFootage): PostFootage {
  if (attach === "none") return noFootage;
  if (footage.state === "pending") return pendingFootage;
  if (footage.state === "none") return missingFootage(footage.reason);
  const { id: clip, kind, seconds, poster } = footage;
  if (attach === "clip" && kind === "screenshot") return missingFootage(message("footage.only_screenshot"));
  if (attach === "screenshot" && kind === "clip" && poster === null)
    return missingFootage(message("footage.clip_without_picture"));
  return { state: "ready", says: null, clip, seconds: attach === "clip" ? seconds : null };
}

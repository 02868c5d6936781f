// Prepares the media of a delivery: fits the footage to the account, or decides what is posted instead.
import { createHash } from "node:crypto";
import type { AccountLimits, Attachment, Message, MessageOrText, PostPart } from "@kit/contract";
import { message } from "@kit/contract/messages";
import { withinBytes } from "../accounts/account-store.ts";
import type { PostMedia } from "../networks/network.ts";
import type { EventFootage, FootageOwner } from "../posts/post-footage.ts";
import { attachmentName, networkTitle } from "../text-fit.ts";
import type { Delivery } from "./delivery-store.ts";

type SavedFootage = Extract<EventFootage, { state: "saved" }> & Pick<PostMedia, "path" | "bytes" | "width" | "height">;
/** Footage, with its file if it is saved. */
export type FootageFile = Exclude<EventFootage, { state: "saved" }> | SavedFootage;

type MediaSource = Pick<PostMedia, "path" | "kind" | "bytes" | "seconds" | "width" | "height">;

type MediaBounds = {
  readonly bytesMax: number;
  readonly secondsMax?: number;
  readonly pixelsMax?: number;
  readonly frameRateMax?: number;
};

/** Creates a copy that fits the limits. If that is impossible, rejects with an error named CannotFit that says why. */
export type FitMedia = (
  media: MediaSource,
  limits: MediaBounds,
  options: {
    /** The name of the copy. Equal for the same file and limits, so that an existing copy can be used again. */
    readonly name: string;
    readonly onProgress: (share: number) => void;
    readonly signal: AbortSignal;
  },
) => Promise<Omit<PostMedia, "kind"> & { readonly notes: readonly MessageOrText[] }>;

/** Files that are made of a clip. Both calls return the existing file if it was made before. */
export type ClipParts = {
  /** Cuts a part of a clip, without encoding if possible. */
  readonly video: (
    clip: string,
    part: PostPart,
    signal: AbortSignal,
  ) => Promise<Pick<PostMedia, "path" | "bytes" | "seconds" | "width" | "height">>;
  /** Returns the path of a JPEG of the frame at this second of the clip. */
  readonly picture: (clip: string, atSeconds: number, signal: AbortSignal) => Promise<string>;
};

export type PreparedMedia =
  | {
      readonly is: "ready";
      readonly media: PostMedia | null;
      readonly notes: readonly MessageOrText[];
      readonly clip: string | null;
    }
  /** The footage is not finished yet. */
  | { readonly is: "pending" }
  /** The footage that the post should have is not possible, and the post may not be sent without it. */
  | { readonly is: "lacking"; readonly says: Message };

export type PrepareContext = {
  readonly footage: (post: FootageOwner) => Promise<FootageFile>;
  readonly parts: ClipParts;
  readonly fit: FitMedia;
  readonly signal: AbortSignal;
  readonly onProgress: (share: number) => void;
  /** Whether this is the last attempt. Then any error is final. */
  readonly isLast: boolean;
};

type MediaRequest = Pick<
  Delivery,
  | "event"
  | "fromClip"
  | "network"
  | "attach"
  | "without"
  | "bare"
  | "bytesMax"
  | "footage"
  | "footageSays"
  | "clip"
  | "part"
  | "pictureSeconds"
>;

/** Returns the media to send. Rejects when aborted, and for an error that may not happen in another attempt. */
export async function prepareFootage(
  wanted: MediaRequest,
  accountLimits: AccountLimits,
  needs: PrepareContext,
): Promise<PreparedMedia> {
  const limits = withinBytes(accountLimits, wanted.bytesMax);
  const { attach, footage } = wanted;
  const nothing = { is: "ready", media: null, notes: [], clip: null } as const;
  if (attach === "none") return nothing;
  // The post was approved without its footage. Otherwise it would still be a draft.
  if (footage !== "ready") return { ...nothing, notes: [withoutNote(attach, wanted.footageSays)] };
  if (wanted.bytesMax === 0) return prepareWithout(wanted, message("delivery.refused_twice"));
  const found = await needs.footage(wanted);
  if (found.state === "pending") return { is: "pending" };
  if (found.state === "none") {
    const reason = { attachment: attachmentName(attach), reason: found.reason };
    return prepareWithout(wanted, message("footage.no_longer_available", reason));
  }
  if (found.id !== wanted.clip) {
    const reason = { attachment: attachmentName(attach), reason: message("footage.clip_is_other") };
    return prepareWithout(wanted, message("footage.no_longer_available", reason));
  }
  const { main, instead, missingReason } = chooseMedia(wanted, await partOfFootage(wanted, found, needs), limits);
  const fitting = async (source: MediaSource) => {
    const bounds = source.kind === "clip" ? boundsOf(limits) : { bytesMax: limits.imageBytesMax };
    const name = nameOf(found.id, source, bounds);
    const { notes, ...made } = await needs.fit(source, bounds, { ...needs, name });
    const { path, bytes, seconds, width, height, mime } = made;
    const media = { kind: source.kind, path, bytes, seconds, width, height, mime };
    const why =
      wanted.bytesMax === null ? [] : [message("delivery.made_smaller", { size: megabytes(wanted.bytesMax) })];
    return { is: "ready", media, notes: [...why, ...notes], clip: found.id } as const;
  };
  const first = main === undefined ? missingReason : await fitting(main).catch(reasonItCannotFit(needs));
  if (typeof first === "object" && "is" in first) return first;
  if (instead === undefined || !mayPostWithout(wanted)) return prepareWithout(wanted, first, instead !== undefined);
  const second = await fitting(instead).catch(reasonItCannotFit(needs));
  if (typeof second !== "object" || !("is" in second)) return prepareWithout(wanted, first);
  const note = message("delivery.picture_instead", { attachment: attachmentName(attach), reason: first });
  return { ...second, notes: [note, ...second.notes] };
}

/** Returns the footage with the part and the picture that the draft showed. */
async function partOfFootage(
  { attach, part, pictureSeconds }: MediaRequest,
  found: SavedFootage,
  { parts, signal }: PrepareContext,
): Promise<SavedFootage> {
  const { id, kind, poster } = found;
  if (kind === "screenshot") return found;
  const cut = attach === "clip" && part !== null ? await parts.video(id, part, signal) : {};
  const hasPicture = poster !== null && pictureSeconds !== null;
  return { ...found, ...cut, poster: hasPicture ? await parts.picture(id, pictureSeconds, signal) : poster };
}

export const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`;

const mayPostWithout = ({ without: said, bare }: MediaRequest) => said === "post" || bare === "agreed";

function prepareWithout(wanted: MediaRequest, problem: MessageOrText, isPicture = false): PreparedMedia {
  const { attach } = wanted;
  if (mayPostWithout(wanted)) return { is: "ready", media: null, notes: [withoutNote(attach, problem)], clip: null };
  const says = isPicture
    ? message("delivery.nothing_posted_picture", { problem })
    : message("delivery.nothing_posted_without", { problem, attachment: attachmentName(attach) });
  return { is: "lacking", says };
}

type MediaChoice = {
  /** The footage that the post should have. */
  readonly main?: MediaSource | undefined;
  /** A picture to send instead, if `main` is impossible. */
  readonly instead?: MediaSource | undefined;
  /** Why there is no `main`. */
  readonly missingReason: Message;
};

function chooseMedia({ attach, network }: MediaRequest, found: SavedFootage, limits: AccountLimits): MediaChoice {
  const { kind, poster } = found;
  const measured = { kind: "screenshot", bytes: 0, seconds: 0, width: 0, height: 0 } as const;
  const ofClip = poster === null ? undefined : { ...measured, path: poster };
  const takesPictures = limits.imageBytesMax > 0;
  const ownPicture = kind === "screenshot" ? found : ofClip;
  const picture = takesPictures ? ownPicture : undefined;
  const noPicture = takesPictures
    ? message("footage.no_picture")
    : message("account.takes_no_pictures", { network: networkTitle(network) });
  if (attach === "screenshot") return { main: picture, missingReason: noPicture };
  if (kind === "screenshot") return { instead: picture, missingReason: message("footage.no_clip") };
  const lacks = message("account.takes_no_videos", { network: networkTitle(network) });
  return limits.videoBytesMax === 0
    ? { instead: picture, missingReason: lacks }
    : { main: found, instead: picture, missingReason: lacks };
}

/**
 * Returns why the footage cannot fit. Throws other errors again, so that another attempt follows. After the last attempt,
 * returns a general reason for them.
 */
const reasonItCannotFit =
  ({ isLast, signal }: PrepareContext) =>
  (error: unknown): MessageOrText => {
    if (error instanceof Error && error.name === "CannotFit") return errorDetail(error);
    if (isLast && !signal.aborted) return message("delivery.not_fitting");
    throw error;
  };

function boundsOf({ videoBytesMax, videoSecondsMax, videoPixelsMax, videoFrameRateMax }: AccountLimits): MediaBounds {
  return {
    bytesMax: videoBytesMax,
    ...(videoSecondsMax !== null && { secondsMax: videoSecondsMax }),
    ...(videoPixelsMax !== null && { pixelsMax: videoPixelsMax }),
    ...(videoFrameRateMax !== null && { frameRateMax: videoFrameRateMax }),
  };
}

function nameOf(clip: string, { path, kind, bytes }: MediaSource, bounds: object): string {
  const of = createHash("sha256").update(JSON.stringify([path, kind, bytes, bounds]));
  return `${clip}-${of.digest("hex").slice(0, 16)}`;
}

function withoutNote(attach: Attachment, reason: MessageOrText | null): Message {
  const attachment = attachmentName(attach);
  return reason === null
    ? message("delivery.without_attachment", { attachment })
    : message("delivery.without_attachment_because", { attachment, reason });
}

/** Returns what an error says to people. */
export const errorDetail = (error: Error & { readonly detail?: MessageOrText }): MessageOrText =>
  error.detail ?? error.message;

// Prepares the media of a delivery: fits the footage to the account, or decides what is posted instead.
import { createHash } from "node:crypto";
import { type AccountLimits, type MessageOrText, textOf } from "@kit/contract";
import type { Media } from "../networks/network.ts";
import type { Footage } from "../posts/post-footage.ts";
import { networkTitle } from "../text-fit.ts";
import type { Delivery } from "./delivery-store.ts";

type SavedFootage = Extract<Footage, { state: "saved" }> & Pick<Media, "path" | "bytes" | "width" | "height">;
/** Footage with its file. */
export type FootageFile = Exclude<Footage, { state: "saved" }> | SavedFootage;

type MediaSource = Pick<Media, "path" | "kind" | "bytes" | "seconds" | "width" | "height">;

type MediaBounds = {
  readonly bytesMax: number;
  readonly secondsMax?: number;
  readonly pixelsMax?: number;
  readonly frameRateMax?: number;
};

/** Creates a copy within limits. Rejects with an error named CannotFit whose message is a sentence for people. */
export type FitMedia = (
  media: MediaSource,
  limits: MediaBounds,
  options: {
    /** Name of the copy: the same for the same file and limits. */
    readonly name: string;
    readonly onProgress: (share: number) => void;
    readonly signal: AbortSignal;
  },
) => Promise<Omit<Media, "kind"> & { readonly notes: readonly MessageOrText[] }>;

export type Prepared =
  | {
      readonly is: "ready";
      readonly media: Media | null;
      readonly notes: readonly string[];
      readonly clip: string | null;
    }
  /** The footage is not finished yet. */
  | { readonly is: "pending" }
  /** The promised media is not possible, and the post may not go without it. */
  | { readonly is: "lacking"; readonly says: string };

export type PrepareContext = {
  readonly footage: (event: string) => Promise<FootageFile>;
  readonly fit: FitMedia;
  readonly signal: AbortSignal;
  readonly onProgress: (share: number) => void;
  /** The last attempt: any error is final. */
  readonly isLast: boolean;
};

type MediaRequest = Pick<Delivery, "event" | "network" | "attach" | "without" | "bare" | "footage" | "footageSays">;

/** Rejects with the signal's reason or with a temporary error. */
export async function prepare(wanted: MediaRequest, limits: AccountLimits, needs: PrepareContext): Promise<Prepared> {
  const { attach, footage } = wanted;
  const nothing = { is: "ready", media: null, notes: [], clip: null } as const;
  if (attach === "none") return nothing;
  // The approval included this, otherwise the post would still be a draft.
  if (footage !== "ready") return { ...nothing, notes: [`posted without its ${attach}${because(wanted.footageSays)}`] };
  const found = await needs.footage(wanted.event);
  if (found.state === "pending") return { is: "pending" };
  if (found.state === "none")
    return prepareWithout(wanted, `The ${attach} is no longer available: ${textOf(found.reason)}.`);
  const { main, instead, missingReason } = chooseMedia(wanted, found, limits);
  const fitting = async (source: MediaSource) => {
    const bounds = source.kind === "clip" ? boundsOf(limits) : { bytesMax: limits.imageBytesMax };
    const name = nameOf(found.id, source, bounds);
    const { notes, ...made } = await needs.fit(source, bounds, { ...needs, name });
    const { path, bytes, seconds, width, height, mime } = made;
    const media = { kind: source.kind, path, bytes, seconds, width, height, mime };
    return { is: "ready", media, notes: notes.map(textOf), clip: found.id } as const;
  };
  const first = main === undefined ? missingReason : await fitting(main).catch(reasonItCannotFit(needs));
  if (typeof first === "object") return first;
  if (instead === undefined || !mayPostWithout(wanted)) return prepareWithout(wanted, first, instead !== undefined);
  const second = await fitting(instead).catch(reasonItCannotFit(needs));
  return typeof second === "object"
    ? { ...second, notes: [`a picture instead of its ${attach}: ${lowerFirst(first)}`, ...second.notes] }
    : prepareWithout(wanted, first);
}

const mayPostWithout = ({ without: said, bare }: MediaRequest) => said === "post" || bare === "agreed";

function prepareWithout(wanted: MediaRequest, why: string, isPicture = false): Prepared {
  const note = `posted without its ${wanted.attach}: ${lowerFirst(why)}`;
  if (mayPostWithout(wanted)) return { is: "ready", media: null, notes: [note], clip: null };
  const instead = isPicture ? "with a picture instead" : `without a ${wanted.attach}`;
  return { is: "lacking", says: `${why} Nothing was posted. If you send it again, it is posted ${instead}.` };
}

type MediaChoice = {
  /** The promised media. */
  readonly main?: MediaSource | undefined;
  /** The alternative: a picture. */
  readonly instead?: MediaSource | undefined;
  /** Why the promised media does not exist. */
  readonly missingReason: string;
};

function chooseMedia({ attach, network }: MediaRequest, found: SavedFootage, limits: AccountLimits): MediaChoice {
  const { kind, poster } = found;
  const measured = { kind: "screenshot", bytes: 0, seconds: 0, width: 0, height: 0 } as const;
  const ofClip = poster === null ? undefined : { ...measured, path: poster };
  const picture = kind === "screenshot" ? found : ofClip;
  if (attach === "screenshot")
    return { main: picture, missingReason: "There is a clip of the moment, but no picture." };
  if (kind === "screenshot")
    return { instead: picture, missingReason: "There is a picture of the moment, but no clip." };
  const lacks = `${networkTitle(network)} does not accept videos from this account.`;
  return limits.videoBytesMax === 0
    ? { instead: picture, missingReason: lacks }
    : { main: found, instead: picture, missingReason: lacks };
}

/** Returns the reason if the media cannot fit. Rethrows other errors, which are retried a few times. */
const reasonItCannotFit =
  ({ isLast, signal }: PrepareContext) =>
  (error: unknown): string => {
    if (error instanceof Error && error.name === "CannotFit") return error.message;
    if (isLast && !signal.aborted) return "It could not be converted to fit the network.";
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

const because = (reason: MessageOrText | null) => (reason === null ? "" : `: ${textOf(reason)}`);
const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1).replace(/\.$/, "");

// What a delivery shows: its footage made to fit its account, or why it cannot be shown there and what is posted instead.
import { createHash } from "node:crypto";
import type { AccountLimits } from "@kit/contract";
import { titleOf } from "../fit.ts";
import type { Media } from "../networks/network.ts";
import type { Footage } from "../posts/asked-footage.ts";
import type { Delivery } from "./outbox-store.ts";

type Saved = Extract<Footage, { state: "saved" }> & Pick<Media, "path" | "bytes" | "width" | "height">;
/** With its file. */
export type FootageFile = Exclude<Footage, { state: "saved" }> | Saved;

type Source = Pick<Media, "path" | "kind" | "bytes" | "seconds" | "width" | "height">;

type Bounds = {
  readonly bytesMax: number;
  readonly secondsMax?: number;
  readonly pixelsMax?: number;
  readonly frameRateMax?: number;
};

/** Rejects with an error named CannotFit, whose message is for a person. */
export type Fit = (
  media: Source,
  limits: Bounds,
  options: {
    /** The same for the same file and limits. */
    readonly name: string;
    readonly onProgress: (share: number) => void;
    readonly signal: AbortSignal;
  },
) => Promise<Omit<Media, "kind"> & { readonly notes: readonly string[] }>;

export type Prepared =
  | {
      readonly is: "ready";
      readonly media: Media | null;
      readonly notes: readonly string[];
      readonly clip: string | null;
    }
  /** It is still being made. */
  | { readonly is: "pending" }
  /** What was promised cannot be shown there, and nobody said that it may go without. */
  | { readonly is: "lacking"; readonly says: string };

export type PrepareNeeds = {
  readonly footage: (event: string) => Promise<FootageFile>;
  readonly fit: Fit;
  readonly signal: AbortSignal;
  readonly onProgress: (share: number) => void;
  /** It failed often enough: whatever stands in the way now stands in the way for good. */
  readonly isLast: boolean;
};

type Wanted = Pick<Delivery, "event" | "network" | "attach" | "without" | "bare" | "footage" | "footageSays">;

/** Rejects with the signal's reason, or with what stands in the way for now. */
export async function prepare(wanted: Wanted, limits: AccountLimits, needs: PrepareNeeds): Promise<Prepared> {
  const { attach, footage } = wanted;
  const nothing = { is: "ready", media: null, notes: [], clip: null } as const;
  if (attach === "none") return nothing;
  // Whoever approved it knew: it is asked about otherwise.
  if (footage !== "ready") return { ...nothing, notes: [`posted without its ${attach}${because(wanted.footageSays)}`] };
  const found = await needs.footage(wanted.event);
  if (found.state === "pending") return { is: "pending" };
  if (found.state === "none") return without(wanted, `Its ${attach} cannot be had any more: ${found.reason}.`);
  const { main, instead, lacks } = chosen(wanted, found, limits);
  const fitting = async (source: Source) => {
    const bounds = source.kind === "clip" ? boundsOf(limits) : { bytesMax: limits.imageBytesMax };
    const name = nameOf(found.id, source, bounds);
    const { notes, ...made } = await needs.fit(source, bounds, { ...needs, name });
    const { path, bytes, seconds, width, height, mime } = made;
    const media = { kind: source.kind, path, bytes, seconds, width, height, mime };
    return { is: "ready", media, notes, clip: found.id } as const;
  };
  const first = main === undefined ? lacks : await fitting(main).catch(whyNot(needs));
  if (typeof first === "object") return first;
  if (instead === undefined || !mayGoWithout(wanted)) return without(wanted, first, instead !== undefined);
  const second = await fitting(instead).catch(whyNot(needs));
  return typeof second === "object"
    ? { ...second, notes: [`a picture instead of its ${attach}: ${lowerFirst(first)}`, ...second.notes] }
    : without(wanted, first);
}

const mayGoWithout = ({ without: said, bare }: Wanted) => said === "post" || bare === "agreed";

function without(wanted: Wanted, why: string, isPicture = false): Prepared {
  const note = `posted without its ${wanted.attach}: ${lowerFirst(why)}`;
  if (mayGoWithout(wanted)) return { is: "ready", media: null, notes: [note], clip: null };
  const instead = isPicture ? "with a picture instead" : `without a ${wanted.attach}`;
  return { is: "lacking", says: `${why} Nothing was posted. Sent again, it goes ${instead}.` };
}

type Choice = {
  /** What was promised. */
  readonly main?: Source | undefined;
  /** The next best, which is a picture. */
  readonly instead?: Source | undefined;
  /** Why there is nothing that was promised, where there is not. */
  readonly lacks: string;
};

function chosen({ attach, network }: Wanted, found: Saved, limits: AccountLimits): Choice {
  const { kind, poster } = found;
  const measured = { kind: "screenshot", bytes: 0, seconds: 0, width: 0, height: 0 } as const;
  const ofClip = poster === null ? undefined : { ...measured, path: poster };
  const picture = kind === "screenshot" ? found : ofClip;
  if (attach === "screenshot") return { main: picture, lacks: "There is a clip of its moment, and no picture." };
  if (kind === "screenshot") return { instead: picture, lacks: "There is a picture of its moment, and no clip." };
  const lacks = `${titleOf(network)} takes no videos there.`;
  return limits.videoBytesMax === 0 ? { instead: picture, lacks } : { main: found, instead: picture, lacks };
}

/** Anything else is for now: it is tried again, a few times. */
const whyNot =
  ({ isLast, signal }: PrepareNeeds) =>
  (error: unknown): string => {
    if (error instanceof Error && error.name === "CannotFit") return error.message;
    if (isLast && !signal.aborted) return "It could not be made to fit.";
    throw error;
  };

function boundsOf({ videoBytesMax, videoSecondsMax, videoPixelsMax, videoFrameRateMax }: AccountLimits): Bounds {
  return {
    bytesMax: videoBytesMax,
    ...(videoSecondsMax !== null && { secondsMax: videoSecondsMax }),
    ...(videoPixelsMax !== null && { pixelsMax: videoPixelsMax }),
    ...(videoFrameRateMax !== null && { frameRateMax: videoFrameRateMax }),
  };
}

function nameOf(clip: string, { path, kind, bytes }: Source, bounds: object): string {
  const of = createHash("sha256").update(JSON.stringify([path, kind, bytes, bounds]));
  return `${clip}-${of.digest("hex").slice(0, 16)}`;
}

const because = (reason: string | null) => (reason === null ? "" : `: ${reason}`);
const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1).replace(/\.$/, "");

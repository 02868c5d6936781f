// Makes the poster and preview of each clip, one at a time: posters first, previews only while no clip is cut.
import type { Clip } from "@kit/contract";
import type { Statement } from "../../storage/sql.ts";
import type { ClipFiles } from "../clips/clip-files.ts";
import type { StoredClip } from "../clips/clip-row.ts";
import { markClipPictured } from "../clips/clip-store.ts";
import { bestMoment, offsetInFile } from "../plans/plan.ts";

type Kind = "poster" | "preview";
type PicturedClip = Pick<StoredClip, "file" | "fromMs" | "deletedAtMs" | "moments"> & {
  readonly clip: Pick<Clip, "duration">;
};
type ShownClip = Pick<Clip, "id" | "kind" | "state" | "missing" | "deletedAt" | Kind>;

export type ClipPictures = {
  requestPoster(id: string): void;
  requestPreview(id: string): void;
  /** Must be called when a user looks at clips: requests what they lack after a failure, a crash or a full queue. Cheap. */
  requestMissing(clips: readonly ShownClip[]): void;
  /** Aborts a running preview. Makes no more until each call of `pausePreviews` was followed by one of `resumePreviews`. */
  pausePreviews(): void;
  resumePreviews(): void;
  /** Resolves when the picture in progress is finished. */
  stop(): Promise<void>;
};

export type ClipPicturesDeps = {
  readonly find: (id: string) => Promise<PicturedClip | undefined>;
  readonly files: Pick<ClipFiles, "createFolders" | "makePoster" | "makePreview">;
  readonly write: (...statements: Statement[]) => Promise<void>;
  /** Returns true while a moment may still join the clip. It gets its preview afterwards. */
  readonly isGrowing: (id: string) => boolean;
  readonly monoMs: () => number;
  readonly onChanged: () => void;
  readonly onFailure: (what: string, error: unknown) => void;
};

type PictureRequest = { readonly id: string; readonly kind: Kind };

/** How long a picture that failed is not tried again, however often somebody looks. */
const retryAfterMs = 600_000;
/** Maximum number of waiting requests. Beyond it, the oldest is dropped, until somebody looks at its clip. */
const waitingMax = 200;

/** A clip is pictured at its best moment, otherwise in its middle. */
function offsetOf({ clip, fromMs, moments }: PicturedClip): number {
  const best = bestMoment(moments);
  const durationMs = clip.duration * 1_000;
  const wantedMs = best === undefined ? durationMs / 2 : offsetInFile(best, fromMs);
  return Math.max(0, Math.min(wantedMs, durationMs - 100));
}

const isSame = (one: PictureRequest) => (other: PictureRequest) => one.id === other.id && one.kind === other.kind;

function missingPictures({ id, kind, state, missing, deletedAt, poster, preview }: ShownClip): PictureRequest[] {
  if (kind === "marker" || state !== "saved" || missing || deletedAt !== null) return [];
  return [
    ...(poster ? [] : [{ id, kind: "poster" } as const]),
    ...(preview || kind !== "clip" ? [] : [{ id, kind: "preview" } as const]),
  ];
}

export function createClipPictures(deps: ClipPicturesDeps): ClipPictures {
  const { find, files, write, isGrowing, monoMs, onChanged, onFailure } = deps;
  let waiting: readonly PictureRequest[] = [];
  let failed: readonly (PictureRequest & { readonly atMs: number })[] = [];
  let pauses = 0;
  let isStopped = false;
  let running: { readonly request: PictureRequest; readonly abort: AbortController; ended: Promise<void> } | undefined;

  const make = async (request: PictureRequest, signal: AbortSignal) => {
    const { id, kind } = request;
    try {
      const found = await find(id);
      if (found === undefined || found.file === null || found.deletedAtMs !== null) return;
      await files.createFolders();
      if (kind === "poster") await files.makePoster(id, found.file, offsetOf(found));
      else await files.makePreview(id, found.file, offsetOf(found), signal);
      await write(markClipPictured(id, kind));
      onChanged();
    } catch (error) {
      if (signal.aborted) waiting = [request, ...waiting];
      else {
        failed = [...failed, { ...request, atMs: monoMs() }].slice(-waitingMax);
        onFailure(kind, error);
      }
    }
  };
  const startNext = () => {
    if (running !== undefined || isStopped) return;
    const possible = waiting.filter(({ kind }) => kind === "poster" || pauses === 0);
    const request = possible.find(({ kind }) => kind === "poster") ?? possible[0];
    if (request === undefined) return;
    waiting = waiting.filter((other) => other !== request);
    const abort = new AbortController();
    const ended = make(request, abort.signal).then(() => {
      running = undefined;
      startNext();
    });
    running = { request, abort, ended };
  };
  const add = (request: PictureRequest) => {
    const isOther = (other: PictureRequest) => !isSame(request)(other);
    failed = failed.filter(isOther);
    waiting = [...waiting.filter(isOther), request].slice(-waitingMax);
    startNext();
  };
  const isDue = (request: PictureRequest) => {
    const inProgress = running === undefined ? waiting : [running.request, ...waiting];
    const recent = failed.filter(({ atMs }) => monoMs() - atMs < retryAfterMs);
    if (request.kind === "preview" && isGrowing(request.id)) return false;
    return ![...inProgress, ...recent].some(isSame(request));
  };
  const abortPreview = () => {
    if (running?.request.kind === "preview") running.abort.abort();
  };
  return {
    requestPoster: (id) => add({ id, kind: "poster" }),
    requestPreview: (id) => add({ id, kind: "preview" }),
    requestMissing(clips) {
      for (const request of clips.flatMap(missingPictures)) if (isDue(request)) add(request);
    },
    pausePreviews() {
      pauses += 1;
      abortPreview();
    },
    resumePreviews() {
      pauses -= 1;
      startNext();
    },
    async stop() {
      isStopped = true;
      abortPreview();
      await running?.ended;
    },
  };
}

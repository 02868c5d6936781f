// Makes the poster and preview of each clip, one at a time: posters first, previews only while no clip is cut.
import type { Statement } from "../../storage/sql.ts";
import type { ClipFiles } from "../clips/clip-files.ts";
import { updateClipPictures } from "../clips/clip-store.ts";

type PictureSource = {
  readonly id: string;
  /** Relative to the clips folder. */
  readonly file: string;
  /** The time in the clip that the picture shows. */
  readonly offsetMs: number;
};

export type ClipPictures = {
  requestPoster(source: PictureSource): void;
  requestPreview(source: PictureSource): void;
  /** Aborts a running preview. Makes no more until each call of `pausePreviews` was followed by one of `resumePreviews`. */
  pausePreviews(): void;
  resumePreviews(): void;
  /** Resolves when the picture in progress is finished. */
  stop(): Promise<void>;
};

export type ClipPicturesDeps = {
  readonly files: Pick<ClipFiles, "makePoster" | "makePreview">;
  readonly write: (...statements: Statement[]) => Promise<void>;
  readonly onChanged: () => void;
  readonly onFailure: (what: string, error: unknown) => void;
};

type Kind = "poster" | "preview";
type PictureRequest = PictureSource & { readonly kind: Kind; readonly failures: number };

/** On a busy machine, ffmpeg may take too long beside a game. */
const triesMax = 3;
/** Maximum number of waiting requests. Beyond it, the oldest is dropped, because a clip works without pictures. */
const waitingMax = 200;

export function createClipPictures({ files, write, onChanged, onFailure }: ClipPicturesDeps): ClipPictures {
  let waiting: readonly PictureRequest[] = [];
  /** Clips that got a poster since the start, and no preview yet. */
  const withPoster = new Set<string>();
  let pauses = 0;
  let isStopped = false;
  let running: { readonly kind: Kind; readonly abort: AbortController; readonly ended: Promise<void> } | undefined;

  const make = async (request: PictureRequest, signal: AbortSignal) => {
    const { id, file, offsetMs, kind } = request;
    try {
      if (kind === "poster") await files.makePoster(id, file, offsetMs);
      else await files.makePreview(id, file, offsetMs, signal);
      if (kind === "poster") withPoster.add(id);
      await write(updateClipPictures(id, { poster: withPoster.has(id), preview: kind === "preview" }));
      if (kind === "preview") withPoster.delete(id);
      onChanged();
    } catch (error) {
      if (signal.aborted) waiting = [request, ...waiting];
      else if (request.failures + 1 < triesMax) waiting = [...waiting, { ...request, failures: request.failures + 1 }];
      else onFailure(kind, error);
    }
  };
  const startNext = () => {
    if (running !== undefined || isStopped) return;
    const possible = waiting.filter(({ kind }) => kind === "poster" || pauses === 0);
    const first = possible.filter(({ failures }) => failures === 0);
    const request = first.find(({ kind }) => kind === "poster") ?? first[0] ?? possible[0];
    if (request === undefined) return;
    waiting = waiting.filter((other) => other !== request);
    const abort = new AbortController();
    const ended = make(request, abort.signal).then(() => {
      running = undefined;
      startNext();
    });
    running = { kind: request.kind, abort, ended };
  };
  const requestPicture = (kind: Kind) => (source: PictureSource) => {
    const others = waiting.filter((request) => request.id !== source.id || request.kind !== kind);
    waiting = [...others, { ...source, kind, failures: 0 }].slice(-waitingMax);
    startNext();
  };
  const abortPreview = () => {
    if (running?.kind === "preview") running.abort.abort();
  };
  return {
    requestPoster: requestPicture("poster"),
    requestPreview: requestPicture("preview"),
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

// The pictures beside a clip: a poster soon, a short preview when nothing is cut. One at a time: the game needs the machine.
import type { Statement } from "../../storage/sql.ts";
import type { ClipFiles } from "../clips/clip-files.ts";
import { pictured } from "../clips/clip-store.ts";

type Pictured = {
  readonly id: string;
  /** Relative to the clips folder. */
  readonly file: string;
  /** Where the picture is taken. */
  readonly offsetMs: number;
};

export type Pictures = {
  poster(of: Pictured): void;
  preview(of: Pictured): void;
  /** Something is cut now: previews stop at once and go on when all of it is done. */
  hold(): void;
  release(): void;
  /** Resolves when the one under way has ended. */
  stop(): Promise<void>;
};

export type PicturesNeeds = {
  readonly files: Pick<ClipFiles, "poster" | "preview">;
  readonly write: (...statements: Statement[]) => Promise<void>;
  readonly onChanged: () => void;
  readonly onFailure: (what: string, error: unknown) => void;
};

type What = "poster" | "preview";
type Wish = Pictured & { readonly what: What };

/** Beyond it the oldest wish is forgotten: a clip is as good without a picture. */
const waitingMax = 200;

export function createPictures({ files, write, onChanged, onFailure }: PicturesNeeds): Pictures {
  let waiting: readonly Wish[] = [];
  /** Clips that have a poster, as far as it was made here. */
  const posters = new Set<string>();
  let holds = 0;
  let isStopped = false;
  let running: { readonly what: What; readonly abort: AbortController; readonly ended: Promise<void> } | undefined;

  const make = async (wish: Wish, signal: AbortSignal) => {
    const { id, file, offsetMs, what } = wish;
    try {
      if (what === "poster") await files.poster(id, file, offsetMs);
      else await files.preview(id, file, offsetMs, signal);
      if (what === "poster") posters.add(id);
      await write(pictured(id, { poster: posters.has(id), preview: what === "preview" }));
      if (what === "preview") posters.delete(id);
      onChanged();
    } catch (error) {
      if (signal.aborted) waiting = [wish, ...waiting];
      else onFailure(what, error);
    }
  };
  const next = () => {
    if (running !== undefined || isStopped) return;
    const wish = waiting.find(({ what }) => what === "poster") ?? (holds > 0 ? undefined : waiting[0]);
    if (wish === undefined) return;
    waiting = waiting.filter((other) => other !== wish);
    const abort = new AbortController();
    const ended = make(wish, abort.signal).then(() => {
      running = undefined;
      next();
    });
    running = { what: wish.what, abort, ended };
  };
  const want = (what: What) => (of: Pictured) => {
    const others = waiting.filter((wish) => wish.id !== of.id || wish.what !== what);
    waiting = [...others, { ...of, what }].slice(-waitingMax);
    next();
  };
  const interrupt = () => {
    if (running?.what === "preview") running.abort.abort();
  };
  return {
    poster: want("poster"),
    preview: want("preview"),
    hold() {
      holds += 1;
      interrupt();
    },
    release() {
      holds -= 1;
      next();
    },
    async stop() {
      isStopped = true;
      interrupt();
      await running?.ended;
    },
  };
}

// Hands the capture over from one backend to another without losing footage that is held for clips.
import { type CaptureBackend, type CutRequest, type Footage, NoFootage } from "./backend.ts";

/** The time in which a backend captured. `toMs` is null while it still captures. */
type CaptureSpan = { readonly backend: CaptureBackend; readonly fromMs: number; toMs: number | null };

export type BackendSwitch = {
  /** Makes this the current backend. Undefined stops the capture. */
  switchTo(backend: CaptureBackend | undefined): void;
  /** Starts the current backend again, with the current settings. */
  restart(): Promise<void>;
  current(): CaptureBackend | undefined;
  hold(id: string, fromMs: number): void;
  release(id: string): void;
  isHeld(): boolean;
  /** True if any backend has captured. */
  hasFootage(): boolean;
  cut(request: CutRequest): Promise<Footage>;
  /** Stops replaced backends that are no longer needed. Called when a backend's state changed. */
  stopUnneeded(): void;
  /** Releases all holds. Resolves when no backend captures. */
  stop(): Promise<void>;
};

const spansMax = 8;

export function createBackendSwitch({ onChanged, now }: { onChanged: () => void; now: () => number }): BackendSwitch {
  const holds = new Map<string, number>();
  let spans: CaptureSpan[] = [];
  let current: CaptureBackend | undefined;
  /** Replaced backends with the ids they hold. They capture until their successor does and these ids are released. */
  const retiring = new Map<CaptureBackend, Set<string>>();
  let stopping: Promise<unknown> = Promise.resolve();

  const stopBackend = (backend: CaptureBackend) => {
    retiring.delete(backend);
    for (const span of spans) if (span.backend === backend) span.toMs ??= now();
    stopping = Promise.all([stopping, backend.stop()]);
  };
  const stopUnneeded = () => {
    const hasSuccessor = current?.state().state === "recording";
    for (const [backend, heldIds] of retiring) {
      const isRecording = backend.state().state === "recording";
      if (!isRecording || current === undefined || (hasSuccessor && heldIds.size === 0)) stopBackend(backend);
    }
  };
  const startBackend = (backend: CaptureBackend) => {
    for (const [id, fromMs] of holds) backend.hold(id, fromMs);
    const isStillCapturing = retiring.delete(backend);
    if (isStillCapturing) return;
    spans = [...spans, { backend, fromMs: now(), toMs: null }].slice(-spansMax);
    void backend.start();
  };
  const currentSinceMs = () => spans.findLast((span) => span.backend === current)?.fromMs ?? Number.POSITIVE_INFINITY;
  const overlapMs = ({ fromMs, toMs }: CaptureSpan, request: CutRequest) =>
    Math.min(toMs ?? Number.POSITIVE_INFINITY, request.toMs) - Math.max(fromMs, request.fromMs);
  /** Each backend once, the one with most of the range first, and of equals the later one. */
  const backendsByOverlap = (request: CutRequest): CaptureBackend[] => {
    const sorted = spans.toReversed().toSorted((a, b) => overlapMs(b, request) - overlapMs(a, request));
    return [...new Set(sorted.map((span) => span.backend))];
  };
  const release = (id: string) => {
    holds.delete(id);
    for (const backend of new Set(spans.map((span) => span.backend))) backend.release(id);
    for (const heldIds of retiring.values()) heldIds.delete(id);
    stopUnneeded();
  };

  return {
    switchTo(backend) {
      if (backend === current) return;
      const previous = current;
      current = backend;
      if (previous !== undefined) retiring.set(previous, new Set(holds.keys()));
      if (backend !== undefined) startBackend(backend);
      stopUnneeded();
      onChanged();
    },
    restart: async () => current?.start(),
    current: () => current,
    hold(id, fromMs) {
      holds.set(id, fromMs);
      current?.hold(id, fromMs);
      for (const [backend, heldIds] of retiring) {
        if (fromMs >= currentSinceMs()) continue;
        heldIds.add(id);
        backend.hold(id, fromMs);
      }
    },
    release,
    isHeld: () => holds.size > 0,
    hasFootage: () => spans.length > 0,
    async cut(request) {
      let failure: unknown = new NoFootage("No capture was running at that time");
      for (const backend of backendsByOverlap(request)) {
        try {
          return await backend.cut(request);
        } catch (error) {
          failure = error;
          if (!(error instanceof NoFootage)) break;
        }
      }
      throw failure;
    },
    stopUnneeded,
    async stop() {
      for (const id of [...holds.keys()]) release(id);
      for (const backend of new Set([...retiring.keys(), ...(current ? [current] : [])])) stopBackend(backend);
      current = undefined;
      await stopping;
    },
  };
}

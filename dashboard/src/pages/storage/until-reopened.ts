// Waits until the launcher has opened anew.

type Look = () => Promise<"before" | "after">;
type Waiting = {
  /** Says whether who answers is the launcher from before or after; rejects while nobody answers. */
  readonly look: Look;
  readonly pause: () => Promise<void>;
  readonly signal: AbortSignal;
};

/** Resolves when it is there again; never rejects. Given up only with the page. */
export async function untilReopened({ look, pause, signal }: Waiting): Promise<void> {
  while (!signal.aborted) {
    const who = await look().catch(() => "nobody" as const);
    if (who === "after") return;
    await pause();
  }
}

// Waits until the launcher has restarted.

type CheckLauncher = () => Promise<"before" | "after">;
type WaitForRestartDeps = {
  /** Returns whether the old or the new launcher answers; rejects while none does. */
  readonly check: CheckLauncher;
  readonly pause: () => Promise<void>;
  readonly signal: AbortSignal;
};

/** Resolves when the new launcher answers, or when `signal` aborts; never rejects. */
export async function waitForRestart({ check, pause, signal }: WaitForRestartDeps): Promise<void> {
  while (!signal.aborted) {
    const answer = await check().catch(() => "nobody" as const);
    if (answer === "after") return;
    await pause();
  }
}

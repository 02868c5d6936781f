// Waits until the launcher has restarted.

type CheckLauncher = () => Promise<"before" | "after">;
type WaitForRestartDeps = {
  /** Resolves to which launcher answers, the old or the new one. Rejects while none does. */
  readonly check: CheckLauncher;
  readonly pause: () => Promise<void>;
  readonly signal: AbortSignal;
};

/** Resolves when the new launcher answers, or when `signal` aborts. Never rejects. */
export async function waitForRestart({ check, pause, signal }: WaitForRestartDeps): Promise<void> {
  while (!signal.aborted) {
    const answer = await check().catch(() => "nobody" as const);
    if (answer === "after") return;
    await pause();
  }
}

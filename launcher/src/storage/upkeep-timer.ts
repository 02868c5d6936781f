// Runs regular upkeep once a minute while the database is in use, and once an hour at rest, when hardly anything is due and a
// read would start the reading thread again.

const everyMs = 60_000;
const turnsAtRest = 60;

type UpkeepTimerDeps = {
  readonly run: () => unknown;
  readonly isResting: () => boolean;
};

/** Returns a function that stops the timer. */
export function startUpkeepTimer({ run, isResting }: UpkeepTimerDeps): () => void {
  let skipped = 0;
  const timer = setInterval(() => {
    skipped = isResting() ? skipped + 1 : turnsAtRest;
    if (skipped < turnsAtRest) return;
    skipped = 0;
    run();
  }, everyMs).unref();
  return () => clearInterval(timer);
}

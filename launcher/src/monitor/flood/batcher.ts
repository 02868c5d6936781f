// Collects items while a batch runs, so that a flood costs one commit or one read for all items that arrived meanwhile.

/** Returns a function that adds an item to the next batch and settles as that batch does. */
export function createBatcher<Item, Outcome>(
  run: (items: readonly Item[]) => Promise<Outcome>,
): (item: Item) => Promise<Outcome> {
  let gathering: Item[] = [];
  let next: Promise<Outcome> | undefined;
  let running: Promise<unknown> = Promise.resolve();

  const begin = (): Promise<Outcome> => {
    const items = gathering;
    gathering = [];
    next = undefined;
    const outcome = run(items);
    running = outcome.catch(() => undefined);
    return outcome;
  };
  return (item) => {
    gathering.push(item);
    next ??= running.then(begin);
    return next;
  };
}

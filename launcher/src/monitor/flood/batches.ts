// While one batch is under way the next one gathers: a flood costs one commit, or one read, for all that came meanwhile.

/** Each item resolves, or rejects, with what its batch does. */
export function createBatches<Item, Outcome>(
  run: (items: readonly Item[]) => Promise<Outcome>,
): (item: Item) => Promise<Outcome> {
  let gathering: Item[] = [];
  let next: Promise<Outcome> | undefined;
  let underWay: Promise<unknown> = Promise.resolve();

  const begin = (): Promise<Outcome> => {
    const items = gathering;
    gathering = [];
    next = undefined;
    const outcome = run(items);
    underWay = outcome.catch(() => undefined);
    return outcome;
  };
  return (item) => {
    gathering.push(item);
    next ??= underWay.then(begin);
    return next;
  };
}

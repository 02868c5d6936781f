// Finds out how to capture before a game's first moment asks for it, once the launcher's own start is over.

export type PreparationNeeds = {
  readonly afterMs: number;
  /** Asked when it is time. */
  readonly isOfUse: () => boolean;
  /** Never rejects. */
  readonly prepare: (signal: AbortSignal) => Promise<void>;
};

export type Preparation = {
  /** Counts from now, again where it did already. */
  soon(): void;
  /** Resolves when nothing of it runs. */
  stop(): Promise<void>;
};

export function createPreparation({ afterMs, isOfUse, prepare }: PreparationNeeds): Preparation {
  const ended = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let prepared: Promise<unknown> = Promise.resolve();
  return {
    soon() {
      clearTimeout(timer);
      timer = setTimeout(() => {
        if (isOfUse()) prepared = Promise.all([prepared, prepare(ended.signal)]);
      }, afterMs).unref();
    },
    async stop() {
      clearTimeout(timer);
      ended.abort();
      await prepared;
    },
  };
}

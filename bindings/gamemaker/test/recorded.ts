// A game whose requests are recorded instead of sent.
import { type GameNeeds, loadGame, type StartGame } from "./game.ts";
import type { Machine } from "./runtime/machine.ts";

export type Sent = {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

export type Recorded = {
  readonly game: Machine;
  readonly sent: Sent[];
  call(name: string, ...given: unknown[]): unknown;
  /** The payloads sent so far. */
  payloads(): Record<string, string>[];
};

export function record(start: StartGame, needs: Partial<GameNeeds> = {}): Recorded {
  const sent: Sent[] = [];
  const send = (url: string, method: string, headers: Record<string, string>, body: string) =>
    void sent.push({ url, method, headers, body });
  const game = start({ send, ...needs });
  return {
    game,
    sent,
    call: (name, ...given) => {
      const called = game.functions[name];
      if (called === undefined) throw new Error(`no script function ${name}`);
      return called(...given);
    },
    payloads: () => sent.map(({ body }) => JSON.parse(body) as Record<string, string>),
  };
}

/** Loads something at its first use, so that skipped tests load nothing. */
export function lazily<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined;
  return () => {
    loading ??= load();
    return loading;
  };
}

export const sdkGame: () => Promise<StartGame> = lazily(() => loadGame());

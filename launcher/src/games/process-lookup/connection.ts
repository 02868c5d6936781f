// A connection by its two ends.

/** What a socket of Node's tells of its two ends; nothing once it is closed. */
export type Connection = {
  readonly remoteAddress?: string | undefined;
  readonly remotePort?: number | undefined;
  readonly localAddress?: string | undefined;
  readonly localPort?: number | undefined;
};

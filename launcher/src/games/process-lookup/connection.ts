// The addresses of a TCP connection.

/** The two ends of a connection, as a Node socket describes them; undefined once the socket is closed. */
export type Connection = {
  readonly remoteAddress?: string | undefined;
  readonly remotePort?: number | undefined;
  readonly localAddress?: string | undefined;
  readonly localPort?: number | undefined;
};

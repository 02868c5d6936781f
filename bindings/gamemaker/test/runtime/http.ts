// http_request as GML calls it. The caller supplies what sends the requests.
import { fail } from "./values.ts";

export type Send = (url: string, method: string, headers: Record<string, string>, body: string) => void;

export type Http = {
  readonly send: Send;
  /** Requests without an answer so far. */
  readonly pending: () => number;
  /** Requests whose bytes the system has not taken completely. */
  readonly unsent: () => number;
  close(): void;
};

/** http_request as GML calls it. A body that is not a string means a buffer, which this runtime does not have. */
export function httpFunction(send: Send, headersOf: (id: number) => Map<unknown, unknown>) {
  let made = 0;
  return (url: string, method: string, map: number, body: unknown) => {
    if (typeof body !== "string") return fail("a body that is no string is taken for a buffer");
    const headers = [...headersOf(map)].map(([name, value]) => {
      if (typeof name !== "string" || typeof value !== "string") fail("headers are strings");
      return [name, value] as const;
    });
    send(url, method, Object.fromEntries(headers) as Record<string, string>, body);
    return made++;
  };
}

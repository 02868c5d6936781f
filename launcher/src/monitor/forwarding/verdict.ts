// What an answer means: taken, later, never this one, or nothing more until a person did something.
import type { Answer } from "./post.ts";

export type Verdict =
  | { readonly outcome: "delivered" }
  /** The server kept all but so many of them, and will not take these. */
  | { readonly outcome: "partly"; readonly rejected: number; readonly says: string }
  | { readonly outcome: "later"; readonly says: string }
  /** The server cannot read these; others it may. */
  | { readonly outcome: "unreadable"; readonly says: string }
  | { readonly outcome: "stopped"; readonly says: string };

const stops: Readonly<Record<number, string>> = {
  400: "The server could not read the report (400). Check that the address is that of a server of this kind, then start the target again.",
  401: "The server does not accept the key (401). Give the target the key its project shows now.",
  403: "The server refuses this key (403). Look in its project settings whether the key or the project is switched off.",
  404: "There is nothing at this address (404). Check the address and the project.",
  405: "This address takes no reports (405). Check the address and the project.",
  407: "A proxy asks for a password (407). Give an address that is reached without one.",
  410: "The project is gone (410). Check the address and the project.",
};

export function verdictOn({ status }: Answer): Verdict {
  if (status >= 200 && status < 300) return { outcome: "delivered" };
  if (status >= 300 && status < 400)
    return {
      outcome: "stopped",
      says: `The server sends on to another address (${status}), which is not followed. Give the address it moved to.`,
    };
  if (status === 413) return { outcome: "unreadable", says: "The report is too large for the server (413)." };
  if (status === 422) return { outcome: "unreadable", says: "The server will not take the report as it is (422)." };
  const stop = stops[status];
  if (stop !== undefined) return { outcome: "stopped", says: stop };
  if (status === 429) return { outcome: "later", says: "The server asks for fewer requests (429)." };
  return { outcome: "later", says: `The server failed (${status}).` };
}

const firstMs = 1_000;
const longestMs = 600_000;

/** Twice as long after each failure, up to ten minutes, of which chance takes up to a half: many launchers must not come back at once. */
export function backoffMs(failures: number, random: number): number {
  const wholeMs = Math.min(longestMs, firstMs * 2 ** Math.min(failures - 1, 20));
  return Math.round(wholeMs * (1 - random / 2));
}

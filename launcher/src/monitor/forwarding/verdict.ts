// Decides what a server's answer means: sent, retry later, drop this report, or stop until a person acts.
import type { Answer } from "./post-once.ts";

/** The server stored all reports except `rejected`, which it will never accept, for the reason in `says`. */
export type Accepted = { readonly rejected: number; readonly says: string | null };

export type Verdict =
  | (Accepted & { readonly outcome: "sent" })
  /** Refused: the server cannot read these reports. It may accept others. */
  | { readonly outcome: "later" | "refused" | "stopped"; readonly says: string };

const stopReasons: Readonly<Record<number, string>> = {
  400: "The server could not read the report (400). Check that the address belongs to a server of this type, then restart the target.",
  401: "The server does not accept the key (401). Enter the current key from the project's settings.",
  403: "The server refuses this key (403). Check in the project's settings whether the key or the project is disabled.",
  404: "The server has nothing at this address (404). Check the address and the project.",
  405: "This address does not accept reports (405). Check the address and the project.",
  407: "A proxy requires a password (407). Enter an address that is reachable without one.",
  410: "The project no longer exists (410). Check the address and the project.",
};

export function verdictFor({ status }: Answer): Verdict {
  if (status >= 200 && status < 300) return { outcome: "sent", rejected: 0, says: null };
  if (status >= 300 && status < 400)
    return {
      outcome: "stopped",
      says: `The server redirects to another address (${status}). Kit does not follow redirects; enter the new address.`,
    };
  if (status === 413) return { outcome: "refused", says: "The report is too large for the server (413)." };
  if (status === 422) return { outcome: "refused", says: "The server rejected the report as invalid (422)." };
  const stop = stopReasons[status];
  if (stop !== undefined) return { outcome: "stopped", says: stop };
  if (status === 429) return { outcome: "later", says: "The server asks for fewer requests (429)." };
  return { outcome: "later", says: `The server failed (${status}).` };
}

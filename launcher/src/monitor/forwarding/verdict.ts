// Decides what a server's answer means: sent, retry later, drop this report, or stop until a person acts.
import type { Message } from "@kit/contract";
import { message } from "@kit/contract/messages";
import type { HttpAnswer } from "./post-once.ts";

/** The server stored the reports, except for `rejected` of them, which it will never accept. `says` is its reason. */
export type AcceptedBatch = { readonly rejected: number; readonly says: Message | null };

export type AnswerVerdict =
  | (AcceptedBatch & { readonly outcome: "sent" })
  /** `refused`: the server does not accept these reports, but may accept others. `stopped`: a person has to do something. */
  | { readonly outcome: "later" | "refused" | "stopped"; readonly says: Message };

const stopReasons: Readonly<Record<number, Message>> = {
  400: message("target.unreadable_report"),
  401: message("target.key_rejected"),
  403: message("target.key_refused"),
  404: message("target.nothing_there"),
  405: message("target.takes_no_reports"),
  407: message("target.proxy_password"),
  410: message("target.project_gone"),
};

export function verdictForAnswer({ status }: HttpAnswer): AnswerVerdict {
  if (status >= 200 && status < 300) return { outcome: "sent", rejected: 0, says: null };
  if (status >= 300 && status < 400)
    return {
      outcome: "stopped",
      says: message("target.redirected", { status }),
    };
  if (status === 413) return { outcome: "refused", says: message("target.large_report") };
  if (status === 422) return { outcome: "refused", says: message("target.invalid_report") };
  const stop = stopReasons[status];
  if (stop !== undefined) return { outcome: "stopped", says: stop };
  if (status === 429) return { outcome: "later", says: message("target.rate_limit") };
  return { outcome: "later", says: message("target.failed", { status }) };
}

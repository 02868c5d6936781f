// A receiver as described by Standard Webhooks (https://www.standardwebhooks.com, specification 1.0.0). It verifies with the
// specification's own library and accepts each id once.
import { Webhook } from "standardwebhooks";
import type { StandIn } from "../../test/wire.ts";
import type { WebhookPayload } from "../webhook.ts";

export type Taken = {
  readonly id: string;
  readonly payload: WebhookPayload & { data: { media: { base64?: string } | null } };
};

export type WebhookStandIn = StandIn & {
  readonly taken: readonly Taken[];
  /** Verified requests, including repeats. */
  readonly verified: number;
};

export function createWebhookStandIn(secret: string): WebhookStandIn {
  const verifier = new Webhook(secret);
  const taken = new Map<string, Taken>();
  const standIn = {
    verified: 0,
    get taken() {
      return [...taken.values()];
    },
    get made() {
      return taken.size;
    },
    isMaking: () => true,
    async answer({ method, url, headers, body }: Parameters<StandIn["answer"]>[0]) {
      if (method !== "POST" || url.pathname !== "/posts") return { status: 404 };
      if (headers["content-type"] !== "application/json") return { status: 415 };
      try {
        verifier.verify(body, headers as Record<string, string>);
      } catch {
        return { status: 401 };
      }
      standIn.verified += 1;
      const id = String(headers["webhook-id"]);
      const payload = JSON.parse(body.toString()) as Taken["payload"];
      if (!taken.has(id)) taken.set(id, { id, payload });
      return { status: 200 };
    },
  };
  return standIn;
}

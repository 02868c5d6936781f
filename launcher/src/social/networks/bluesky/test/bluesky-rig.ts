// A launcher with one account at Bluesky's own server, and what the server has of its posts.
import assert from "node:assert/strict";
import { textOf } from "@kit/contract";
import type { PdsAccount } from "../../../../../../tools/engines/pds-server.ts";
import { createOutbound } from "../../../../outbound/outbound.ts";
import type { Credentials, OutgoingPost, StoredSteps } from "../../network.ts";
import { needsOf, outgoing, tryOnce } from "../../test/trying.ts";
import { type BlueskyOptions, createBluesky } from "../bluesky.ts";
import type { Pds } from "./pds-behind-tls.ts";

type Once = Awaited<ReturnType<typeof tryOnce>>;

export const linkOf = ({ outcome }: Once): string =>
  outcome.outcome === "sent" ? (outcome.link ?? "") : assert.fail(JSON.stringify(outcome));
export const saysOf = ({ outcome }: Once): string => ("says" in outcome ? textOf(outcome.says) : "");
export const keyOf = (once: Once): string => linkOf(once).split("/").at(-1) ?? "";

export const postWith = (more: Partial<OutgoingPost>): OutgoingPost => outgoing({ key: crypto.randomUUID(), ...more });

export function openBluesky(pds: Pds, account: PdsAccount, options: BlueskyOptions = {}) {
  const { handle, did, appPassword } = account;
  const reach = createOutbound({ ca: pds.certificates.ca });
  const bluesky = createBluesky(options);
  const access: Credentials = { handle, password: appPassword, service: pds.url };
  const since = pds.called.length;
  let remembered: StoredSteps = {};
  return {
    bluesky,
    access,
    did,
    needs: needsOf({ reach }).needs,
    remembered: () => remembered,
    called: (method: string) => pds.called.slice(since).filter((each) => each === method).length,
    /** The post that a try made. */
    async stored(once: Once) {
      const stored = (await pds.records(did)).filter(({ uri }) => uri.endsWith(`/${keyOf(once)}`));
      assert.equal(stored.length, 1);
      return stored[0]?.value ?? {};
    },
    /** A try as the outbox makes it: what one remembered the next begins with. */
    async once(post: OutgoingPost, more: StoredSteps = {}, signal = new AbortController().signal) {
      const once = await tryOnce(bluesky, access, post, { reach, signal, remembered: { ...remembered, ...more } });
      ({ remembered } = once);
      return once;
    },
    [Symbol.asyncDispose]: () => reach.close(),
  };
}

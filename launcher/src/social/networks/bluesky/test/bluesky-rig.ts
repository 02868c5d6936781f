// A launcher's outbound HTTP with one account on a real Bluesky server, and access to the posts stored there.
import assert from "node:assert/strict";
import { textOf } from "@kit/contract";
import type { PdsAccount } from "../../../../../../tools/engines/pds-server.ts";
import { createOutbound } from "../../../../outbound/outbound.ts";
import type { Credentials, OutgoingPost, StoredSteps } from "../../network.ts";
import { contextOf, outgoing, tryOnce } from "../../test/try-once.ts";
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
    needs: contextOf({ reach }).needs,
    remembered: () => remembered,
    called: (method: string) => pds.called.slice(since).filter((each) => each === method).length,
    /** The post that an attempt created. */
    async stored(once: Once) {
      const stored = (await pds.records(did)).filter(({ uri }) => uri.endsWith(`/${keyOf(once)}`));
      assert.equal(stored.length, 1);
      return stored[0]?.value ?? {};
    },
    /** An attempt like the outbox makes it: it begins with what earlier attempts stored. */
    async once(post: OutgoingPost, more: StoredSteps = {}, signal = new AbortController().signal) {
      const once = await tryOnce(bluesky, access, post, { reach, signal, remembered: { ...remembered, ...more } });
      ({ remembered } = once);
      return once;
    },
    [Symbol.asyncDispose]: () => reach.close(),
  };
}

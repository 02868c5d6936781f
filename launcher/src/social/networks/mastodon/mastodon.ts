// Mastodon: an account on any of its servers, and on others that speak as it does.
import { KitError } from "@kit/contract";
import { checkedUrl } from "../../../outbound/address.ts";
import { faultOf } from "../../../outbound/fault.ts";
import type { Access, Given, Network, Outcome } from "../network.ts";
import { wordsOf } from "../words.ts";
import { type Answer, outcomeOf } from "./ask.ts";
import { lengthOf } from "./counting.ts";
import { send } from "./post.ts";
import { checkAccount, limits } from "./server.ts";

/** The server remembers a key for an hour by its own clock. */
const repeatsForMs = 55 * 60_000;

function refuse(name: string, message: string): never {
  const path = `/fields/${name}`;
  throw new KitError("payload_invalid", `${path} ${message}.`, [{ path, message }]);
}

function accessIn(given: Given): Access {
  const address = (given.server ?? "").trim();
  const server = checkedUrl(address.includes("://") ? address : `https://${address}`, "/fields/server").origin;
  const token = (given.token ?? "").trim();
  if (!/^[\x21-\x7e]+$/.test(token)) refuse("token", "must be an access token, as the application's page shows it");
  return { server, token };
}

function refuseAnswer({ status, said }: Answer): never {
  if (status === 401) refuse("token", "is not taken by this server: look at both");
  if (status === 403)
    refuse("token", `may not read whose it is: make one with the scope read:accounts (${wordsOf(said?.error)})`);
  if (status === 429) refuse("server", "has a rate limit: wait a few minutes");
  return refuse("server", "does not answer as a Mastodon server does: give the one where you sign in");
}

/** What a look says that brought no account. */
function notSeen({ server = "" }: Access, outcome: Outcome): Awaited<ReturnType<Network["look"]>> {
  const { host } = new URL(server);
  const says = outcome.outcome === "sent" ? "" : outcome.says;
  return {
    shown: { name: host, host, link: null, limits },
    checked: [{ what: "Signed in", ok: false, says }],
    outcome,
  };
}

export const mastodon: Network = {
  kind: "mastodon",
  limits,
  length: lengthOf,
  // It has content warnings of its own.
  composed: (text) => text,
  repeatsForMs,
  async connect(given, needs) {
    const access = accessIn(given);
    const look = await checkAccount(access, needs).catch((error: unknown) =>
      refuse("server", `could not be asked. ${faultOf(error).replace(/\.$/, "")}`),
    );
    if (look.is === "no") refuseAnswer(look.answer);
    if (look.missing.length > 0)
      refuse("token", `lacks ${look.missing.join(" and ")}: make one that may write statuses and media`);
    return { access, shown: look.shown, checked: look.checked };
  },
  async look(access, needs) {
    const look = await checkAccount(access, needs).catch((error: unknown) => faultOf(error));
    if (typeof look === "string") return notSeen(access, { outcome: "later", says: look, notBeforeMs: null });
    if (look.is === "no") return notSeen(access, outcomeOf(look.answer, needs.now(), false));
    const { missing, shown, checked } = look;
    const says = `The token lacks ${missing.join(" and ")}. Make one that has it, and give it to the account here.`;
    return missing.length > 0
      ? { shown, checked, outcome: { outcome: "stopped", says } }
      : { shown, checked, outcome: { outcome: "sent", link: null, restUntilMs: null, notes: [] } };
  },
  send,
};

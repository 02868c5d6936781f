// The network "mastodon": an account on any Mastodon server or a compatible one.

import { rejectField } from "@kit/contract";
import { message } from "@kit/contract/messages";
import { parseServerUrl } from "../../../outbound/address.ts";
import { failureMessage, notReachedError } from "../../../outbound/failure.ts";
import type { Credentials, FieldValues, Network, SendOutcome } from "../network.ts";
import { plainServerMessage } from "../server-answer.ts";
import { mastodonMessage, messages } from "./messages.ts";
import { sendToMastodon } from "./post.ts";
import { type MastodonAnswer, outcomeOfAnswer } from "./request.ts";
import { checkMastodonAccount, defaultLimits, scopesMessage } from "./server.ts";
import { mastodonTextLength } from "./text-length.ts";

/** The server remembers an idempotency key for an hour. Kit relies on a bit less, because clocks differ. */
const repeatsForMs = 55 * 60_000;

function parseCredentials(given: FieldValues): Credentials {
  const address = (given.server ?? "").trim();
  const server = parseServerUrl(address.includes("://") ? address : `https://${address}`, "/fields/server").origin;
  const token = (given.token ?? "").trim();
  if (!/^[\x21-\x7e]+$/.test(token)) rejectField("/fields/token", mastodonMessage("mastodon.no_token"));
  return { server, token };
}

function rejectAnswer({ status, body }: MastodonAnswer): never {
  if (status === 401) rejectField("/fields/token", mastodonMessage("mastodon.wrong_token"));
  if (status === 403)
    rejectField("/fields/token", mastodonMessage("mastodon.may_not_read", { reason: plainServerMessage(body?.error) }));
  if (status === 429) rejectField("/fields/server", mastodonMessage("mastodon.wait_for_rate_limit"));
  return rejectField("/fields/server", mastodonMessage("mastodon.other_server"));
}

/** The result of a check that could not find the account. */
function failedCheck({ server = "" }: Credentials, outcome: SendOutcome): Awaited<ReturnType<Network["checkAccount"]>> {
  const { host } = new URL(server);
  const says = "says" in outcome ? outcome.says : "";
  return {
    shown: { name: host, host, link: null, limits: defaultLimits },
    checked: [{ what: message("account.signed_in"), ok: false, says }],
    outcome,
  };
}

export const mastodon: Network = {
  kind: "mastodon",
  position: 3,
  messages,
  name: "Mastodon",
  about: "An account on any server",
  icon: "M12.6 9.8c1-.8 1.4-2 1.4-3.3C14 3.5 11.6 2 8 2S2 3.5 2 6.5c0 4.5 1.3 7.2 5.4 7.5 1.4.1 2.6-.2 3.2-.6v-1.3c-3 .8-4.8.2-5-1.5 2.4.6 5.5.5 7-.8Z M5.2 8.3V6.6c0-2 2.5-2 2.8-.2.3-1.8 2.8-1.8 2.8.2v1.7",
  fields: [
    {
      name: "server",
      label: "Server",
      help: "The server where you sign in.",
      example: "https://mastodon.social",
      secret: false,
    },
    {
      name: "token",
      label: "Access token",
      help: "On your server: Preferences, Development, New application, with the scopes read:accounts, write:media and write:statuses. The application's page then shows the token.",
      example: "",
      secret: true,
    },
  ],
  exportBytesMax: defaultLimits.videoBytesMax,
  limits: defaultLimits,
  textLength: mastodonTextLength,
  // The text is sent without the content warning, because Mastodon has a field for it.
  compose: (text) => text,
  linkIsAccount: true,
  idempotentForMs: repeatsForMs,
  async connect(given, needs) {
    const access = parseCredentials(given);
    const look = await checkMastodonAccount(access, needs).catch((error: unknown) => {
      throw notReachedError("/fields/server", failureMessage(error));
    });
    if (look.is === "no") rejectAnswer(look.answer);
    if (look.missing.length > 0)
      rejectField("/fields/token", mastodonMessage("mastodon.lacks_scopes", { scopes: scopesMessage(look.missing) }));
    return { credentials: access, shown: look.shown, checked: look.checked };
  },
  async checkAccount(access, needs) {
    const look = await checkMastodonAccount(access, needs).catch(failureMessage);
    if ("code" in look) return failedCheck(access, { outcome: "later", says: look, notBeforeMs: null });
    if (look.is === "no") return failedCheck(access, outcomeOfAnswer(look.answer, needs.now(), false));
    const { missing, shown, checked } = look;
    if (missing.length === 0)
      return { shown, checked, outcome: { outcome: "sent", link: null, restUntilMs: null, notes: [] } };
    const says = mastodonMessage("mastodon.token_lacks_scopes", { scopes: scopesMessage(missing) });
    return { shown, checked, outcome: { outcome: "stopped", says } };
  },
  send: sendToMastodon,
};

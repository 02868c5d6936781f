// The network "mastodon": an account on any Mastodon server or a compatible one.
import { rejectField } from "@kit/contract/messages";
import { parseServerUrl } from "../../../outbound/address.ts";
import { failureMessage } from "../../../outbound/failure.ts";
import type { Credentials, FieldValues, Network, SendOutcome } from "../network.ts";
import { plainMessage } from "../plain-message.ts";
import { send } from "./post.ts";
import { type Answer, outcomeOf } from "./request.ts";
import { checkAccount, limits } from "./server.ts";
import { textLength } from "./text-length.ts";

/** The server remembers a key for an hour by its clock. */
const repeatsForMs = 55 * 60_000;

function parseCredentials(given: FieldValues): Credentials {
  const address = (given.server ?? "").trim();
  const server = parseServerUrl(address.includes("://") ? address : `https://${address}`, "/fields/server").origin;
  const token = (given.token ?? "").trim();
  if (!/^[\x21-\x7e]+$/.test(token))
    rejectField("/fields/token", "must be an access token, as the application's page shows it");
  return { server, token };
}

function rejectAnswer({ status, body }: Answer): never {
  if (status === 401) rejectField("/fields/token", "is not accepted by this server: check both");
  if (status === 403)
    rejectField(
      "/fields/token",
      `may not read its account: create one with the scope read:accounts (${plainMessage(body?.error)})`,
    );
  if (status === 429) rejectField("/fields/server", "has reached its rate limit: wait a few minutes");
  return rejectField("/fields/server", "does not answer like a Mastodon server: enter the server where you sign in");
}

/** Result of a check that found no account. */
function failedCheck({ server = "" }: Credentials, outcome: SendOutcome): Awaited<ReturnType<Network["checkAccount"]>> {
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
  position: 3,
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
  exportBytesMax: 99 * 1024 * 1024,
  limits,
  textLength,
  // Mastodon has a field for content warnings.
  compose: (text) => text,
  linkIsAccount: true,
  idempotentForMs: repeatsForMs,
  async connect(given, needs) {
    const access = parseCredentials(given);
    const look = await checkAccount(access, needs).catch((error: unknown) =>
      rejectField("/fields/server", `could not be reached. ${failureMessage(error).replace(/\.$/, "")}`),
    );
    if (look.is === "no") rejectAnswer(look.answer);
    if (look.missing.length > 0)
      rejectField("/fields/token", `lacks ${look.missing.join(" and ")}: create one that may write statuses and media`);
    return { credentials: access, shown: look.shown, checked: look.checked };
  },
  async checkAccount(access, needs) {
    const look = await checkAccount(access, needs).catch((error: unknown) => failureMessage(error));
    if (typeof look === "string") return failedCheck(access, { outcome: "later", says: look, notBeforeMs: null });
    if (look.is === "no") return failedCheck(access, outcomeOf(look.answer, needs.now(), false));
    const { missing, shown, checked } = look;
    const says = `The token lacks ${missing.join(" and ")}. Create one with it, and enter it here.`;
    return missing.length > 0
      ? { shown, checked, outcome: { outcome: "stopped", says } }
      : { shown, checked, outcome: { outcome: "sent", link: null, restUntilMs: null, notes: [] } };
  },
  send,
};

// The network "mastodon": an account on any Mastodon server or a compatible one.
import { type AccountCheck, type AccountLimits, type MessageOrText, rejectField } from "@kit/contract";
import { message } from "@kit/contract/messages";
import { parseServerUrl } from "../../../outbound/address.ts";
import { failureMessage, notReachedError } from "../../../outbound/failure.ts";
import {
  type AttemptContext,
  type ConnectedAccount,
  type Credentials,
  type FieldValues,
  type Network,
  type SendOutcome,
  signedInResult,
} from "../network.ts";
import { plainServerMessage } from "../server-answer.ts";
import { mastodonMessage, messages } from "./messages.ts";
import { sendToMastodon, uploadPaths } from "./post.ts";
import {
  type JsonObject,
  lacksEndpoint,
  type MastodonAnswer,
  outcomeOfAnswer,
  requestMastodon,
  stringMember,
} from "./request.ts";
import { mastodonLinkLength, mastodonTextLength } from "./text-length.ts";

type RequestContext = Pick<AttemptContext, "outbound" | "signal" | "now">;

/** Mastodon's defaults, until the server says what its limits are. */
const defaultLimits: AccountLimits = {
  textMax: 500,
  counts: "characters",
  linkLength: mastodonLinkLength,
  imageBytesMax: 16 * 1024 * 1024,
  videoBytesMax: 99 * 1024 * 1024,
  videoSecondsMax: null,
  videoPixelsMax: 8_294_400,
  videoFrameRateMax: 120,
  altTextMax: 1_500,
  visibility: true,
  contentWarning: true,
};

const objectMember = (said: unknown, name: string): JsonObject => {
  const value = typeof said === "object" && said !== null ? (said as JsonObject)[name] : undefined;
  return typeof value === "object" && value !== null ? (value as JsonObject) : {};
};

/** A limit that is larger is ignored, as an error or an attack. */
const numberMax = 1_000_000_000;

function numberMember(said: JsonObject, name: string, otherwise: number): number {
  const value = said[name];
  return typeof value === "number" && Number.isInteger(value) && value > 0 ? Math.min(value, numberMax) : otherwise;
}

/**
 * Reads the limits from the server's `configuration`. Servers that are only compatible with Mastodon may leave out parts of
 * it.
 */
function limitsOf(instance: JsonObject | undefined): AccountLimits {
  const configuration = objectMember(instance, "configuration");
  const statuses = objectMember(configuration, "statuses");
  const media = objectMember(configuration, "media_attachments");
  const types = media.supported_mime_types;
  const takes = (type: string) => !Array.isArray(types) || types.includes(type);
  const { imageBytesMax, videoBytesMax } = defaultLimits;
  // Pleroma and its relatives name these two outside of `configuration`.
  const text = numberMember(instance ?? {}, "max_toot_chars", defaultLimits.textMax);
  const fileBytesMax = (otherwise: number) => numberMember(instance ?? {}, "upload_limit", otherwise);
  return {
    ...defaultLimits,
    textMax: numberMember(statuses, "max_characters", text),
    linkLength: numberMember(statuses, "characters_reserved_per_url", mastodonLinkLength),
    imageBytesMax: takes("image/jpeg") ? numberMember(media, "image_size_limit", fileBytesMax(imageBytesMax)) : 0,
    videoBytesMax: takes("video/mp4") ? numberMember(media, "video_size_limit", fileBytesMax(videoBytesMax)) : 0,
    videoPixelsMax: numberMember(media, "video_matrix_limit", defaultLimits.videoPixelsMax ?? 0),
    videoFrameRateMax: numberMember(media, "video_frame_rate_limit", defaultLimits.videoFrameRateMax ?? 0),
    altTextMax: numberMember(media, "description_limit", defaultLimits.altTextMax),
  };
}

async function instanceOf(access: Credentials, { outbound, signal }: RequestContext): Promise<JsonObject | undefined> {
  const newer = await requestMastodon(access, outbound, "/api/v2/instance", { signal });
  if (newer.status === 200 && newer.body !== undefined) return newer.body;
  const older = await requestMastodon(access, outbound, "/api/v1/instance", { signal });
  return older.status === 200 ? older.body : undefined;
}

const requiredScopes = ["write:statuses", "write:media"] as const;

/** Returns which of the required scopes the server says the token lacks. Mastodon before 4.3 does not say. */
function missingScopes({ status, body }: MastodonAnswer): readonly string[] {
  const scopes = status === 200 ? body?.scopes : undefined;
  if (!Array.isArray(scopes)) return [];
  return requiredScopes.filter((scope) => !scopes.includes(scope) && !scopes.includes("write"));
}

type UploadCheck =
  | { readonly is: "there" | "missing" | "denied" }
  | { readonly is: "untried"; readonly status: number };

/** Tries an upload without a file, which every server refuses. So it shows whether there is an upload, and stores nothing. */
async function checkUpload(access: Credentials, { outbound, signal }: RequestContext): Promise<UploadCheck> {
  for (const path of Object.values(uploadPaths)) {
    const body = new FormData();
    body.set("description", "");
    const answer = await requestMastodon(access, outbound, path, { method: "POST", body, signal });
    if (lacksEndpoint(answer)) continue;
    const { status } = answer;
    if (status === 401 || status === 403) return { is: "denied" };
    return status === 429 || status >= 500 ? { is: "untried", status } : { is: "there" };
  }
  return { is: "missing" };
}

function uploadResult(upload: UploadCheck): AccountCheck {
  const what = mastodonMessage("mastodon.upload");
  if (upload.is === "missing") return { what, ok: false, says: mastodonMessage("mastodon.takes_no_files") };
  if (upload.is === "untried")
    return { what, ok: true, says: mastodonMessage("mastodon.upload_untried", { status: upload.status }) };
  return { what, ok: true, says: mastodonMessage("mastodon.upload_there") };
}

function scopesMessage([first = "", second]: readonly string[]): MessageOrText {
  return second === undefined ? first : mastodonMessage("mastodon.two_scopes", { first, second });
}

type AccountLookup =
  | { readonly is: "no"; readonly answer: MastodonAnswer }
  | (Pick<ConnectedAccount, "shown" | "checked"> & { readonly is: "yes"; readonly missing: readonly string[] });

const checksOf = (missing: readonly string[], limitsAreKnown: boolean): AccountCheck[] => [
  {
    what: mastodonMessage("mastodon.permissions"),
    ok: missing.length === 0,
    says:
      missing.length === 0
        ? mastodonMessage("mastodon.posts_and_media")
        : mastodonMessage("mastodon.missing_scopes", { scopes: scopesMessage(missing) }),
  },
  {
    what: mastodonMessage("mastodon.limits"),
    ok: true,
    says: mastodonMessage(limitsAreKnown ? "mastodon.limits_reported" : "mastodon.limits_unreported"),
  },
];

/** Asks the server about the account and about its limits. Rejects if no answer arrives. */
async function checkMastodonAccount(access: Credentials, needs: RequestContext): Promise<AccountLookup> {
  const { outbound, signal } = needs;
  const account = await requestMastodon(access, outbound, "/api/v1/accounts/verify_credentials", { signal });
  const username = stringMember(account.body, "username");
  if (account.status !== 200 || username === "") return { is: "no", answer: account };
  const instance = await instanceOf(access, needs);
  const said = missingScopes(await requestMastodon(access, outbound, "/api/v1/apps/verify_credentials", { signal }));
  const upload = await checkUpload(access, needs);
  const missing = upload.is === "denied" ? [...new Set([...said, "write:media"])] : said;
  const limits = limitsOf(instance);
  const taken = upload.is === "missing" ? { ...limits, imageBytesMax: 0, videoBytesMax: 0 } : limits;
  const { host } = new URL(access.server ?? "");
  const domain = stringMember(instance, "domain") || stringMember(instance, "uri") || host;
  const name = `@${username}@${domain}`.slice(0, 100);
  const link = stringMember(account.body, "url");
  return {
    is: "yes",
    missing,
    shown: { name, host, link: link.startsWith("https://") ? link : null, limits: taken },
    checked: [
      signedInResult(name),
      ...checksOf(missing, instance !== undefined),
      ...(upload.is === "denied" ? [] : [uploadResult(upload)]),
    ],
  };
}

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
  messages,
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

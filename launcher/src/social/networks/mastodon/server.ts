// Asks a Mastodon server about an account and about its limits.

import type { AccountCheck, AccountLimits, MessageOrText } from "@kit/contract";
import type { AttemptContext, ConnectedAccount, Credentials } from "../network.ts";
import { signedInResult } from "../signed-in-check.ts";
import { mastodonMessage } from "./messages.ts";
import { type JsonObject, type MastodonAnswer, requestMastodon, stringMember } from "./request.ts";

type RequestContext = Pick<AttemptContext, "outbound" | "signal" | "now">;

/** Mastodon's defaults, until the server says what its limits are. */
export const defaultLimits: AccountLimits = {
  textMax: 500,
  counts: "characters",
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
  const text = numberMember(instance ?? {}, "max_toot_chars", defaultLimits.textMax);
  return {
    ...defaultLimits,
    textMax: numberMember(statuses, "max_characters", text),
    imageBytesMax: takes("image/jpeg") ? numberMember(media, "image_size_limit", defaultLimits.imageBytesMax) : 0,
    videoBytesMax: takes("video/mp4") ? numberMember(media, "video_size_limit", defaultLimits.videoBytesMax) : 0,
    videoPixelsMax: numberMember(media, "video_matrix_limit", defaultLimits.videoPixelsMax ?? 0),
    videoFrameRateMax: numberMember(media, "video_frame_rate_limit", defaultLimits.videoFrameRateMax ?? 0),
    altTextMax: numberMember(media, "description_limit", defaultLimits.altTextMax),
  };
}

async function instanceOf(access: Credentials, { outbound, signal }: RequestContext): Promise<JsonObject | undefined> {
  const newer = await requestMastodon(access, outbound, "/api/v2/instance", { signal });
  if (newer.status !== 404) return newer.status === 200 ? newer.body : undefined;
  const older = await requestMastodon(access, outbound, "/api/v1/instance", { signal });
  return older.status === 200 ? older.body : undefined;
}

const requiredScopes = ["write:statuses", "write:media"] as const;

/**
 * Returns which of the required scopes the token lacks. None if the server is older than Mastodon 4.3 and reports no scopes.
 */
function missingScopes({ status, body }: MastodonAnswer): readonly string[] {
  const scopes = status === 200 ? body?.scopes : undefined;
  if (!Array.isArray(scopes)) return [];
  return requiredScopes.filter((scope) => !scopes.includes(scope) && !scopes.includes("write"));
}

export function scopesMessage([first = "", second]: readonly string[]): MessageOrText {
  return second === undefined ? first : mastodonMessage("mastodon.two_scopes", { first, second });
}

export type AccountLookup =
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

/** Rejects if no answer arrives. */
export async function checkMastodonAccount(access: Credentials, needs: RequestContext): Promise<AccountLookup> {
  const { outbound, signal } = needs;
  const account = await requestMastodon(access, outbound, "/api/v1/accounts/verify_credentials", { signal });
  const username = stringMember(account.body, "username");
  if (account.status !== 200 || username === "") return { is: "no", answer: account };
  const instance = await instanceOf(access, needs);
  const missing = missingScopes(await requestMastodon(access, outbound, "/api/v1/apps/verify_credentials", { signal }));
  const { host } = new URL(access.server ?? "");
  const domain = stringMember(instance, "domain") || stringMember(instance, "uri") || host;
  const name = `@${username}@${domain}`.slice(0, 100);
  const link = stringMember(account.body, "url");
  return {
    is: "yes",
    missing,
    shown: { name, host, link: link.startsWith("https://") ? link : null, limits: limitsOf(instance) },
    checked: [signedInResult(name), ...checksOf(missing, instance !== undefined)],
  };
}

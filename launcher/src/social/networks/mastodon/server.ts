// What a Mastodon server says of itself and of an account: asked when an account is connected and each time it is looked at.
import type { AccountCheck, AccountLimits } from "@kit/contract";
import type { Access, Connected, TryNeeds } from "../network.ts";
import { type Answer, ask, type Said, textOf } from "./ask.ts";

type Needs = Pick<TryNeeds, "reach" | "signal" | "now">;

/** Of a server as it comes; each says its own. */
export const limits: AccountLimits = {
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

const within = (said: unknown, name: string): Said => {
  const value = typeof said === "object" && said !== null ? (said as Said)[name] : undefined;
  return typeof value === "object" && value !== null ? (value as Said) : {};
};

/** More than that is a mistake, or a trap. */
const numberMax = 1_000_000_000;

function numberIn(said: Said, name: string, otherwise: number): number {
  const value = said[name];
  return typeof value === "number" && Number.isInteger(value) && value > 0 ? Math.min(value, numberMax) : otherwise;
}

/** From the instance's `configuration`; servers that are only like Mastodon leave parts of it out. */
function limitsIn(instance: Said | undefined): AccountLimits {
  const configuration = within(instance, "configuration");
  const statuses = within(configuration, "statuses");
  const media = within(configuration, "media_attachments");
  const types = media.supported_mime_types;
  const takes = (type: string) => !Array.isArray(types) || types.includes(type);
  const text = numberIn(instance ?? {}, "max_toot_chars", limits.textMax);
  return {
    ...limits,
    textMax: numberIn(statuses, "max_characters", text),
    imageBytesMax: takes("image/jpeg") ? numberIn(media, "image_size_limit", limits.imageBytesMax) : 0,
    videoBytesMax: takes("video/mp4") ? numberIn(media, "video_size_limit", limits.videoBytesMax) : 0,
    videoPixelsMax: numberIn(media, "video_matrix_limit", limits.videoPixelsMax ?? 0),
    videoFrameRateMax: numberIn(media, "video_frame_rate_limit", limits.videoFrameRateMax ?? 0),
    altTextMax: numberIn(media, "description_limit", limits.altTextMax),
  };
}

async function instanceOf(access: Access, { reach, signal }: Needs): Promise<Said | undefined> {
  const newer = await ask(access, reach, "/api/v2/instance", { signal });
  if (newer.status !== 404) return newer.status === 200 ? newer.said : undefined;
  const older = await ask(access, reach, "/api/v1/instance", { signal });
  return older.status === 200 ? older.said : undefined;
}

const needed = ["write:statuses", "write:media"] as const;

/** What its application may not do. Servers before Mastodon 4.3 do not say what it may. */
function missingIn({ status, said }: Answer): readonly string[] {
  const scopes = status === 200 ? said?.scopes : undefined;
  if (!Array.isArray(scopes)) return [];
  return needed.filter((scope) => !scopes.includes(scope) && !scopes.includes("write"));
}

export type AccountLookup =
  | { readonly is: "no"; readonly answer: Answer }
  | (Pick<Connected, "shown" | "checked"> & { readonly is: "yes"; readonly missing: readonly string[] });

const checkOf = (missing: readonly string[], limitsAreKnown: boolean): AccountCheck[] => [
  {
    what: "What the token may do",
    ok: missing.length === 0,
    says: missing.length === 0 ? "Posts and media" : `It lacks ${missing.join(" and ")}: make a token that has it`,
  },
  {
    what: "Limits",
    ok: true,
    says: limitsAreKnown ? "As the server says them" : "The server does not say them: those of Mastodon are taken",
  },
];

/** Rejects when there was no answer. */
export async function checkAccount(access: Access, needs: Needs): Promise<AccountLookup> {
  const { reach, signal } = needs;
  const account = await ask(access, reach, "/api/v1/accounts/verify_credentials", { signal });
  const username = textOf(account.said, "username");
  if (account.status !== 200 || username === "") return { is: "no", answer: account };
  const instance = await instanceOf(access, needs);
  const missing = missingIn(await ask(access, reach, "/api/v1/apps/verify_credentials", { signal }));
  const { host } = new URL(access.server ?? "");
  const domain = textOf(instance, "domain") || textOf(instance, "uri") || host;
  const name = `@${username}@${domain}`.slice(0, 100);
  const link = textOf(account.said, "url");
  return {
    is: "yes",
    missing,
    shown: { name, host, link: link.startsWith("https://") ? link : null, limits: limitsIn(instance) },
    checked: [{ what: "Signed in", ok: true, says: `As ${name}` }, ...checkOf(missing, instance !== undefined)],
  };
}

// The network "bluesky": accounts on bsky.social and on other servers that speak its protocol.
import { type AccountCheck, type AccountLimits, KitError, rejectField } from "@kit/contract";
import { message } from "@kit/contract/messages";
import { isLocalHost, parseServerUrl } from "../../../outbound/address.ts";
import { failureMessage, notReachedError } from "../../../outbound/failure.ts";
import { readResponseText } from "../../../outbound/response.ts";
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
import { blueskyMessage, messages } from "./messages.ts";
import { outcomeOfError, refusalCode } from "./outcome.ts";
import { blueskyGraphemesMax, blueskyTextLength, composeBlueskyText, handleOrDid, sendToBluesky } from "./post.ts";
import { type BlueskyAccount, createBlueskySessions } from "./session.ts";
import { emailUnconfirmedMessage } from "./video.ts";

type AccountCheckOptions = { readonly limits: AccountLimits; readonly videoService: string | null };
type RequestContext = Pick<AttemptContext, "outbound" | "signal" | "now">;

type VideoLimits = { canUpload?: unknown; remainingDailyVideos?: unknown; message?: unknown; error?: unknown };

/** Asks the video service what it still accepts from the account today. Returns undefined if it does not answer. */
async function readVideoLimits({ agent }: BlueskyAccount, { outbound, signal }: RequestContext, service: string) {
  const lxm = "app.bsky.video.getUploadLimits";
  const aud = `did:web:${encodeURIComponent(new URL(service).host)}` as const;
  try {
    const { data } = await agent.com.atproto.server.getServiceAuth({ aud, lxm }, { signal });
    const answer = await outbound
      .clientFor(service)
      .fetch(new URL(`/xrpc/${lxm}`, service), { headers: { authorization: `Bearer ${data.token}` }, signal });
    const said: unknown = JSON.parse(await readResponseText(answer));
    return typeof said === "object" && said !== null && "canUpload" in said ? (said as VideoLimits) : undefined;
  } catch {
    signal.throwIfAborted();
    // The check works without it: the next post with a video shows whether videos are accepted.
    return undefined;
  }
}

async function checkVideos(
  account: BlueskyAccount,
  needs: RequestContext,
  service: string | null,
): Promise<AccountCheck> {
  const what = blueskyMessage("bluesky.videos");
  if (service === null) return { what, ok: true, says: blueskyMessage("bluesky.direct_upload") };
  if (!account.emailConfirmed()) return { what, ok: false, says: emailUnconfirmedMessage };
  const said = await readVideoLimits(account, needs, service);
  if (said === undefined) return { what, ok: true, says: blueskyMessage("bluesky.unknown_video_limits") };
  if (said.canUpload !== true) {
    const reason = plainServerMessage(said.message) || plainServerMessage(said.error);
    const says =
      reason === ""
        ? blueskyMessage("bluesky.no_videos_today")
        : blueskyMessage("bluesky.no_videos_today_because", { reason });
    return { what, ok: false, says };
  }
  const left = said.remainingDailyVideos;
  const says =
    typeof left === "number"
      ? blueskyMessage("bluesky.videos_left", { count: left })
      : blueskyMessage("bluesky.videos_accepted");
  return { what, ok: true, says };
}

/**
 * Checks an account without posting: whether it is signed in, and whether it may post videos. Rejects with the errors of the
 * library.
 */
async function checkBlueskyAccount(
  account: BlueskyAccount,
  { service }: Credentials,
  needs: RequestContext,
  { limits, videoService }: AccountCheckOptions,
): Promise<Pick<ConnectedAccount, "shown" | "checked">> {
  // This request also renews an expired session.
  const { data } = await account.agent.com.atproto.server.getSession(undefined, { signal: needs.signal });
  const video = await checkVideos(
    { ...account, emailConfirmed: () => data.emailConfirmed === true },
    needs,
    videoService,
  );
  const profile = data.handle === "handle.invalid" ? handleOrDid(account) : data.handle;
  const takesVideos = videoService === null || data.emailConfirmed === true;
  return {
    shown: {
      name: profile,
      host: new URL(service ?? "").host,
      link: `https://bsky.app/profile/${encodeURIComponent(profile)}`,
      limits: takesVideos ? limits : { ...limits, videoBytesMax: 0 },
    },
    checked: [signedInResult(profile), video],
  };
}

const defaultService = "https://bsky.social";
const defaultVideoService = "https://video.bsky.app";

export type BlueskyOptions = {
  /** URL of the video service. Defaults to Bluesky's own. */
  readonly videoService?: string;
};

const limits: Network["limits"] = {
  textMax: blueskyGraphemesMax,
  counts: "graphemes",
  imageBytesMax: 2_000_000,
  // The protocol allows 300 MB since August 2026, but older servers only 100 MB.
  videoBytesMax: 100_000_000,
  videoSecondsMax: 180,
  videoPixelsMax: null,
  videoFrameRateMax: null,
  altTextMax: 2_000,
  visibility: false,
  contentWarning: false,
};

function parseCredentials(given: FieldValues): Credentials {
  const handle = (given.handle ?? "").trim().replace(/^@/, "");
  if (!/^[^\s@]+\.[^\s@]+$/.test(handle)) rejectField("/fields/handle", blueskyMessage("bluesky.incomplete_handle"));
  const password = (given.password ?? "").trim();
  if (password === "") rejectField("/fields/password", blueskyMessage("bluesky.no_password"));
  const service = parseServerUrl(given.service?.trim() || defaultService, "/fields/service").origin;
  return { handle, password, service };
}

function failedCheckOutcome(error: unknown, nowMs: number): SendOutcome {
  try {
    return outcomeOfError(error, nowMs, false);
  } catch (fault) {
    return { outcome: "later", says: failureMessage(fault), notBeforeMs: null };
  }
}

/** Throws KitError that says why the account cannot be connected. */
function rejectConnection(error: unknown, nowMs: number): never {
  if (error instanceof KitError) throw error;
  const code = refusalCode(error);
  if (code === "AuthFactorTokenRequired") rejectField("/fields/password", blueskyMessage("bluesky.main_password_code"));
  if (code === "AuthenticationRequired" || code === "InvalidToken")
    rejectField("/fields/password", blueskyMessage("bluesky.wrong_password"));
  const outcome = failedCheckOutcome(error, nowMs);
  if (outcome.outcome === "sent") throw error;
  throw notReachedError("/fields/service", outcome.says);
}

export function createBluesky({ videoService }: BlueskyOptions = {}): Network {
  const sessions = createBlueskySessions();
  // Null for a server on this computer, because Bluesky's service could not reach it to deliver the video.
  const videoServiceFor = (service: string) =>
    videoService ?? (isLocalHost(new URL(service).hostname) ? null : defaultVideoService);
  return {
    kind: "bluesky",
    messages,
    limits,
    textLength: ({ text, contentWarning }) => blueskyTextLength(composeBlueskyText(text, contentWarning)),
    compose: composeBlueskyText,
    linkIsAccount: true,
    // The record key is derived from the idempotency key, so a repeat creates no second post.
    idempotentForMs: Number.POSITIVE_INFINITY,
    async connect(given, needs) {
      const access = parseCredentials(given);
      try {
        const account = await sessions.open(access, needs.outbound);
        if (account.hasFullAccess) rejectField("/fields/password", blueskyMessage("bluesky.main_password"));
        const seen = await checkBlueskyAccount(account, access, needs, {
          limits,
          videoService: videoServiceFor(access.service ?? ""),
        });
        return { credentials: access, ...seen };
      } catch (error) {
        return rejectConnection(error, needs.now());
      }
    },
    async checkAccount(access, needs) {
      const shown = {
        name: access.handle ?? "",
        host: new URL(access.service ?? defaultService).host,
        link: null,
        limits,
      };
      try {
        const account = await sessions.open(access, needs.outbound);
        const seen = await checkBlueskyAccount(account, access, needs, {
          limits,
          videoService: videoServiceFor(access.service ?? ""),
        });
        return { ...seen, outcome: { outcome: "sent", link: null, restUntilMs: null, notes: [] } };
      } catch (error) {
        const outcome = failedCheckOutcome(error, needs.now());
        const says = "says" in outcome ? outcome.says : "";
        return { shown, checked: [{ what: message("account.signed_in"), ok: false, says }], outcome };
      }
    },
    send: (access, post, _limits, needs) => sendToBluesky(access, post, needs, { sessions, videoServiceFor }),
  };
}

export const bluesky: Network = createBluesky();

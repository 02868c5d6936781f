// Checks an account without posting: whether it is signed in, and whether it may post videos.

import type { AccountCheck, AccountLimits } from "@kit/contract";
import { readResponseText } from "../../../outbound/response.ts";
import type { AttemptContext, ConnectedAccount, Credentials } from "../network.ts";
import { plainServerMessage } from "../server-answer.ts";
import { signedInResult } from "../signed-in-check.ts";
import { blueskyMessage } from "./messages.ts";
import { handleOrDid } from "./post.ts";
import type { BlueskyAccount } from "./session.ts";
import { emailUnconfirmedMessage } from "./video.ts";

export type AccountCheckOptions = { readonly limits: AccountLimits; readonly videoService: string | null };
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

/** Rejects with the errors of the library. */
export async function checkBlueskyAccount(
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

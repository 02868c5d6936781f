// What can be seen of an account without posting: that it is signed in, and whether it may post videos.
import type { AccountCheck, AccountLimits } from "@kit/contract";
import { textOf } from "../../../outbound/bounded.ts";
import type { Access, Connected, TryNeeds } from "../network.ts";
import { wordsOf } from "../words.ts";
import { profileOf } from "./post.ts";
import type { Account } from "./session.ts";
import { unconfirmed } from "./video.ts";

export type CheckOptions = { readonly limits: AccountLimits; readonly videoService: string | null };
type Needs = Pick<TryNeeds, "reach" | "signal" | "now">;

type VideoLimits = { canUpload?: unknown; remainingDailyVideos?: unknown; message?: unknown; error?: unknown };

/** Asks the video service by its own word what it would take today. undefined where it does not answer. */
async function videoLimits({ agent }: Account, { reach, signal }: Needs, service: string) {
  const lxm = "app.bsky.video.getUploadLimits";
  const aud = `did:web:${encodeURIComponent(new URL(service).host)}` as const;
  try {
    const { data } = await agent.com.atproto.server.getServiceAuth({ aud, lxm }, { signal });
    const answer = await reach
      .to(service)
      .fetch(new URL(`/xrpc/${lxm}`, service), { headers: { authorization: `Bearer ${data.token}` }, signal });
    const said: unknown = JSON.parse(await textOf(answer));
    return typeof said === "object" && said !== null && "canUpload" in said ? (said as VideoLimits) : undefined;
  } catch {
    signal.throwIfAborted();
    // The post itself will find out. Nothing that was promised depends on it.
    return undefined;
  }
}

async function videoCheck(account: Account, needs: Needs, service: string | null): Promise<AccountCheck> {
  const what = "Videos";
  if (service === null)
    return { what, ok: true, says: "Go straight to this server, which no video service on the internet can reach" };
  if (!account.emailConfirmed()) return { what, ok: false, says: unconfirmed };
  const said = await videoLimits(account, needs, service);
  if (said === undefined) return { what, ok: true, says: "The video service did not say what it takes today" };
  if (said.canUpload !== true)
    return {
      what,
      ok: false,
      says: `Not today: ${wordsOf(said.message) || wordsOf(said.error) || "it gives no reason"}`,
    };
  const left = said.remainingDailyVideos;
  return { what, ok: true, says: typeof left === "number" ? `${left} more may be posted today` : "May be posted" };
}

/** Rejects as the library does. */
export async function checkAccount(
  account: Account,
  { service }: Access,
  needs: Needs,
  { limits, videoService }: CheckOptions,
): Promise<Pick<Connected, "shown" | "checked">> {
  // Renews what is kept of the session where its time is over.
  const { data } = await account.agent.com.atproto.server.getSession(undefined, { signal: needs.signal });
  const video = await videoCheck(
    { ...account, emailConfirmed: () => data.emailConfirmed === true },
    needs,
    videoService,
  );
  const profile = data.handle === "handle.invalid" ? profileOf(account) : data.handle;
  const takesVideos = videoService === null || data.emailConfirmed === true;
  return {
    shown: {
      name: profile,
      host: new URL(service ?? "").host,
      link: `https://bsky.app/profile/${encodeURIComponent(profile)}`,
      limits: takesVideos ? limits : { ...limits, videoBytesMax: 0 },
    },
    checked: [{ what: "Signed in", ok: true, says: `As ${profile}` }, video],
  };
}

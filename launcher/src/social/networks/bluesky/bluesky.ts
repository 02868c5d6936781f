// Bluesky: accounts of bsky.social and of any other server that speaks its protocol.
import { KitError } from "@kit/contract";
import { checkedUrl, isOwnHost } from "../../../outbound/address.ts";
import { faultOf } from "../../../outbound/fault.ts";
import type { Access, Given, Network, Outcome } from "../network.ts";
import { codeOf, outcomeOf } from "./answer.ts";
import { checkAccount } from "./check-account.ts";
import { composed, graphemesMax, lengthOf } from "./length.ts";
import { send } from "./post.ts";
import { createSessions } from "./session.ts";

const home = "https://bsky.social";
const videoHome = "https://video.bsky.app";

export type BlueskyOptions = {
  /** Where videos are prepared; Bluesky's own when left out. */
  readonly videoService?: string;
};

const limits: Network["limits"] = {
  textMax: graphemesMax,
  counts: "graphemes",
  imageBytesMax: 2_000_000,
  // The lexicon says 300 MB since 2025; servers that are older take 100.
  videoBytesMax: 100_000_000,
  videoSecondsMax: 180,
  videoPixelsMax: null,
  videoFrameRateMax: null,
  altTextMax: 2_000,
  visibility: false,
  contentWarning: false,
};

function refuse(name: string, message: string): never {
  const path = `/fields/${name}`;
  throw new KitError("payload_invalid", `${path} ${message}.`, [{ path, message }]);
}

function accessIn(given: Given): Access {
  const handle = (given.handle ?? "").trim().replace(/^@/, "");
  if (!/^[^\s@]+\.[^\s@]+$/.test(handle)) refuse("handle", "must be a whole handle such as mika.bsky.social");
  const password = (given.password ?? "").trim();
  if (password === "") refuse("password", "must be an app password, as Bluesky shows it once");
  const service = checkedUrl(given.service?.trim() || home, "/fields/service").origin;
  return { handle, password, service };
}

function lookedInVain(error: unknown, nowMs: number): Outcome {
  try {
    return outcomeOf(error, nowMs, false);
  } catch (fault) {
    return { outcome: "later", says: faultOf(fault), notBeforeMs: null };
  }
}

/** What a person is told whose account cannot be connected. */
function refusalOf(error: unknown, nowMs: number): never {
  if (error instanceof KitError) throw error;
  const code = codeOf(error);
  if (code === "AuthFactorTokenRequired")
    refuse("password", "must be an app password: for the account's own, Bluesky wants a code by mail");
  if (code === "AuthenticationRequired" || code === "InvalidToken")
    refuse("password", "does not open this account: look at the handle, and make a new app password");
  const outcome = lookedInVain(error, nowMs);
  const says = outcome.outcome === "sent" ? "" : outcome.says;
  return refuse("service", `could not be asked. ${says.replace(/\.$/, "")}`);
}

export function createBluesky({ videoService }: BlueskyOptions = {}): Network {
  const sessions = createSessions();
  // A server on this machine cannot be reached by Bluesky's service, which would have to put the video there.
  const videoServiceFor = (service: string) =>
    videoService ?? (isOwnHost(new URL(service).hostname) ? null : videoHome);
  return {
    kind: "bluesky",
    limits,
    length: lengthOf,
    composed,
    // The name of the record is made of the key: the server has it once.
    repeatsForMs: Number.POSITIVE_INFINITY,
    async connect(given, needs) {
      const access = accessIn(given);
      try {
        const account = await sessions.open(access, needs.reach);
        if (account.isWhole)
          refuse("password", "must be an app password: this one is the account's own and opens all of it");
        const seen = await checkAccount(account, access, needs, {
          limits,
          videoService: videoServiceFor(access.service ?? ""),
        });
        return { access, ...seen };
      } catch (error) {
        return refusalOf(error, needs.now());
      }
    },
    async look(access, needs) {
      const shown = { name: access.handle ?? "", host: new URL(access.service ?? home).host, link: null, limits };
      try {
        const account = await sessions.open(access, needs.reach);
        const seen = await checkAccount(account, access, needs, {
          limits,
          videoService: videoServiceFor(access.service ?? ""),
        });
        return { ...seen, outcome: { outcome: "sent", link: null, restUntilMs: null, notes: [] } };
      } catch (error) {
        const outcome = lookedInVain(error, needs.now());
        const says = outcome.outcome === "sent" ? "" : outcome.says;
        return { shown, checked: [{ what: "Signed in", ok: false, says }], outcome };
      }
    },
    send: (access, post, _limits, needs) => send(access, post, needs, { sessions, videoServiceFor }),
  };
}

/** Sessions hang on the reach they were opened by. */
export const bluesky: Network = createBluesky();

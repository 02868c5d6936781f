// The network "bluesky": accounts on bsky.social and on other servers that speak its protocol.

import { KitError, rejectField } from "@kit/contract";
import { message } from "@kit/contract/messages";
import { isLocalHost, parseServerUrl } from "../../../outbound/address.ts";
import { failureMessage, notReachedError } from "../../../outbound/failure.ts";
import type { Credentials, FieldValues, Network, SendOutcome } from "../network.ts";
import { checkBlueskyAccount } from "./check-account.ts";
import { blueskyMessage, messages } from "./messages.ts";
import { outcomeOfError, refusalCode } from "./outcome.ts";
import { sendToBluesky } from "./post.ts";
import { createBlueskySessions } from "./session.ts";
import { blueskyGraphemesMax, blueskyTextLength, composeBlueskyText } from "./text-length.ts";

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
    position: 2,
    messages,
    name: "Bluesky",
    about: "An account, with an app password",
    icon: "M8 7.4C6.6 4.8 4.2 3 2.6 2.8c-.9-.1-1 .8-.8 2.4.3 2.4 1 3.4 3 3.5-2 .2-2.2 1.8-.6 3.2 1.7 1.4 3 .4 3.8-2 .8 2.4 2.1 3.4 3.8 2 1.6-1.4 1.4-3-.6-3.2 2-.1 2.7-1.1 3-3.5.2-1.6.1-2.5-.8-2.4C11.8 3 9.4 4.8 8 7.4Z",
    fields: [
      {
        name: "handle",
        label: "Handle",
        help: "Your account's name, without the @.",
        example: "mika.bsky.social",
        secret: false,
      },
      {
        name: "password",
        label: "App password",
        help: "In Bluesky: Settings, Privacy and security, App passwords. Do not enter your account's own password.",
        example: "xxxx-xxxx-xxxx-xxxx",
        secret: true,
      },
      {
        name: "service",
        label: "Server",
        help: "Only for an account on a server other than Bluesky's own.",
        example: "https://bsky.social",
        secret: false,
        optional: true,
      },
    ],
    exportBytesMax: limits.videoBytesMax,
    limits,
    textLength: blueskyTextLength,
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

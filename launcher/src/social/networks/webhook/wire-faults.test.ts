// What comes of each fault on the way to a webhook. Its receiver knows a repeat, so whatever may have been taken is sent again.
import { testWireFaults } from "../test/check-wire-faults.ts";
import { says } from "../test/wire-faults.ts";
import { createWebhookStandIn } from "./test/stand-in.ts";
import { webhook } from "./webhook.ts";

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

testWireFaults(
  "webhook",
  () => ({
    network: webhook,
    standIn: createWebhookStandIn(secret),
    accessAt: (origin) => ({ url: `${origin}/posts`, secret }),
  }),
  {
    sent: [
      "taken, and 201",
      "taken, and 204",
      "taken, and a page",
      "taken, and nothing",
      "taken, and null",
      "taken, and a list",
      "taken, and half of it",
      "taken, under another type",
      "zipped",
      "zipped badly",
      "zipped, and far too much",
      "with hints before it",
      "broken in the body",
      "ended in the body",
      "a body in drops",
      "a huge body",
    ],
    later: [
      ...says(408, 425, 500, 501, 502, 503, 504, 520, 524, 599, 521, 522, 523, 525, 526, 530),
      "502 as a page",
      "429 without a time",
      "429 with nonsense",
      "429 with a time in the past",
      "429 in the body",
      "taken, and 500",
      "taken, and 502",
      "taken, and 503",
      "taken, and 504",
    ],
    laterAfterMs: {
      "503 with a time": 30_000,
      "429 in seconds": 65_000,
      "429 in parts of seconds": 1_250,
      "429 in milliseconds": 1_500,
      "429 in milliseconds, by a header of their own": 800,
      "429 for ever": 86_400_000,
      "429 as a bucket that is empty": 2_500,
      "429, longer in the body": 2_000,
      "429 as a page": 7_000,
    },
    refused: [...says(400, 409, 413, 415, 418, 422, 451), "400 as a page"],
    stopped: [
      ...says(401, 403, 404, 405, 410),
      "301 to this machine",
      "302 to this machine",
      "303 to this machine",
      "307 to this machine",
      "308 to this machine",
    ],
    nothing: [
      "server: expired",
      "server: otherName",
      "server: selfSigned",
      "server: plain",
      "server: closed",
      "server: resets",
      "server: mute",
      "no such name",
      "names cannot be looked up",
      "the name leads into the house",
      "the name leads nowhere",
    ],
    lost: ["server: wants a certificate"],
  },
);

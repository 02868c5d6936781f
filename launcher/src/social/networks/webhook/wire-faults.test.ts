// Tests of each fault on the wire to a webhook. Its receiver recognizes repeats, so a post that may have arrived is sent again.
import { testWireFaults } from "../test/check-wire-faults.ts";
import { askedWaitsMs, redirectNames, says, unreachedNames, waitsWithoutTime } from "../test/wire-faults.ts";
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
      "created, answered 201",
      "created, answered 204",
      "created, answered with an HTML page",
      "created, answered with an empty body",
      "created, answered with null",
      "created, answered with a JSON list",
      "created, answered with half the JSON",
      "created, answered as text/plain",
      "gzip answer",
      "invalid gzip answer",
      "huge gzip answer",
      "103 before the answer",
      "dropped in the body",
      "closed in the body",
      "a slow endless body",
      "a huge body",
    ],
    later: [
      ...says(408, 425, 500, 501, 502, 503, 504, 520, 524, 599, 521, 522, 523, 525, 526, 530),
      "502 with an HTML page",
      ...waitsWithoutTime,
      "429 with the time in the body",
      "created, answered 500",
      "created, answered 502",
      "created, answered 503",
      "created, answered 504",
    ],
    laterAfterMs: {
      "503 with a retry time": 30_000,
      ...askedWaitsMs,
    },
    refused: [...says(400, 409, 413, 415, 418, 422, 451), "400 with an HTML page"],
    stopped: [...says(401, 403, 404, 405, 410), "403 with an HTML page", ...redirectNames],
    nothing: unreachedNames,
    lost: ["server: wants a certificate"],
  },
);

// Tests of each fault on the wire to Mastodon, which recognizes a repeated post by its key.
import { testWireFaults } from "../test/check-wire-faults.ts";
import { askedWaitsMs, redirectNames, says, unreachedNames, waitsWithoutTime } from "../test/wire-faults.ts";
import { mastodon } from "./mastodon.ts";
import { createMastodonStandIn } from "./test/stand-in.ts";

testWireFaults(
  "mastodon",
  () => {
    const standIn = createMastodonStandIn();
    return { network: mastodon, standIn, accessAt: (server) => ({ server, token: standIn.token }) };
  },
  {
    sent: [
      "created, answered 201",
      "created, answered as text/plain",
      "gzip answer",
      "103 before the answer",
      "closed in the body",
    ],
    later: [
      "403 with an HTML page",
      ...says(408, 425, 521, 522, 523, 525, 526, 530),
      ...waitsWithoutTime,
      "429 with the time in the body",
    ],
    laterAfterMs: askedWaitsMs,
    maybe: [
      ...says(500, 501, 502, 503, 504, 520, 524, 599),
      "503 with a retry time",
      "502 with an HTML page",
      "created, answered 500",
      "created, answered 502",
      "created, answered 503",
      "created, answered 504",
    ],
    refused: [...says(400, 409, 413, 415, 418, 422, 451), "400 with an HTML page"],
    stopped: [...says(401, 403, 404, 405, 410), ...redirectNames],
    nothing: unreachedNames,
    lost: [
      "created, answered 204",
      "created, answered with an HTML page",
      "created, answered with an empty body",
      "created, answered with null",
      "created, answered with a JSON list",
      "created, answered with half the JSON",
      "invalid gzip answer",
      "huge gzip answer",
      "dropped in the body",
      "a slow endless body",
      "a huge body",
      "server: wants a certificate",
    ],
  },
);

// Tests of each fault on the wire to Bluesky, which needs a sign-in before a post and recognizes a repeat by its record key.
import { testWireFaults } from "../test/check-wire-faults.ts";
import { askedWaitsMs, redirectNames, says, unreachedNames, waitsWithoutTime } from "../test/wire-faults.ts";
import { createBluesky } from "./bluesky.ts";
import { createBlueskyStandIn } from "./test/stand-in.ts";

testWireFaults(
  "bluesky",
  () => {
    const standIn = createBlueskyStandIn();
    const { handle, password } = standIn;
    return { network: createBluesky(), standIn, accessAt: (service) => ({ service, handle, password }) };
  },
  {
    sent: ["created, answered 201", "gzip answer", "103 before the answer"],
    later: ["403 with an HTML page", ...waitsWithoutTime, "429 with the time in the body"],
    laterAfterMs: askedWaitsMs,
    maybe: [
      ...says(408, 425, 500, 501, 502, 503, 504, 520, 524, 599, 521, 522, 523, 525, 526, 530),
      "503 with a retry time",
      "502 with an HTML page",
      "created, answered 500",
      "created, answered 502",
      "created, answered 503",
      "created, answered 504",
    ],
    refused: [...says(400, 405, 409, 410, 413, 415, 418, 422, 451), "400 with an HTML page"],
    stopped: [...says(401, 403, 404), ...redirectNames],
    lost: [
      "created, answered 204",
      "created, answered with an HTML page",
      "created, answered with an empty body",
      "created, answered with null",
      "created, answered with a JSON list",
      "created, answered with half the JSON",
      "created, answered as text/plain",
      "invalid gzip answer",
      "huge gzip answer",
      "dropped in the body",
      "closed in the body",
      "a slow endless body",
      "a huge body",
    ],
    untried: ["server: wants a certificate", ...unreachedNames],
  },
);

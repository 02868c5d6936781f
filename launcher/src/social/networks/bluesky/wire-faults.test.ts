// What comes of each fault on the way to Bluesky, which is signed in to before a post, and knows a post by its key.
import { testWireFaults } from "../test/check-wire-faults.ts";
import { says } from "../test/wire-faults.ts";
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
    sent: ["taken, and 201", "zipped", "with hints before it"],
    later: ["429 without a time", "429 with nonsense", "429 with a time in the past", "429 in the body"],
    laterAfterMs: {
      "429 in seconds": 65_000,
      "429 in parts of seconds": 1_250,
      "429 in milliseconds": 1_500,
      "429 in milliseconds, by a header of their own": 800,
      "429 for ever": 86_400_000,
      "429 as a bucket that is empty": 2_500,
      "429, longer in the body": 2_000,
      "429 as a page": 7_000,
    },
    maybe: [
      ...says(408, 425, 500, 501, 502, 503, 504, 520, 524, 599, 521, 522, 523, 525, 526, 530),
      "503 with a time",
      "502 as a page",
      "taken, and 500",
      "taken, and 502",
      "taken, and 503",
      "taken, and 504",
    ],
    refused: [...says(400, 405, 409, 410, 413, 415, 418, 422, 451), "400 as a page"],
    stopped: [
      ...says(401, 403, 404),
      "301 to this machine",
      "302 to this machine",
      "303 to this machine",
      "307 to this machine",
      "308 to this machine",
    ],
    lost: [
      "taken, and 204",
      "taken, and a page",
      "taken, and nothing",
      "taken, and null",
      "taken, and a list",
      "taken, and half of it",
      "taken, under another type",
      "zipped badly",
      "zipped, and far too much",
      "broken in the body",
      "ended in the body",
      "a body in drops",
      "a huge body",
    ],
    untried: [
      "server: expired",
      "server: otherName",
      "server: selfSigned",
      "server: plain",
      "server: closed",
      "server: resets",
      "server: wants a certificate",
      "server: mute",
      "no such name",
      "names cannot be looked up",
      "the name leads into the house",
      "the name leads nowhere",
    ],
  },
);

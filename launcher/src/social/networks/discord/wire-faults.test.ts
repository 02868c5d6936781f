// Tests of each fault on the wire to Discord. A repeat would be a second post, so a post that may exist is "maybe".
import { testWireFaults } from "../test/check-wire-faults.ts";
import { askedWaitsMs, redirectNames, says, unreachedNames, waitsWithoutTime } from "../test/wire-faults.ts";
import { discord } from "./discord.ts";
import { createDiscordStandIn } from "./test/stand-in.ts";

testWireFaults(
  "discord",
  () => {
    const standIn = createDiscordStandIn();
    const { guild, channel, path } = standIn;
    return {
      network: discord,
      standIn,
      accessAt: (origin) => ({ url: `${origin}${path}`, name: "Boss log", guild, channel }),
    };
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
      ...says(408, 521, 522, 523, 525, 526, 530),
      ...waitsWithoutTime,
      ...unreachedNames,
    ],
    laterAfterMs: {
      ...askedWaitsMs,
      "429 with the time in the body": 64_570,
      "429 with a longer time in the body": 9_000,
    },
    maybe: [
      ...says(500, 501, 502, 503, 504, 520, 524, 599),
      "503 with a retry time",
      "502 with an HTML page",
      "created, answered 500",
      "created, answered 502",
      "created, answered 503",
      "created, answered 504",
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
    ],
    refused: [...says(400, 405, 409, 413, 415, 418, 422, 425, 451), "400 with an HTML page"],
    stopped: [...says(401, 403, 404, 410), ...redirectNames],
    lost: ["server: wants a certificate"],
  },
);

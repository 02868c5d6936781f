// What comes of each fault on the way to Discord. A repeat would be a second post, so what may have been taken is "maybe".
import { testWireFaults } from "../test/check-wire-faults.ts";
import { says } from "../test/wire-faults.ts";
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
    sent: ["taken, and 201", "taken, under another type", "zipped", "with hints before it", "ended in the body"],
    later: [
      ...says(408, 521, 522, 523, 525, 526, 530),
      "429 without a time",
      "429 with nonsense",
      "429 with a time in the past",
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
    laterAfterMs: {
      "429 in seconds": 65_000,
      "429 in parts of seconds": 1_250,
      "429 in milliseconds": 1_500,
      "429 in milliseconds, by a header of their own": 800,
      "429 for ever": 86_400_000,
      "429 as a bucket that is empty": 2_500,
      "429 in the body": 64_570,
      "429, longer in the body": 9_000,
      "429 as a page": 7_000,
    },
    maybe: [
      ...says(500, 501, 502, 503, 504, 520, 524, 599),
      "503 with a time",
      "502 as a page",
      "taken, and 500",
      "taken, and 502",
      "taken, and 503",
      "taken, and 504",
      "taken, and 204",
      "taken, and a page",
      "taken, and nothing",
      "taken, and null",
      "taken, and a list",
      "taken, and half of it",
      "zipped badly",
      "zipped, and far too much",
      "broken in the body",
      "a body in drops",
      "a huge body",
    ],
    refused: [...says(400, 405, 409, 413, 415, 418, 422, 425, 451), "400 as a page"],
    stopped: [
      ...says(401, 403, 404, 410),
      "301 to this machine",
      "302 to this machine",
      "303 to this machine",
      "307 to this machine",
      "308 to this machine",
    ],
    lost: ["server: wants a certificate"],
  },
);

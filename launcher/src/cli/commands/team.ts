// `kit team link` makes an invitation for a studio's testers. `kit join` shows one, and accepts it if a person says what may be sent.

import { readFileSync, statSync } from "node:fs";
import {
  acceptInvitation,
  checkInvitation,
  createTicket,
  decodeInvitation,
  defaultPort,
  encodeInvitation,
  type ForwardKind,
  formatCount,
  forwardKinds,
  hasForeignLetters,
  type Invitation,
  invitationAsks,
  invitationCharsMax,
  invitationLink,
  invitationTextMax,
  type ReplyOf,
} from "@kit/contract";
import { InvalidSetting } from "../../config.ts";
import { openInBrowser, signInLink } from "../browser.ts";
import { answer, command, parameter, requiredTextFlag, textFlag, textsFlag, toggleFlag } from "../command.ts";
import { launcherPort } from "../connection.ts";
import { writeNewFile } from "../new-file.ts";
import { escapeInvisible, kit, print, quoteText } from "../output.ts";
import {
  bucketFlags,
  keysWantedText,
  namedBucket,
  readServer,
  switchTexts,
  transportFlags,
  transportOf,
} from "./forward.ts";

// What a person gives `kit join` may come from anybody.

/** Throws InvalidSetting. A file's size in bytes is at least its number of characters. */
function checkLength(length: number): void {
  if (length <= invitationCharsMax) return;
  const most = formatCount(invitationCharsMax);
  throw new InvalidSetting(`This is too long for an invitation, which has at most ${most} characters.`);
}

/** Returns the text of a file; undefined if there is none. Throws InvalidSetting. */
function textOfFile(path: string): string | undefined {
  try {
    const found = statSync(path);
    // Reading a pipe or a device could take for ever.
    if (!found.isFile()) return undefined;
    checkLength(found.size);
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof InvalidSetting) throw error;
    return undefined;
  }
}

/** Reads an invitation from a link, from the part after #/join/, or from a file. Throws InvalidSetting. */
export function readInvitation(given: string): Invitation {
  checkLength(given.length);
  const found = decodeInvitation(given) ?? decodeInvitation(textOfFile(given) ?? "");
  if (found !== undefined) return found;
  throw new InvalidSetting("This is not an invitation. Give the whole link, or the file.");
}

/** The asks among the texts. Throws InvalidSetting for another text. */
function asksOf(kind: ForwardKind, hasBucket: boolean, texts: readonly string[] | undefined): Invitation["asks"] {
  if (texts?.length === 1 && texts[0] === "nothing") return [];
  // A collector takes no earlier events, and videos only through a bucket.
  const ofCollector = hasBucket ? ["installation", "videos"] : ["installation"];
  return (texts ?? (kind === "sentry" ? invitationAsks : ofCollector)).map((text) => {
    const found = invitationAsks.find((ask) => ask === text);
    if (found === undefined)
      throw new InvalidSetting(`--asks takes ${invitationAsks.join(", ")}, or nothing; not ${text}.`);
    return found;
  });
}

const link = command(
  "link",
  "Make a link that invites testers; reads the DSN, or the collector's address, from standard input",
  {
    parameters: [
      parameter("<kind>", "sentry: Sentry, GlitchTip, Bugsink …; otlp: an OpenTelemetry collector", forwardKinds),
    ],
    flags: {
      studio: requiredTextFlag("--studio <name>", "who asks, as testers know you"),
      text: textFlag("--text <text>", `your own words to the testers, up to ${invitationTextMax} characters`),
      game: textFlag("--game <game>", "only reports of this game"),
      environment: textFlag("--environment <name>", "added to every report, e.g. playtest"),
      asks: textsFlag(
        "--asks <what...>",
        `besides error reports: ${invitationAsks.join(", ")} (default: all of them; for a collector, installation, and videos if there is a bucket), or nothing`,
      ),
      endpoint: textFlag(
        "--endpoint <url>",
        "the address of the S3 store that videos are uploaded to; its keys are not in the link",
      ),
      region: bucketFlags.region,
      name: bucketFlags.name,
      prefix: bucketFlags.prefix,
      hostStyle: bucketFlags.hostStyle,
      file: textFlag("--file <file>", "also write the invitation to this file, for chats that cut long links"),
      ...transportFlags,
    },
    async run({ connect, config, flags }, kind) {
      const { client } = await connect();
      const { studio, text = "", game = null, environment = null, withoutTls, certificate, file } = flags;
      const { endpoint, region, name, prefix, hostStyle } = flags;
      const bucket = namedBucket({ endpoint, region, name, prefix, hostStyle });
      const asks = asksOf(kind, bucket !== undefined, flags.asks);
      const { address, headers } = await readServer(kind);
      if (headers !== undefined)
        throw new InvalidSetting("An invitation cannot contain headers: everybody who gets the link can read it.");
      const transport = transportOf(withoutTls, certificate);
      const asked = { studio, text, kind, address, game, environment, asks, ...(bucket && { bucket }) };
      const invitation: Invitation = { version: 1, ...asked, ...transport };
      const { host, project, bucketHost } = await client.call(checkInvitation, { body: { invitation } });
      if (file !== undefined)
        await writeNewFile(file, JSON.stringify(invitation, null, 2), {
          advice: "name another file",
          umask: config.umask,
        });
      const made = invitationLink(invitation, defaultPort);
      return answer({ link: made, host, project, bucketHost, file: file ?? null }, () => {
        print("Send this link to your testers. It opens their own Kit, which sends nothing until they agree.");
        print("");
        print(made);
        print("");
        if (file !== undefined) print(`Or send them the file ${escapeInvisible(file)}.`);
        print(
          `The link opens Kit at its usual port, ${defaultPort}. Anyone who runs Kit on another port, or has the file, can choose Open an invitation on the Forwarding page, or run kit join ${file === undefined ? "LINK" : "LINK-OR-FILE"}.`,
        );
        print(
          "Everybody who gets the link can read the address in it. Revoke the key at the server if it gets abused.",
        );
        if (bucketHost !== null) print("Give the keys of the bucket to each tester in another way.");
      });
    },
  },
);

export const teamCommand = command("team", "Invite testers to send their error reports to your server", {
  group: "teams",
  subcommands: [link],
});

function printOffer(invitation: Invitation, { host, project, bucketHost, target }: Offer): void {
  const { studio, text, game, asks, bucket, withoutTls, certificate } = invitation;
  const where = project === null ? host : `${host}, project ${project}`;
  print(escapeInvisible(`${studio} asks for error reports of ${game ?? "all games"}. They would go to ${where}.`));
  print("Only the server's address is certain: anybody can write any studio's name into a link.");
  print("That server also sees the internet address of this computer.");
  if (hasForeignLetters(host) || hasForeignLetters(bucketHost ?? ""))
    print("The name of a server contains letters that can look like others. Ask the studio whether it is theirs.");
  if (withoutTls) print("What Kit sends is not encrypted: others in the network can read it.");
  if (certificate !== undefined)
    print("This invitation contains a certificate. Kit trusts it only for the servers of this invitation.");
  if (asks.length > 0)
    print(`Besides error reports, the studio asks for: ${asks.map((ask) => switchTexts[ask]).join("; ")}.`);
  if (bucket !== undefined) {
    print(escapeInvisible(`Videos would go to the bucket ${bucket.name}/${bucket.prefix} at ${bucketHost}.`));
    print("The server gets a link to each video. Everybody who has the link can watch it for 7 days.");
  }
  if (text !== "") print(`The studio writes:\n${quoteText(text)}`);
  if (target !== null)
    print(
      `You agreed to an invitation of this server before: ${kit(`forward sent ${target.id}`)} prints what was sent.`,
    );
}

type Offer = ReplyOf<typeof checkInvitation>;

export const joinCommand = command(
  "join",
  "Show a studio's invitation, and agree to it in the browser or with --agree",
  {
    group: "teams",
    parameters: [parameter("<invitation>", "the link, or the file, that the studio sent")],
    flags: {
      agree: toggleFlag(
        "--agree",
        "send error reports from now on; if you agreed before, replaces what you chose then",
      ),
      earlierEvents: toggleFlag("--earlier-events", "also send the events before an error"),
      installation: toggleFlag("--installation", "also send a random id of this computer"),
      videos: toggleFlag("--videos", "also send videos of errors, with their sound"),
    },
    async run({ connect, config, flags }, given) {
      const invitation = readInvitation(given);
      const { client } = await connect();
      const offer = await client.call(checkInvitation, { body: { invitation } });
      const { agree, earlierEvents = false, installation = false, videos = false } = flags;
      if (!agree && (earlierEvents || installation || videos))
        throw new InvalidSetting("Add --agree: without error reports, nothing is sent.");
      if (agree) {
        const target = await client.call(acceptInvitation, {
          body: { invitation, reports: true, earlierEvents, installation, videos },
        });
        return answer(target, () => {
          printOffer(invitation, offer);
          print(
            `You agreed. ${kit(`forward sent ${target.id}`)} prints what was sent; ${kit(`forward off ${target.id}`)} ends it.`,
          );
          if (target.videos && target.bucket?.hasKeys === false) print(keysWantedText(target.id));
        });
      }
      const { ticket } = await client.call(createTicket);
      const page = signInLink(launcherPort(config), ticket, `join/${encodeInvitation(invitation)}`);
      return answer({ ...offer, page }, async () => {
        printOffer(invitation, offer);
        print("Nothing is sent before you agree.");
        const isOpen = await openInBrowser(config, page);
        print(
          isOpen
            ? "The invitation opens in your browser."
            : `Open this link within a minute; it works once: ${page}\nOr run the command again with --agree.`,
        );
      });
    },
  },
);

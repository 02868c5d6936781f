// `kit team link` makes an invitation for a studio's testers. `kit join` shows one, and accepts it if a person says what may be sent.
import { readFileSync } from "node:fs";
import {
  acceptInvitation,
  checkInvitation,
  createTicket,
  decodeInvitation,
  defaultPort,
  encodeInvitation,
  type ForwardKind,
  forwardKinds,
  hasForeignLetters,
  type Invitation,
  invitationAsks,
  invitationLink,
  invitationTextMax,
  type ReplyOf,
} from "@kit/contract";
import { InvalidSetting } from "../../config.ts";
import { openInBrowser, signInLink } from "../browser.ts";
import { answer, command, parameter, requiredTextFlag, textFlag, textsFlag, toggleFlag } from "../command.ts";
import { launcherPort } from "../connection.ts";
import { escapeInvisible, print } from "../output.ts";
import { writeSharedFile } from "../shared-file.ts";
import { readServer, transportFlags, transportOf } from "./forward.ts";

/** The asks among the texts. Throws InvalidSetting for another text. */
function asksOf(kind: ForwardKind, texts: readonly string[] | undefined): Invitation["asks"] {
  if (texts?.length === 1 && texts[0] === "nothing") return [];
  // A collector takes neither earlier events nor videos.
  return (texts ?? (kind === "sentry" ? invitationAsks : ["installation"])).map((text) => {
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
        `besides error reports: ${invitationAsks.join(", ")} (default: all that the server takes), or nothing`,
      ),
      file: textFlag("--file <file>", "also write the invitation to this file, for chats that cut long links"),
      ...transportFlags,
    },
    async run({ connect, config, flags }, kind) {
      const { client } = await connect();
      const { studio, text = "", game = null, environment = null, withoutTls, certificate, file } = flags;
      const asks = asksOf(kind, flags.asks);
      const { address, headers } = await readServer(kind);
      if (headers !== undefined)
        throw new InvalidSetting("An invitation cannot contain headers: everybody who gets the link can read it.");
      const transport = transportOf(withoutTls, certificate);
      const invitation: Invitation = { version: 1, studio, text, kind, address, game, environment, asks, ...transport };
      const { host, project } = await client.call(checkInvitation, { body: { invitation } });
      if (file !== undefined)
        await writeSharedFile(file, JSON.stringify(invitation, null, 2), config.umask, "name another file");
      // Testers run Kit on its usual port. On another port, `kit join` opens the same link.
      const made = invitationLink(invitation, defaultPort);
      return answer({ link: made, host, project, file: file ?? null }, () => {
        print("Send this link to your testers. It opens their own Kit, which sends nothing until they agree.");
        print("");
        print(made);
        print("");
        if (file !== undefined) print(`Or send them the file ${escapeInvisible(file)}: they run kit join FILE.`);
        print(
          "Everybody who gets the link can read the address in it. Revoke the key at the server if it gets abused.",
        );
      });
    },
  },
);

export const teamCommand = command("team", "Invite testers to send their error reports to your server", {
  group: "teams",
  subcommands: [link],
});

/** Reads an invitation from a link, from the part after #/join/, or from a file. */
function readInvitation(given: string): Invitation {
  const fromText = decodeInvitation(given);
  if (fromText !== undefined) return fromText;
  try {
    const fromFile = decodeInvitation(readFileSync(given, "utf8"));
    if (fromFile !== undefined) return fromFile;
  } catch {
    // It is neither a link nor a file.
  }
  throw new InvalidSetting("This is not an invitation. Give the whole link, or the file.");
}

function printOffer({ studio, text, game, asks, withoutTls }: Invitation, { host, project, target }: Offer): void {
  const where = project === null ? host : `${host}, project ${project}`;
  print(escapeInvisible(`${studio} asks for error reports of ${game ?? "all games"}. They would go to ${where}.`));
  if (hasForeignLetters(host))
    print("The server's name contains letters that can look like others. Ask the studio whether it is theirs.");
  if (withoutTls) print("The reports are sent without encryption: others in the network can read them.");
  if (asks.length > 0)
    print(`Besides error reports, the studio asks for: ${asks.map((ask) => askTexts[ask]).join("; ")}.`);
  if (text !== "") print(`The studio writes: ${text.split("\n").map(escapeInvisible).join("\n")}`);
  if (target !== null)
    print(`You agreed to this invitation before: kit forward sent ${target.id} prints what was sent.`);
}

type Offer = ReplyOf<typeof checkInvitation>;
const askTexts = {
  earlierEvents: "the events before an error",
  installation: "a random id of this computer",
  videos: "videos of errors, with their sound",
} as const satisfies Record<Invitation["asks"][number], string>;

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
            `You agreed. kit forward sent ${target.id} prints what was sent; kit forward off ${target.id} ends it.`,
          );
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

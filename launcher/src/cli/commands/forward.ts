// `kit forward`: lists, adds, tests, switches and removes forwarding targets.
import { readFileSync } from "node:fs";
import {
  addForwardTarget,
  type BodyOf,
  changeForwardTarget,
  type ForwardBucket,
  type ForwardKind,
  type ForwardSwitch,
  type ForwardTarget,
  formatCount,
  forwardKinds,
  forwardSwitches,
  listForwardTargets,
  listSentRequests,
  removeForwardTarget,
  testForwardBucket,
  testForwardTarget,
} from "@kit/contract";
import { InvalidSetting } from "../../config.ts";
import { answer, command, parameter, textFlag, toggleFlag } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { escapeInvisible, formatBytes, formatLocalTime, kit, print, printTable, say, withStyle } from "../output.ts";
import { readInput } from "../prompt.ts";
import { setExitCode } from "../terminal.ts";
import { printSendingProblem, sendingStateText } from "./accounts.ts";

const targetAddress = ({ host, project }: ForwardTarget) => (project === null ? host : `${host}, project ${project}`);

function printTargets(targets: readonly ForwardTarget[]): void {
  const rows = targets.map((target) => [
    target.id,
    target.kind,
    targetAddress(target),
    target.game ?? "all games",
    sendingStateText(target),
    formatCount(target.delivered),
    `${formatCount(target.waiting)} (${formatBytes(target.waitingBytes)})`,
    formatCount(target.dropped),
  ]);
  printTable(["id", "kind", "where", "game", "state", "delivered", "waiting", "dropped"], rows);
  for (const target of targets) {
    printSendingProblem(target.id, target);
    printVideos(target);
    printDecisions(target);
    const { id, bucket } = target;
    if (bucket === null) continue;
    print(escapeInvisible(`${id} bucket: ${bucket.name} at ${bucket.endpoint}`));
    if (target.videos && !bucket.hasKeys) print(keysWantedText(id));
  }
}

/** What a person decides about one by one. */
export const switchTexts = {
  reports: "error reports",
  earlierEvents: "the events before an error",
  installation: "a random id of this computer",
  videos: "videos of errors, with their sound",
} as const satisfies Record<ForwardSwitch, string>;

function printDecisions({ id, consent, decisions }: ForwardTarget): void {
  if (consent !== null) {
    const { studio, decidedAt, switches, version } = consent;
    const those = (on: boolean) =>
      forwardSwitches
        .filter((name) => switches[name] === on)
        .map((name) => switchTexts[name])
        .join(", ") || "nothing";
    const said = `${formatLocalTime(decidedAt)}; on: ${those(true)}; off: ${those(false)}; invitation ${version}`;
    print(escapeInvisible(`${id} consent: ${studio}, ${said}`));
  }
  for (const { at, switch: name, on } of decisions)
    print(`${id} changed: ${formatLocalTime(at)}; ${switchTexts[name]}: ${on ? "on" : "off"}`);
}

/** Says how a person enters the keys of the bucket that an invitation named. */
export const keysWantedText = (id: string): string =>
  `No video is sent before you enter the keys of the bucket: ${kit(`forward bucket ${id} set`)}`;

function printVideos({ id, videos, videoQueue }: ForwardTarget): void {
  if (videoQueue === null) return;
  const { sent, waiting, unsent, unsentBecause, stopped, waitsUntil } = videoQueue;
  const because = unsentBecause === null ? "" : ` (${escapeInvisible(say(unsentBecause))})`;
  const waits = waitsUntil === null ? "on" : `on hold until ${formatLocalTime(waitsUntil)}`;
  const state = stopped !== null ? "stopped" : videos ? waits : "off";
  print(`${id} videos: ${state}; the server accepted ${sent}, ${waiting} waiting, ${unsent} not sent${because}`);
  if (stopped !== null) print(withStyle("red", `${id} videos stopped: ${escapeInvisible(say(stopped))}`));
}

const prompts: Readonly<Record<ForwardKind, string>> = {
  sentry: "Paste the DSN and press Enter.",
  otlp: "Type the collector's address, then one header per line (name: value), then an empty line.",
};

function parseHeader(line: string): readonly [string, string] {
  const [, name, value] = /^([^:\s]+):\s*(.*)$/.exec(line) ?? [];
  if (name === undefined || value === undefined)
    throw new InvalidSetting("Each line after the address must be a header such as name: value.");
  return [name, value];
}

/** Reads the address of a server, and headers if it is a collector, from standard input. */
export async function readServer(kind: ForwardKind): Promise<{ address: string; headers?: Record<string, string> }> {
  const isEnough = (given: string) => (kind === "sentry" ? /\S\s*\n/.test(given) : /\n\r?\n/.test(given));
  const lines = (await readInput(prompts[kind], isEnough)).map((line) => line.trim());
  const [address = "", ...rest] = lines.filter((line) => line !== "");
  if (address === "") throw new InvalidSetting(`Standard input was empty. ${prompts[kind]}`);
  return rest.length === 0 ? { address } : { address, headers: Object.fromEntries(rest.map(parseHeader)) };
}

/** The flags of a command that names a server. */
export const transportFlags = {
  withoutTls: toggleFlag(
    "--without-tls",
    "allow plain http to an address of the local network, where others can read it",
  ),
  certificate: textFlag("--certificate <file>", "the certificate of your own authority, in PEM form"),
};

/** Returns how the server is contacted, as the API takes it. Throws if the file cannot be read. */
export const transportOf = (withoutTls: true | undefined, certificateFile: string | undefined) => ({
  ...(withoutTls && { withoutTls }),
  ...(certificateFile && { certificate: readFileSync(certificateFile, "utf8") }),
});

const target = parameter("<id>", "a target's id, from `kit forward`");

const add = command("add", "Add a target; reads its DSN, or address and headers, from standard input", {
  parameters: [
    parameter("<kind>", "sentry: Sentry, GlitchTip, Bugsink …; otlp: an OpenTelemetry collector", forwardKinds),
  ],
  flags: {
    game: textFlag("--game <game>", "only reports of this game; `unsorted` for reports without a game"),
    environment: textFlag("--environment <name>", "added to every report, e.g. playtest"),
    ...transportFlags,
  },
  async run({ client, connect, flags }, kind) {
    await connect();
    const { game = null, environment = null, withoutTls, certificate: file } = flags;
    const body = { kind, ...(await readServer(kind)), game, environment, ...transportOf(withoutTls, file) };
    return answer(await client.call(addForwardTarget, { body }), (added) => {
      const where = escapeInvisible(targetAddress(added));
      const games = escapeInvisible(added.game ?? "all games");
      print(`Error reports of ${games} are forwarded to ${where}. Test it: ${kit(`forward test ${added.id}`)}`);
    });
  },
});

const test = command("test", "Send a test report and print the server's answer", {
  parameters: [target],
  async run({ client }, id) {
    const result = await client.call(testForwardTarget, { params: { id } });
    if (!result.ok) setExitCode(exitCodes.unwell);
    return answer(result, ({ ok, says, answer: reply, report }) => {
      print(withStyle(ok ? "green" : "red", escapeInvisible(say(says))));
      if (reply) print(`The server answered: ${escapeInvisible(reply)}`);
      if (ok && report !== null) print(`Look there for the report ${report.replaceAll("-", "")}.`);
    });
  },
});

const change = (name: string, summary: string, enabled: boolean) =>
  command(name, summary, {
    parameters: [target],
    async run({ client }, id) {
      const changed = await client.call(changeForwardTarget, { params: { id }, body: { enabled } });
      return answer(changed, () => printTargets([changed]));
    },
  });

const installation = command(
  "installation",
  "Send a random id with every report, so that the target can count computers",
  {
    parameters: [
      target,
      parameter("<what>", "new: makes a random id, also in place of another; none: sends none", ["new", "none"]),
    ],
    async run({ client }, id, what) {
      const changed = await client.call(changeForwardTarget, { params: { id }, body: { installation: what } });
      return answer(changed, ({ installation: made }) =>
        print(made === null ? "No random id is sent." : `Every report is sent with the random id ${made}.`),
      );
    },
  },
);

const earlierEvents = command("events", "Choose whether the events that preceded an error are sent with it", {
  parameters: [target, parameter("<what>", "on or off", ["on", "off"])],
  async run({ client }, id, what) {
    const body = { earlierEvents: what === "on" };
    const changed = await client.call(changeForwardTarget, { params: { id }, body });
    return answer(changed, ({ earlierEvents: sent }) =>
      print(
        sent
          ? "Errors are sent with the events that preceded them."
          : "Errors are sent without the events that preceded them.",
      ),
    );
  },
});

const sent = command("sent", "Print what was sent to a target: its last requests, word for word, newest first", {
  parameters: [target],
  async run({ client }, id) {
    const { requests } = await client.call(listSentRequests, { params: { id } });
    return answer(requests, () => {
      if (requests.length === 0) print("Nothing was sent yet.");
      for (const { sentAt, reports, accepted, body, chars } of requests) {
        print(`${formatLocalTime(sentAt)}  reports: ${reports}${accepted ? "" : ", not accepted"}`);
        print(body.split("\n").map(escapeInvisible).join("\n"));
        if (body.length < chars) print(`The beginning of ${formatCount(chars)} characters.`);
        print("");
      }
    });
  },
});

const videos = command("videos", "Choose whether clips of errors are sent too, with sound", {
  parameters: [
    target,
    parameter("<what>", "on: sends them; off: stops at once and deletes the waiting ones", ["on", "off"]),
  ],
  async run({ client }, id, what) {
    const changed = await client.call(changeForwardTarget, { params: { id }, body: { videos: what === "on" } });
    return answer(changed, () => {
      if (changed.videos && changed.bucket !== null)
        print(
          `Videos of errors are uploaded to the bucket ${changed.bucket.name}, with the sound. Kit cannot remove names from a video.`,
        );
      else if (changed.videos)
        print(
          "The server gets videos of errors: what is on the screen, with the sound. Kit cannot remove names from a video.",
        );
      else print("The server gets no videos.");
    });
  },
});

/** The flags of a command that names a bucket. */
export const bucketFlags = {
  endpoint: textFlag("--endpoint <url>", "the address of the store, e.g. https://s3.eu-central-1.amazonaws.com"),
  region: textFlag("--region <region>", "the region of the bucket; us-east-1 if it is left out"),
  name: textFlag("--bucket <name>", "the name of the bucket"),
  prefix: textFlag("--prefix <prefix>", "comes before the name of each file, e.g. playtest/"),
  hostStyle: toggleFlag("--host-style", "the bucket is part of the host name, not of the path"),
};
type BucketFlags = { [Name in keyof ForwardBucket]?: ForwardBucket[Name] | undefined };

/** Returns the bucket that the flags name; undefined if they name none. What is left out is as in `before`. Throws InvalidSetting. */
export function namedBucket(flags: BucketFlags, before?: ForwardBucket | null): ForwardBucket | undefined {
  const { endpoint = before?.endpoint, name = before?.name, region = before?.region ?? "us-east-1" } = flags;
  const { prefix = before?.prefix ?? "", hostStyle = before?.hostStyle ?? false } = flags;
  if (endpoint !== undefined && name !== undefined) return { endpoint, region, name, prefix, hostStyle };
  if (Object.values({ ...before, ...flags }).every((given) => given === undefined)) return undefined;
  throw new InvalidSetting("A bucket needs --endpoint and --bucket.");
}

const keysPrompt = "Type the access key, press Enter, type the secret key, press Enter.";
const bucket = command(
  "bucket",
  "Choose the S3 bucket to which videos of errors are uploaded; `set` reads its keys from standard input",
  {
    parameters: [
      target,
      parameter(
        "<what>",
        "set: with the flags, or as an invitation named it; test: writes, reads and deletes a small file; none: uses no bucket",
        ["set", "test", "none"],
      ),
    ],
    flags: { ...bucketFlags, ...transportFlags },
    async run({ client, connect, flags }, id, what) {
      await connect();
      const change = async (given: NonNullable<BodyOf<typeof changeForwardTarget>["bucket"]> | null) =>
        client.call(changeForwardTarget, { params: { id }, body: { bucket: given } });
      if (what === "none")
        return answer(await change(null), "No bucket is used. The target itself gets the videos, if it takes any.");
      if (what === "set") {
        const { endpoint, region, name, prefix, hostStyle } = flags;
        const { targets } = await client.call(listForwardTargets);
        const before = targets.find((each) => each.id === id)?.bucket;
        // Another store or bucket keeps nothing of the one before.
        const isNamed = endpoint !== undefined || name !== undefined;
        const chosen = namedBucket({ endpoint, region, name, prefix, hostStyle }, isNamed ? undefined : before);
        if (chosen === undefined) throw new InvalidSetting("`set` needs --endpoint and --bucket.");
        const lines = await readInput(keysPrompt, (given) => /\S\s*\n\s*\S+\s*\n/.test(given));
        const [accessKey, secretKey] = lines.map((line) => line.trim()).filter((line) => line !== "");
        if (accessKey === undefined || secretKey === undefined)
          throw new InvalidSetting(`Standard input has no two keys. ${keysPrompt}`);
        const transport = transportOf(flags.withoutTls, flags.certificate);
        await change({ ...chosen, accessKey, secretKey, ...transport });
      }
      const result = await client.call(testForwardBucket, { params: { id } });
      if (!result.ok) setExitCode(exitCodes.unwell);
      return answer(result, ({ ok, says }) => print(withStyle(ok ? "green" : "red", escapeInvisible(say(says)))));
    },
  },
);

const remove = command("remove", "Remove a target, its credentials and its pending reports", {
  parameters: [target],
  async run({ client }, id) {
    await client.call(removeForwardTarget, { params: { id } });
    return answer({ removed: id }, "Removed the target, its credentials and its pending reports.");
  },
});

export const forwardCommand = command(
  "forward",
  "List forwarding targets for error reports; add, test, switch or remove one",
  {
    group: "teams",
    subcommands: [
      add,
      test,
      change("on", "Switch a target on, even if it was stopped by an error", true),
      change(
        "off",
        "Switch a target off: new reports are not queued, pending ones are kept, pending videos are deleted",
        false,
      ),
      installation,
      earlierEvents,
      sent,
      videos,
      bucket,
      remove,
    ],
    async run({ client }) {
      const { targets } = await client.call(listForwardTargets);
      return answer(targets, () => {
        if (targets.length > 0) printTargets(targets);
        else
          print(
            `No forwarding target yet. Add one with \`${kit("forward add sentry")}\` or \`${kit("forward add otlp")}\`.`,
          );
      });
    },
  },
);

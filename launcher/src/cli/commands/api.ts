// `kit api`: calls any operation of the contract, or says what there is and what it takes.
import { readFile, stat } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { bodyBytesMax, type Client, type Given, type Operation, operations } from "@kit/contract";
import { EventSourceParserStream } from "eventsource-parser/stream";
import { InvalidSetting } from "../../config.ts";
import { closestMatch } from "../../http/typos.ts";
import { describeOperation, describeOperations } from "../api/help.ts";
import { answer, type CommandContext, command, parameter, textFlag } from "../command.ts";
import { writeNewFile } from "../new-file.ts";
import { escapeInvisible, formatBytes, kit, print, printJson, printJsonLine, stringifyVisible } from "../output.ts";
import { askQuestion } from "../prompt.ts";
import { terminal } from "../terminal.ts";

const help = `
Without an operation, lists all operations. \`kit api OPERATION --help\` prints what it takes and returns.

A value has the type that the operation takes: a text, a number, true, false, or null. A dot leads into an object
(part.fromSeconds=1). A list is JSON, or its name once for each element (tags=boss tags=fast).
A credential is never written in the command line: write only its name. Kit then asks for it, or reads a line of standard input.

Examples:
  kit api listClips game=my_game limit=5
  kit api switchServices social=false
  kit api addAccount network=discord fields.url
  kit api importEventsFile dryRun=true --input kit.events.json
  kit api exportEverything --out kit.zip`;

const flags = {
  input: textFlag("--input <file>", "read the body as JSON from this file; - for standard input"),
  out: textFlag("--out <file>", "write the response to this new file"),
};
type ApiContext = CommandContext<typeof flags>;

/** Throws InvalidSetting with the operation that was probably meant, or with those whose id contains the word. */
function findOperation(given: string): Operation {
  const found = operations.find(({ id }) => id === given);
  if (found !== undefined) return found;
  const ids = operations.map(({ id }) => id);
  const meant = closestMatch(given, ids);
  const similar = meant === undefined ? ids.filter((id) => id.toLowerCase().includes(given.toLowerCase())) : [meant];
  const advice = similar.length > 0 ? `Did you mean ${similar.join(", ")}?` : `\`${kit("api")}\` lists all operations.`;
  throw new InvalidSetting(`There is no operation ${given}. ${advice}`);
}

const readStdin = async (): Promise<string> => (await terminal().stdin.toArray()).join("");

async function readFileOf(path: string): Promise<string> {
  const { size } = await stat(path);
  if (size > bodyBytesMax) throw new InvalidSetting(`${path} has ${size} bytes. The maximum is ${bodyBytesMax}.`);
  return readFile(path, "utf8");
}

/** Returns a function that reads one credential after the other: without echo from the user, a line each from a program. */
function createAsk({ connect, flags: { input } }: ApiContext): (name: string) => Promise<string> {
  let lines: string[] | undefined;
  return async (name) => {
    if (input === "-")
      throw new InvalidSetting(`Standard input is the body. Put ${name} into it, or give the body as a file.`);
    // Before the user types in vain.
    await connect();
    if (terminal().stdin.isTTY) {
      const given = await askQuestion(`${name}: `, { isSecret: true, output: terminal().stderr });
      if (given !== undefined) return given;
      throw new InvalidSetting("Nothing was sent.");
    }
    lines ??= (await readStdin()).split(/\r?\n/);
    const line = lines.shift();
    if (line === undefined || line === "") throw new InvalidSetting(`Standard input has no line for ${name}.`);
    return line;
  };
}

const openRaw = (client: Client, operation: Operation, input: Given<Operation>): Promise<Response> =>
  client.open(operation as Operation & { stream: true }, input as Given<Operation & { stream: true }>);

async function printStream(response: Response): Promise<undefined> {
  if (response.body === null) return;
  const events = response.body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
  for await (const { data } of events) printJsonLine(JSON.parse(data));
}

async function saveFile({ client, flags: { out } }: ApiContext, operation: Operation, input: Given<Operation>) {
  if (out === undefined) {
    const { stdout } = terminal();
    if (stdout.isTTY) throw new InvalidSetting(`${operation.id} returns a file (${operation.file}). Add --out FILE.`);
    const { body } = await openRaw(client, operation, input);
    if (body !== null) await pipeline(Readable.fromWeb(body), stdout, { end: false });
    return undefined;
  }
  let bytes = 0;
  async function* download() {
    for await (const chunk of (await openRaw(client, operation, input)).body ?? []) {
      bytes += chunk.length;
      yield chunk;
    }
  }
  await writeNewFile(out, download, { advice: "use another --out" });
  return answer({ file: out, bytes }, () => print(`${escapeInvisible(out)} (${formatBytes(bytes)})`));
}

async function call(context: ApiContext, operation: Operation, words: readonly string[]) {
  const { client, flags: given } = context;
  const { input, out } = given;
  if (operation.stream && out !== undefined)
    throw new InvalidSetting(`${operation.id} never ends by itself, so it takes no --out.`);
  // Only here, because compiling schemas would slow other commands down.
  const { parseBody, readInput } = await import("../api/input.ts");
  const text = input === undefined ? undefined : await (input === "-" ? readStdin() : readFileOf(input));
  const body = text === undefined ? undefined : parseBody(operation, text);
  const sent = await readInput(operation, words, body, createAsk(context));
  if (operation.stream) return printStream(await openRaw(client, operation, sent));
  if (operation.file !== undefined) return saveFile(context, operation, sent);
  const reply: unknown = await client.call(operation, sent);
  if (out === undefined) return answer(reply ?? null, () => (reply === undefined ? undefined : printJson(reply)));
  await writeNewFile(out, `${stringifyVisible(reply ?? null, 2)}\n`, { advice: "use another --out" });
  return answer({ file: out }, escapeInvisible(out));
}

export const apiCommand = command("api", "Call any operation of Kit's API, or list them all", {
  parameters: [
    parameter("[operation]", "the operation's id"),
    parameter("[values...]", "name=value for each parameter and each member of the body"),
  ],
  flags,
  help,
  async run(context, id, words) {
    if (id !== undefined) return call(context, findOperation(id), words);
    const listed = operations.map(({ id, method, path, says }) => ({ id, method, path, says }));
    return answer(listed, () => print(describeOperations()));
  },
});

const ownHelp = apiCommand.helpInformation.bind(apiCommand);
/** `kit api OPERATION --help` prints the help of the operation instead. */
apiCommand.helpInformation = (context) => {
  const id = apiCommand.args.find((word) => !word.startsWith("-"));
  return id === undefined ? ownHelp(context) : describeOperation(findOperation(id));
};

// Tests of `kit api`: for every operation, what fits the contract is sent as it says, and what does not is refused before that.
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { callAddress, createClient, type Operation, operations } from "@kit/contract";
import type { TSchema } from "typebox";
import { Check } from "typebox/value";
import { test } from "vitest";
import { describeOperation } from "../../src/cli/api/help.ts";
import { readInput } from "../../src/cli/api/input.ts";
import { alternatives, inputParts, objectIn, partOf, type SchemaNode } from "../../src/cli/api/schema.ts";
import { exitCodes } from "../../src/cli/exit-codes.ts";
import { runProgram } from "../../src/cli/program.ts";
import { InvalidSetting } from "../../src/config.ts";
import { kitOn, placeOf } from "../support/kit-command.ts";
import { startStandIn } from "../support/stand-in-launcher.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

type Sent = { readonly method: string | undefined; readonly url: string | undefined; readonly body: unknown };
type Reply = { readonly type?: string; readonly content?: string; readonly status?: number };

/** Starts a stand-in that replies the same to each request, and notes them. */
async function startNoting(reply: Reply = {}) {
  const { type = "application/json", content = "{}", status = 200 } = reply;
  const requests: Sent[] = [];
  let asked = 0;
  const { port, dataDir } = await startStandIn(async (request, response, proof) => {
    asked += 1;
    if (proof !== undefined) return response.end(proof);
    const body = await text(request);
    requests.push({ method: request.method, url: request.url, body: body === "" ? undefined : JSON.parse(body) });
    return status === 204
      ? response.writeHead(204).end()
      : response.writeHead(status, { "content-type": type }).end(content);
  });
  const place = { port, dataDir };
  return {
    place,
    requests,
    asked: () => asked,
    kit: (words: readonly string[], input?: string) => kitOn(place, input).run("api", ...words),
  };
}

/** A text that fits a schema is one of these. */
const texts = [
  "saga_boss",
  "2026-05-03T10:20:00.000Z",
  "0196f3a2-7c1e-7abc-8def-0123456789ab",
  "ws://127.0.0.1:4455",
  "1",
  "0".repeat(64),
];

const fits = (schema: SchemaNode, value: unknown): boolean => Check(schema as TSchema, value);

/** Returns a value that fits a schema, with every member. */
function sampleOf(schema: SchemaNode, name = ""): unknown {
  const object = objectIn(schema);
  if (object?.properties !== undefined)
    return Object.fromEntries(
      Object.entries(object.properties).map(([key, each]) => [key, sampleOf(each, `${name}.${key}`)]),
    );
  const list = alternatives(schema).find(({ items }) => items !== undefined);
  const choices = [
    ...alternatives(schema).flatMap((each) => [...(each.enum ?? []), each.const]),
    ...(list?.items === undefined ? [] : [[sampleOf(list.items, `${name}[]`)]]),
    ...(object === undefined
      ? []
      : [{ key: sampleOf(Object.values(object.patternProperties ?? {})[0] ?? {}, `${name}.key`) }]),
    true,
    schema.minimum,
    1,
    ...texts,
  ];
  return choices.find((value) => fits(schema, value)) ?? assert.fail(`no sample for ${name}`);
}

const membersOf = (operation: Operation) =>
  inputParts.flatMap((part) =>
    Object.entries(partOf(operation, part)?.properties ?? {}).map(([name, node]) => ({ part, name, node })),
  );

/** The names of the credentials in a value, with the texts that stand there. */
function credentialsIn(node: SchemaNode, value: unknown, name: string): [name: string, value: unknown][] {
  if (node.writeOnly) return [[name, value]];
  const below = objectIn(node)?.properties ?? {};
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, one]) =>
    below[key] ? credentialsIn(below[key], one, `${name}.${key}`) : [],
  );
}

const asWord = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));

/** Yields a word for each value; objects with credentials in them are written member by member. */
function* wordsOf(node: SchemaNode, value: unknown, name: string): Generator<string> {
  if (node.writeOnly) yield name;
  else if (credentialsIn(node, value, name).length === 0) yield `${name}=${asWord(value)}`;
  else
    for (const [key, one] of Object.entries(value as object))
      yield* wordsOf(objectIn(node)?.properties?.[key] ?? {}, one, `${name}.${key}`);
}

test("what fits the contract is sent as it says, for every operation", async () => {
  for (const operation of operations) {
    const members = membersOf(operation).map((each) => ({ ...each, value: sampleOf(each.node, operation.id) }));
    const given = Object.fromEntries(
      inputParts.map((part) => [
        part,
        Object.fromEntries(members.filter((each) => each.part === part).map(({ name, value }) => [name, value])),
      ]),
    );
    const words = members.flatMap(({ node, value, name }) => [...wordsOf(node, value, name)]);
    const secrets = new Map(members.flatMap(({ node, value, name }) => credentialsIn(node, value, name)));
    const input = await readInput(operation, words, undefined, async (name) => asWord(secrets.get(name)));
    const sent: Sent[] = [];
    const client = createClient("", undefined, async (url, { method, body }) => {
      sent.push({ method, url, body: body && JSON.parse(String(body)) });
      return new Response("{}");
    });
    await client.call(operation, input);
    const body = operation.body && given.body;
    assert.deepEqual(sent, [{ method: operation.method, url: callAddress(operation, given), body }], operation.id);
  }
});

const nobodyToAsk = async (name: string): Promise<string> => assert.fail(`${name} was asked for`);
const refuses = (operation: Operation, words: readonly string[], ...says: string[]) =>
  assert.rejects(
    readInput(operation, words, undefined, nobodyToAsk),
    (error) => error instanceof InvalidSetting && says.every((part) => error.message.includes(part)),
    `${operation.id} ${words.join(" ")}`,
  );

test("what does not fit the contract is refused before anything is sent, and named, for every operation", async () => {
  const wrong = "\u0001";
  for (const operation of operations) {
    await refuses(operation, ["no_such_name=1"], "no_such_name");
    await refuses(operation, ["constructor=1"], "constructor");
    const members = membersOf(operation);
    for (const { name, node } of members.filter((each) => !each.node.writeOnly)) {
      const others = members.filter((each) => each.name !== name && !each.node.writeOnly);
      const words = others.flatMap((each) => [...wordsOf(each.node, sampleOf(each.node), each.name)]);
      const rest = words.filter((word) => word.includes("="));
      await refuses(operation, [...rest, name], `${name} has no value`);
      const isAnyText = fits(node, wrong) || fits(node, [wrong]);
      if (!isAnyText) await refuses(operation, [...rest, `${name}=${wrong}`], "Nothing was sent:", name);
    }
    const [required] = members.filter(({ part, name }) => partOf(operation, part)?.required?.includes(name));
    if (required !== undefined) await refuses(operation, [], required.name);
  }
});

test("every password and key in the contract is a credential", () => {
  const described = (node: SchemaNode, isSecret: boolean): void => {
    const isCredential = isSecret || node.writeOnly === true;
    const { description = "" } = node;
    if (/never returned|'s WebSocket password|ticket from/.test(description)) assert.ok(isCredential, description);
    for (const each of Object.values(objectIn(node)?.properties ?? {})) described(each, isCredential);
  };
  for (const operation of operations) for (const { node } of membersOf(operation)) described(node, false);
});

test("kit api lists every operation in lines of a terminal, and as JSON", async () => {
  const { kit } = await startNoting();
  const lines = (await kit([])).stdout.split("\n");
  for (const { id } of operations)
    assert.ok(
      lines.some((line) => line.startsWith(`  ${id} `)),
      id,
    );
  assert.ok(lines.every((line) => line.length <= 80));
  const listed = (await kit(["--json"])).json<{ id: string }[]>();
  assert.deepEqual(
    listed.map(({ id }) => id),
    operations.map(({ id }) => id),
  );
});

test("the help of every operation names what it takes and returns", () => {
  for (const operation of operations) {
    const help = describeOperation(operation);
    for (const { name } of membersOf(operation))
      assert.match(help, new RegExp(`^  ${name.replace("$", "\\$")}( |$)`, "m"));
    for (const line of help.split("\n")) assert.ok(line.length <= 80, line);
  }
  const help = describeOperation(operations.find(({ id }) => id === "changeForwardTarget") ?? assert.fail());
  assert.match(help, /^ {2}bucket\.secretKey +text; a credential: write only its/m);
  assert.match(help, /^ {2}consent\.switches\.videos\n +true or false; Videos of errors$/m);
});

test("a misspelt operation or name is answered with the nearest", async () => {
  const { kit, asked } = await startNoting();
  const said = async (...words: string[]) => {
    const { code, stderr } = await kit(words);
    assert.equal(code, exitCodes.usage);
    return stderr.trim();
  };
  assert.equal(await said("listClip"), "There is no operation listClip. Did you mean listClips?");
  assert.match(
    await said("webhook", "--help"),
    /^There is no operation webhook\. `npx kit api.*` lists all operations\.$/,
  );
  assert.equal(await said("listClips", "limt=3"), "listClips has no limt. Did you mean limit?");
  assert.equal(
    await said("trimClip", "id=a", "range=2"),
    "trimClip has no range. It has: id, fromSeconds, toSeconds, title.",
  );
  assert.match(await said("listClips", "limit=many"), /^Nothing was sent: limit expected .*kit api listClips --help/);
  assert.equal(await said("listClips", "limit=1", "limit=2"), "limit was given 2 times, and takes one value.");
  assert.equal(asked(), 0);
});

test("values get their types from the contract: numbers, null, lists, objects and members of objects", async () => {
  const { kit, requests } = await startNoting();
  const bodyOf = async (...words: string[]) => {
    const { code, stderr } = await kit(words);
    assert.equal(code, exitCodes.ok, stderr);
    return requests.pop()?.body;
  };
  assert.deepEqual(await bodyOf("changePost", "id=a", "text=1", "part.fromSeconds=1", "part.toSeconds=2.5"), {
    text: "1",
    part: { fromSeconds: 1, toSeconds: 2.5 },
  });
  assert.deepEqual(await bodyOf("changePost", "id=a", "part=null"), { part: null });
  assert.deepEqual(await bodyOf("changeClip", "id=a", "tags=boss", "tags=two words"), { tags: ["boss", "two words"] });
  assert.deepEqual(await bodyOf("changeClip", "id=a", 'tags=["boss"]', "pinned=true"), {
    tags: ["boss"],
    pinned: true,
  });
  assert.deepEqual(await bodyOf("makeReel", 'parts=[{"clip":"a"}]'), { parts: [{ clip: "a" }] });
  assert.deepEqual(await bodyOf("changeRecorder", "frameRate=30", "window=null"), { frameRate: 30, window: null });
  assert.deepEqual(await bodyOf("saveRecording"), {});
});

test("the body can be read from a file or from standard input, and names change members of it", async () => {
  const { kit, requests } = await startNoting();
  const file = join(temporaryFolder("api"), "rules.json");
  const rules = { kitEvents: 1, game: "saga", events: {} };
  writeFileSync(file, `\ufeff${JSON.stringify(rules)}`);
  await kit(["importEventsFile", "dryRun=true", "--input", file]);
  assert.deepEqual(requests.pop(), { method: "PUT", url: "/api/rules/file?dryRun=true", body: rules });
  const piped = JSON.stringify({ address: "https://key@example.com/1", game: "saga" });
  assert.equal((await kit(["addForwardTarget", "kind=sentry", "game=null", "--input", "-"], piped)).code, exitCodes.ok);
  assert.deepEqual(requests.pop()?.body, { address: "https://key@example.com/1", game: null, kind: "sentry" });
  const unknown = await kit(["addForwardTarget", "--input", "-"], '{"adress":""}');
  assert.equal(unknown.stderr.trim(), "The body of addForwardTarget has no adress. Did you mean address?");
  assert.match((await kit(["listClips", "--input", file])).stderr, /listClips has no body/);
});

test("a credential comes from standard input, and is refused in the command line, also inside of an object", async () => {
  const { kit, requests } = await startNoting();
  const words = ["addAccount", "network=bluesky", "fields.handle", "fields.password"];
  assert.equal((await kit(words, "saga.example\nabcd-efgh\n")).code, exitCodes.ok);
  const fields = { handle: "saga.example", password: "abcd-efgh" };
  assert.deepEqual(requests.pop()?.body, { network: "bluesky", fields });
  assert.match((await kit(words, "saga.example\n")).stderr, /^Standard input has no line for fields\.password\.$/m);
  for (const word of ["fields.password=x", 'fields={"password":"x"}'])
    assert.match((await kit(["addAccount", "network=bluesky", word])).stderr, /is a credential, and others can read/);
  const bucket = { endpoint: "https://s3.example", region: "a", name: "videos", prefix: "", hostStyle: false };
  const hidden = await kit(["changeForwardTarget", "id=a", `bucket=${JSON.stringify({ ...bucket, secretKey: "x" })}`]);
  assert.match(hidden.stderr, /^bucket\.secretKey is a credential/);
  assert.deepEqual(requests, []);
});

test("at a terminal, a credential is asked for and not shown", async () => {
  const { requests, place } = await startNoting();
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  const shown = new PassThrough();
  const printed = text(shown);
  stdin.write("hunter2\r");
  const words = ["api", "changeRecorder", "obsPassword", ...placeOf(place)];
  assert.equal(await runProgram(words, { env: {}, stdin, stdout: shown, stderr: shown }), exitCodes.ok);
  shown.end();
  assert.deepEqual(requests.pop()?.body, { obsPassword: "hunter2" });
  assert.match(await printed, /^obsPassword: \n/);
  assert.doesNotMatch(await printed, /hunter2/);
});

test("a response is printed as JSON, or saved in a new file; of a file, nothing is left behind if it cannot be saved", async () => {
  const reply = { clips: [], text: "a\u202e" };
  const { kit } = await startNoting({ content: JSON.stringify(reply) });
  assert.deepEqual((await kit(["listClips", "--json"])).json(), reply);
  assert.doesNotMatch((await kit(["listClips"])).stdout, /\u202e/);
  const folder = temporaryFolder("api");
  const out = join(folder, "clips.json");
  assert.equal((await kit(["listClips", "--out", out])).stdout, `${out}\n`);
  assert.deepEqual(JSON.parse(readFileSync(out, "utf8")), reply);
  const file = await startNoting({ type: "application/zip", content: "PK…" });
  const taken = await file.kit(["exportEverything", "--out", out]);
  assert.deepEqual(
    [taken.code, taken.stderr.trim()],
    [exitCodes.failed, `${out} already exists. Move it, or use another --out.`],
  );
  const zip = join(folder, "all.zip");
  assert.deepEqual((await file.kit(["exportEverything", "--out", zip, "--json"])).json(), { file: zip, bytes: 5 });
  assert.equal(readFileSync(zip, "utf8"), "PK…");
  assert.equal((await file.kit(["exportEverything"])).stdout, "PK…", "a pipe gets the bytes");
  assert.deepEqual(readdirSync(folder).toSorted(), ["all.zip", "clips.json"]);
  const gone = await startNoting({ status: 404 });
  assert.equal((await gone.kit(["exportEverything", "--out", join(folder, "no.zip")])).code, exitCodes.refused);
  assert.equal(existsSync(join(folder, "no.zip")), false);
});

test("a file is not printed on a terminal", async () => {
  const { requests, place } = await startNoting();
  const stdout = Object.assign(new PassThrough(), { isTTY: true as const });
  const stderr = new PassThrough();
  const printed = text(stderr);
  const words = ["api", "exportEverything", ...placeOf(place)];
  assert.equal(await runProgram(words, { env: {}, stdin: new PassThrough(), stdout, stderr }), exitCodes.usage);
  stderr.end();
  assert.match(await printed, /exportEverything returns a file \(application\/zip\)\. Add --out FILE\./);
  assert.deepEqual(requests, []);
});

test("a stream is printed line by line, and takes no --out", async () => {
  const content = 'id: 1\ndata: {"type":"event"}\n\ndata: {"type":"receipt"}\n\n';
  const { kit } = await startNoting({ type: "text/event-stream", content });
  assert.equal((await kit(["streamFeed"])).stdout, '{"type":"event"}\n{"type":"receipt"}\n');
  assert.match((await kit(["streamFeed", "--out", "x"])).stderr, /never ends by itself/);
});

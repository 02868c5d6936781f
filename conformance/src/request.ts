// Checks that every request is exact: method, address, headers and body.
import { ingestOperations } from "@kit/contract";
import { type Arriving, type Case, type Request, written } from "./case.ts";
import type { Arrival } from "./stand-in.ts";

type Message = {
  readonly eventId?: string;
  readonly message?: string;
  readonly stackTrace?: string;
  readonly build?: string;
  readonly timestamp: string;
};

const timestampForm = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const members = { recording: ["eventId"], monitor: ["message", "stackTrace"], social: ["eventId"] } as const;

/** The body if it is a JSON object of strings in valid UTF-8. */
export function messageOf({ body }: Arrival): Message | undefined {
  try {
    const parsed: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body));
    if (typeof parsed !== "object" || parsed === null) return undefined;
    return Object.values(parsed).every((value) => typeof value === "string") ? (parsed as Message) : undefined;
  } catch {
    return undefined;
  }
}

const kindOf = (target: string) =>
  (["recording", "monitor", "social"] as const).find((kind) => target.endsWith(ingestOperations[kind].path));

/** Faults of a single request. `build` is the one that error reports have, or empty. */
export function faultsOfRequest(arrival: Arrival, { expect }: Case, url: string, build: string): string[] {
  const kind = kindOf(arrival.target);
  if (kind === undefined) return [`an unknown address: ${arrival.method} ${arrival.target}`];
  const wanted = `${expect.below ?? ""}${ingestOperations[kind].path}`;
  return [
    ...(arrival.method === "POST" ? [] : [`the method is ${arrival.method}, not POST`]),
    ...(arrival.target === wanted ? [] : [`the address is ${arrival.target}, not ${wanted}`]),
    ...faultsOfHeaders(arrival, url),
    ...faultsOfBody(arrival, members[kind], kind === "monitor" ? build : ""),
  ];
}

function faultsOfHeaders({ headers, body }: Arrival, url: string): string[] {
  const valuesOf = (name: string) => headers.filter(([found]) => found === name).map(([, value]) => value);
  const only = (name: string, expected: string) => {
    const found = valuesOf(name);
    return found.length === 1 && found[0] === expected
      ? []
      : [`${name} is ${JSON.stringify(found)}, not "${expected}"`];
  };
  const port = new URL(url).port;
  const [host = ""] = valuesOf("host");
  return [
    ...only("content-type", "application/json"),
    ...only("content-length", String(body.length)),
    ...(host.endsWith(`:${port}`) ? [] : [`host is "${host}", without the port ${port}`]),
    ...["transfer-encoding", "expect", "cookie", "authorization"].flatMap((name) =>
      valuesOf(name).map((value) => `there is a header ${name}: ${value}`),
    ),
  ];
}

/** Checks that the body has exactly the contract's members in order, as strings without whitespace. */
function faultsOfBody(arrival: Arrival, names: readonly string[], build: string): string[] {
  const message = messageOf(arrival);
  if (message === undefined)
    return [`the body is no JSON object of texts: ${arrival.body.toString("latin1").slice(0, 160)}`];
  const found = Object.keys(message).join();
  const wanted = [...names, ...(build === "" ? [] : ["build"]), "timestamp"].join();
  return [
    ...(found === wanted ? [] : [`the body has ${found}, not ${wanted}`]),
    ...((message.build ?? "") === build ? [] : [`the build is "${message.build ?? ""}", not "${build}"`]),
    ...(isRealTime(message.timestamp) ? [] : [`"${message.timestamp}" is no time of the contract's form`]),
    ...(isPlain(message) && arrival.body.toString("utf8") !== JSON.stringify(message)
      ? [`the body is written otherwise: ${arrival.body.toString("utf8").slice(0, 160)}`]
      : []),
  ];
}

const isRealTime = (text: string | undefined) =>
  text !== undefined && timestampForm.test(text) && new Date(text).getUTCDate() === Number(text.slice(8, 10));

/** Whether the texts have only one JSON encoding. */
const isPlain = (message: Message) =>
  Object.values(message).every((text) => /^[\x20\x21\x23-\x2e\x30-\x5b\x5d-\x7e]*$/.test(text));

export type WantedMessage = {
  readonly to: string;
  readonly texts: Readonly<Record<string, readonly (string | undefined)[]>>;
};

const alternatives = (text: Arriving) =>
  typeof text === "object" && text !== null && "anyOf" in text ? text.anyOf.map(written) : [written(text)];

/** The expected messages, with all allowed forms of each text. */
export function wantedMessages(requests: readonly Request[]): WantedMessage[] {
  return requests.map(({ to, ...texts }) => ({
    to,
    texts: Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, alternatives(text)])),
  }));
}

export function sameMessage(arrival: Arrival, { to, texts }: WantedMessage): boolean {
  const message = messageOf(arrival);
  if (message === undefined || kindOf(arrival.target) !== to) return false;
  return Object.entries(texts).every(([name, possible]) => possible.includes(message[name as keyof Message]));
}

// Support: sends over open connections as fast as the launcher answers, and counts the outcome of each request.
// Uses plain sockets: an HTTP client would use more processor time than the launcher under test.
import { connect, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { reportError } from "@kit/contract";

/** Where requests go, and the status that acknowledges one. */
export type Endpoint = { readonly path: string; readonly contentType: string; readonly accepted: number };

export const reports: Endpoint = {
  path: reportError.path,
  contentType: "application/json",
  accepted: reportError.status,
};

export type StormPlan = {
  readonly port: number;
  readonly connections: number;
  /** The sender's User-Agent. */
  readonly client: string;
  readonly report: (n: number) => string;
  /** Where errors are reported, unless told. */
  readonly endpoint?: Endpoint;
};

/** The outcomes of the requests. Each is in one of `acknowledged`, `refused` and `unanswered`. */
export type StormAccount = {
  readonly sent: number;
  /** Answered with the status that acknowledges. */
  readonly acknowledged: number;
  /** Other statuses, with their number. */
  readonly refused: Readonly<Record<string, number>>;
  /** The connection ended first, so the report may or may not have been stored. */
  readonly unanswered: number;
  /** The newest distinct ids in the answers. */
  readonly ids: readonly string[];
  /** The number of answers for each waiting time, in tenths of a millisecond. */
  readonly waits: ReadonlyMap<number, number>;
};

export type Sender = {
  account(): StormAccount;
  /** Sends nothing new. Resolves when the open requests are answered or their connections have ended. */
  stop(): Promise<void>;
};

const idsMax = 500;
const reconnectMs = 20;
const headEnd = "\r\n\r\n";

type Answer = { readonly status: number; readonly body: string; readonly closes: boolean };

/** The complete answer at the start of `held`, or `undefined` if it is incomplete. */
function answerIn(held: string): Answer | undefined {
  const end = held.indexOf(headEnd);
  if (end < 0) return undefined;
  const head = held.slice(0, end).toLowerCase();
  const [, length = "0"] = /\ncontent-length: (\d+)/.exec(head) ?? [];
  const from = end + headEnd.length;
  if (held.length < from + Number(length)) return undefined;
  const body = held.slice(from, from + Number(length));
  return { status: Number(head.slice(9, 12)), body, closes: head.includes("\nconnection: close") };
}

/** Sends a request and returns its answer, or `undefined` if the connection ended without one. */
function exchange(socket: Socket, request: string): Promise<Answer | undefined> {
  return new Promise((resolve) => {
    let held = "";
    const settle = (answer: Answer | undefined) => {
      socket.off("data", take).off("close", end);
      resolve(answer);
    };
    const take = (part: string) => {
      held += part;
      const answer = answerIn(held);
      if (answer !== undefined) settle(answer);
    };
    const end = () => settle(undefined);
    socket.on("data", take).once("close", end);
    if (socket.closed) end();
    else socket.write(request);
  });
}

/** Opens a connection, or returns `undefined` if that fails. */
function connected(port: number): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: "127.0.0.1", noDelay: true }, () => resolve(socket));
    socket.setEncoding("latin1");
    // A failed connection is detected by its end.
    socket.on("error", () => resolve(undefined));
  });
}

export function startSender({
  port,
  connections,
  client,
  report,
  endpoint: { path, contentType, accepted } = reports,
}: StormPlan) {
  const head = `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nUser-Agent: ${client}\r\nContent-Type: ${contentType}\r\nContent-Length: `;
  const ids = new Set<string>();
  const refused: Record<string, number> = {};
  const waits = new Map<number, number>();
  let sent = 0;
  let acknowledged = 0;
  let unanswered = 0;
  let isStopping = false;

  const take = (answer: Answer | undefined, beganMs: number) => {
    if (answer === undefined) {
      unanswered += 1;
      return;
    }
    const wait = Math.round((performance.now() - beganMs) * 10);
    waits.set(wait, (waits.get(wait) ?? 0) + 1);
    if (answer.status !== accepted) {
      refused[answer.status] = (refused[answer.status] ?? 0) + 1;
      return;
    }
    acknowledged += 1;
    // Other servers may answer without a body.
    if (answer.body === "") return;
    const { id } = JSON.parse(answer.body) as { id: string };
    ids.add(id);
    if (ids.size > idsMax) ids.delete(ids.values().next().value ?? "");
  };
  const send = async () => {
    let socket: Socket | undefined;
    while (!isStopping) {
      socket ??= await connected(port);
      if (socket === undefined) {
        await pause(reconnectMs);
        continue;
      }
      if (isStopping) break;
      const body = report(sent);
      sent += 1;
      const beganMs = performance.now();
      const answer = await exchange(socket, `${head}${Buffer.byteLength(body)}\r\n\r\n${body}`);
      take(answer, beganMs);
      if (answer !== undefined && !answer.closes) continue;
      socket.destroy();
      socket = undefined;
    }
    socket?.destroy();
  };
  const ended = Promise.all(Array.from({ length: connections }, send)).then(() => undefined);
  const sender: Sender = {
    account: () => ({ sent, acknowledged, refused, unanswered, ids: [...ids], waits }),
    stop() {
      isStopping = true;
      return ended;
    },
  };
  return sender;
}

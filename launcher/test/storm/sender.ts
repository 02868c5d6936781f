// Sends over open connections as fast as the launcher answers, and counts the outcome of each request.
// Uses plain sockets: an HTTP client would use more processor time than the launcher under test.
import { connect, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { reportError } from "@kit/contract";

export type StormPlan = {
  readonly port: number;
  readonly connections: number;
  /** The sender's name, its User-Agent. */
  readonly client: string;
  readonly report: (n: number) => string;
  /** Sends no more than these. */
  readonly reportsMax?: number;
};

/** What became of the requests. Each is in one of `acknowledged`, `refused` and `unanswered`. */
export type StormAccount = {
  readonly sent: number;
  /** Answered with 202. */
  readonly acknowledged: number;
  /** Other answers, and how often each came. */
  readonly refused: Readonly<Record<string, number>>;
  /** The connection ended first: such a report may have been taken in or not. */
  readonly unanswered: number;
  /** Distinct ids in the answers, the newest of them. */
  readonly ids: readonly string[];
  /** How often each time to an answer came, by tenths of a millisecond. */
  readonly waits: ReadonlyMap<number, number>;
};

export type Sender = {
  account(): StormAccount;
  /** Resolves when `reportsMax` were answered or given up, or `stop` was called. */
  readonly ended: Promise<void>;
  /** Sends nothing new; resolves when what is under way was answered, or its connection ended. */
  stop(): Promise<void>;
};

const idsMax = 500;
const reconnectMs = 20;
const headEnd = "\r\n\r\n";

type Answer = { readonly status: number; readonly body: string; readonly closes: boolean };

/** The whole answer at the beginning of `held`; undefined while it is not all there. */
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

/** One request and its answer; undefined when the connection ended without one. */
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

/** A connection; undefined when there is none to be had. */
function connected(port: number): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: "127.0.0.1", noDelay: true }, () => resolve(socket));
    socket.setEncoding("latin1");
    // What is wrong with a connection shows by its end.
    socket.on("error", () => resolve(undefined));
  });
}

export function startSender({ port, connections, client, report, reportsMax = Number.POSITIVE_INFINITY }: StormPlan) {
  const head = `POST ${reportError.path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nUser-Agent: ${client}\r\nContent-Type: application/json\r\nContent-Length: `;
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
    if (answer.status !== 202) {
      refused[answer.status] = (refused[answer.status] ?? 0) + 1;
      return;
    }
    acknowledged += 1;
    const { id } = JSON.parse(answer.body) as { id: string };
    ids.add(id);
    if (ids.size > idsMax) ids.delete(ids.values().next().value ?? "");
  };
  const send = async () => {
    let socket: Socket | undefined;
    while (!isStopping && sent < reportsMax) {
      socket ??= await connected(port);
      if (socket === undefined) {
        await pause(reconnectMs);
        continue;
      }
      if (isStopping || sent >= reportsMax) break;
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
    ended,
    stop() {
      isStopping = true;
      return ended;
    },
  };
  return sender;
}

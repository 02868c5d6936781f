// Sends requests to the stand-in through raw sockets, to see every byte of the response.
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import type { LauncherState } from "../src/case.ts";
import { openStandIn, type StandIn } from "../src/stand-in.ts";

export const body = '{"eventId":"sky_one"}';

type Client = { readonly socket: Socket; text(): string; bytes(): number; readonly ended: Promise<unknown> };

/** Connects and collects all received data. */
export async function connected({ url }: StandIn, host = "127.0.0.1"): Promise<Client> {
  const socket = connect(Number(new URL(url).port), host);
  await once(socket, "connect");
  const chunks: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => chunks.push(chunk));
  socket.on("error", () => undefined);
  const bytes = () => chunks.reduce((sum, { length }) => sum + length, 0);
  return { socket, bytes, text: () => Buffer.concat(chunks).toString("latin1"), ended: once(socket, "close") };
}

export function send({ socket }: Client, path = "/api/recording/trigger"): void {
  const head = `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:1\r\nX-Twice: a\r\nX-Twice: b\r\nContent-Length: ${body.length}`;
  socket.write(`${head}\r\nConnection: close\r\n\r\n${body}`);
}

export async function inState(state: LauncherState, use: (standIn: StandIn) => Promise<void>): Promise<void> {
  const standIn = await openStandIn(state);
  try {
    await use(standIn);
  } finally {
    await standIn.close();
  }
}

/** Sends a request and returns all data until the connection ends. */
export async function answerOf(standIn: StandIn, host?: string): Promise<string> {
  const client = await connected(standIn, host);
  send(client);
  await client.ended;
  return client.text();
}

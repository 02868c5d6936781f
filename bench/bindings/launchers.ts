// The three launcher states: present, absent, and hung (accepts connections but never answers).
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { type KitEvent, listEvents } from "@kit/contract";
import { startOwnLauncher } from "../../launcher/test/support/own-launcher.ts";
import { freePort } from "../../tools/engines/free-port.ts";
import type { LauncherState } from "./plan.ts";

export type Launcher = {
  readonly url: string;
  /** Number of received requests with this event id, or of connections if hung. Undefined if absent. */
  reached(eventId: string): Promise<number | undefined>;
  [Symbol.asyncDispose](): Promise<void>;
};

const urlAt = (port: number) => `http://127.0.0.1:${port}`;

async function present(): Promise<Launcher> {
  const launcher = await startOwnLauncher();
  return {
    url: urlAt(launcher.port),
    async reached(eventId) {
      let count = 0;
      for (let before = ""; ; ) {
        const reply = await launcher.api("GET", `${listEvents.path}?limit=500${before && `&before=${before}`}`);
        const { events, more } = reply.json<{ events: KitEvent[]; more: boolean }>();
        count += events.filter((event) => event.eventId === eventId).length;
        before = events.at(-1)?.id ?? "";
        if (!more) return count;
      }
    },
    [Symbol.asyncDispose]: () => launcher[Symbol.asyncDispose](),
  };
}

async function absent(): Promise<Launcher> {
  return {
    url: urlAt(await freePort()),
    reached: async () => undefined,
    [Symbol.asyncDispose]: async () => undefined,
  };
}

async function hung(): Promise<Launcher> {
  const connections = new Set<Socket>();
  let count = 0;
  const server = createServer((connection) => {
    count += 1;
    connections.add(connection);
    connection.resume();
    connection.once("error", () => connection.destroy()).once("close", () => connections.delete(connection));
  });
  server.listen(0, "127.0.0.1", 4_096);
  await once(server, "listening");
  return {
    url: urlAt((server.address() as AddressInfo).port),
    reached: async () => count,
    async [Symbol.asyncDispose]() {
      server.close();
      for (const connection of connections) connection.destroy();
    },
  };
}

const openers: Readonly<Record<LauncherState, () => Promise<Launcher>>> = { present, absent, hung };

export const openLauncher = (state: LauncherState): Promise<Launcher> => openers[state]();

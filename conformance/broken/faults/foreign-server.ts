// Faults with another program at the launcher's address: each follows an instruction in the response.
import { type ClientRequest, type IncomingMessage, request } from "node:http";
import { createGunzip } from "node:zlib";
import type { Kit } from "../../reference/binding.ts";
import { change, deafen, type Faults } from "./change.ts";

const redirectsMax = 20;

const onAnswer = (kit: Kit, what: (answer: IncomingMessage, url: string, body: string) => void) =>
  change(kit, "onAnswer", (onAnswer) => (answer, url, body) => {
    what(answer, url, body);
    onAnswer(answer, url, body);
  });

/** Runs an action on each request before its response arrives. */
const onRequest = (kit: Kit, what: (sent: ClientRequest) => void) =>
  change(kit, "pending", (pending) => {
    const add = pending.add.bind(pending);
    return Object.assign(pending, {
      add(sent: ClientRequest) {
        what(sent);
        return add(sent);
      },
    });
  });

export const strangerFaults = {
  "waits-for-a-password": (kit) => {
    let isDialogOpen = false;
    onAnswer(kit, ({ statusCode }) => {
      isDialogOpen ||= statusCode === 401;
    });
    deafen(kit, () => isDialogOpen);
  },
  "tries-a-proxy-password": (kit) => {
    const tried = new Set<string>();
    onAnswer(kit, ({ statusCode }, url, body) => {
      if (statusCode !== 407 || tried.has(body)) return;
      tried.add(body);
      kit.post(url, body);
    });
  },
  "shows-upgrades": (kit) =>
    onRequest(kit, (sent) =>
      sent.on("upgrade", ({ headers }, socket) => {
        console.error(`the launcher speaks ${headers.upgrade} now`);
        socket.destroy();
      }),
    ),
  "shows-continues": (kit) => onRequest(kit, (sent) => sent.once("continue", () => console.error("100 Continue"))),
  "keeps-every-header": (kit) =>
    change(kit, "optionsOf", (optionsOf) => (body) => ({ ...optionsOf(body), maxHeaderSize: 2 ** 30 })),
  unpacks: (kit) =>
    change(kit, "onAnswer", (drop) => (answer, url, body) => {
      if (answer.headers["content-encoding"] === "gzip")
        answer
          .pipe(createGunzip())
          .on("error", () => undefined)
          .resume();
      else drop(answer, url, body);
    }),
  "runs-in-circles": (kit) => {
    const hops = new Map<string, number>();
    onAnswer(kit, ({ headers }, url, body) => {
      const hop = (hops.get(body) ?? 0) + 1;
      hops.set(body, hop);
      if (headers.location === url && hop <= redirectsMax) kit.post(url, body);
    });
  },
  "shows-status-lines": (kit) =>
    onAnswer(kit, ({ statusMessage = "" }) => {
      if (/[^ -~]/.test(statusMessage)) console.error(`the launcher says ${statusMessage}`);
    }),
  "keeps-cookies": (kit) => {
    let cookies: string[] = [];
    onAnswer(kit, ({ headers }) => {
      cookies = headers["set-cookie"] ?? cookies;
    });
    change(kit, "optionsOf", (optionsOf) => (body) => {
      const options = optionsOf(body);
      return cookies.length === 0 ? options : { ...options, headers: { ...options.headers, cookie: cookies } };
    });
  },
  "follows-refresh": (kit) =>
    onAnswer(kit, ({ headers }) => {
      const [, url] = /url=(.*)/.exec(String(headers.refresh)) ?? [];
      if (url !== undefined) request(url, (answer) => answer.destroy()).end();
    }),
} satisfies Faults;
